//! How values are read, and what of them is shown.

use super::*;

fn settings(given: &[(&str, &str)]) -> Settings {
    Settings::new(
        "RAIL",
        given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    )
}

#[test]
fn values_are_checked_and_empty_is_unset() {
    let mut given = settings(&[
        ("RAIL_N", "7"),
        ("RAIL_BAD", "7s"),
        ("RAIL_EMPTY", " "),
        ("RAIL_ON", "yes"),
    ]);
    assert_eq!(given.number("RAIL_N", 1, 0..=9, ""), Ok(7));
    assert_eq!(given.number("RAIL_EMPTY", 1, 0..=9, ""), Ok(1));
    assert_eq!(given.switch("RAIL_ON", false, ""), Ok(true));
    assert_eq!(
        given
            .millis("RAIL_BAD", 1, "")
            .map_err(|refusal| refusal.to_string()),
        Err("RAIL_BAD=\"7s\" 无效：应为 0 至 600000 的整数".to_owned())
    );
    assert_eq!(
        given
            .parsed::<std::net::Ipv4Addr>("RAIL_N", "127.0.0.1", "", "IPv4 地址")
            .map_err(|refusal| refusal.why),
        Err("应为 IPv4 地址，例如 127.0.0.1".to_owned())
    );
    assert_eq!(
        given
            .address::<std::net::Ipv4Addr>("RAIL_N", "https://upstream.example", "")
            .map_err(|refusal| refusal.why),
        Err(
            "应为 https 地址（本机回环可用 http），不带用户名、? 和 #，例如 https://upstream.example"
                .to_owned()
        )
    );
    assert_eq!(
        given
            .choice("RAIL_N", &["a", "b"], "")
            .map_err(|refusal| refusal.why),
        Err("可选 a、b".to_owned())
    );
}

#[test]
fn no_secret_is_shown() {
    const CANARY: &str = "canary-7f3a";
    let url = format!("https://me:{CANARY}@upstream.example/");
    let mut given = settings(&[("RAIL_URL", &url), ("RAIL_TOKEN", CANARY)]);
    let refusals = ["RAIL_URL", "RAIL_TOKEN"].map(|variable| {
        let value = given.text(variable, "").expect("a value");
        let refused = Refusal::new(variable, &value, format!("not {value}"));
        assert!(!format!("{refused:?}").contains(CANARY), "{refused:?}");
        refused.to_string()
    });
    assert_eq!(
        refusals,
        [
            "RAIL_URL=\"https://***@upstream.example/\" 无效：not https://***@upstream.example/",
            "RAIL_TOKEN=\"***\" 无效：not ***",
        ]
    );
    let sets = given.all().iter().map(|setting| setting.set.as_deref());
    assert_eq!(
        Vec::from_iter(sets),
        [Some("https://***@upstream.example/"), Some("***")]
    );
    assert_eq!(
        format!("{given:?}"),
        r#"Settings { prefix: "RAIL", given: ["RAIL_TOKEN", "RAIL_URL"], .. }"#
    );
}

#[test]
fn an_unknown_variable_is_named_with_its_neighbour() {
    let mut given = settings(&[
        ("RAIL_MIN_INTERVAL", "1"),
        ("RAILWAY", "x"),
        ("RAIL_MIN_INTERVAL_MS", "5"),
    ]);
    assert_eq!(
        given.millis("RAIL_MIN_INTERVAL_MS", 1_000, ""),
        Ok(Duration::from_millis(5))
    );
    assert_eq!(
        given.unknown(),
        [("RAIL_MIN_INTERVAL", Some("RAIL_MIN_INTERVAL_MS"))]
    );
}

#[test]
fn a_setting_is_shown_by_what_it_is() {
    const CANARY: &str = "canary-7f3a";
    let mut given = settings(&[
        ("RAIL_DOOR", CANARY),
        ("RAIL_TOKEN", CANARY),
        ("RAIL_SECRET_STORE", "file"),
        ("RAIL_TOKEN_MINUTES", "5"),
        ("RAIL_COOKIES", "yes"),
    ]);
    let secret = given.secret("RAIL_DOOR", "").expect("set");
    assert_eq!(secrecy::ExposeSecret::expose_secret(&secret), CANARY);
    assert!(given.secret("RAIL_OTHER", "").is_none());
    assert_eq!(given.text("RAIL_TOKEN", "").as_deref(), Some(CANARY));
    let chosen = given.choice("RAIL_SECRET_STORE", &["", "keyring", "file"], "");
    assert_eq!(chosen, Ok("file"));
    assert_eq!(given.number("RAIL_TOKEN_MINUTES", 1, 0..=9, ""), Ok(5));
    assert_eq!(given.switch("RAIL_COOKIES", false, ""), Ok(true));
    let shown = given.all().iter().map(|setting| setting.set.as_deref());
    let expected = [
        Some("***"),
        None,
        Some("***"),
        Some("file"),
        Some("5"),
        Some("yes"),
    ];
    assert_eq!(Vec::from_iter(shown), expected);
}

#[test]
fn what_is_no_text_is_refused_if_it_is_ours_or_read() {
    let refused = |ours: &str, read: &[&str]| {
        let mut given = settings(&[]);
        given.unreadable.insert(ours.to_owned(), "?".to_owned());
        for variable in read {
            assert_eq!(given.text(variable, ""), None);
        }
        given.readable().map_err(|refusal| refusal.variable)
    };
    assert_eq!(refused("RAIL_ANY", &[]), Err("RAIL_ANY".to_owned()));
    assert_eq!(refused("RAILWAY", &["DATA_DIR"]), Ok(()));
    assert_eq!(
        refused("DATA_DIR", &["DATA_DIR"]),
        Err("DATA_DIR".to_owned())
    );
}
