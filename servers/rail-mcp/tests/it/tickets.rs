//! Direct trains: the query itself, and what of it leaves the program.

mod days;
mod filters;
mod older;
mod pages;
mod places;
mod seats;
mod sleepers;
mod times;

use std::time::Duration;

use fixtures::{
    mcp::{Both, Launch, World},
    rail::Rail,
};
use serde_json::{Value, json};

use crate::{
    expected::{DAY, city, codes, given, journey, seat, station, tickets, transfers, with},
    world::{NOW, binary, environment, world, world_with},
};

#[test]
fn no_direct_train_is_an_empty_list() {
    let world = world();
    assert_eq!(
        tickets(&world, "北京南", "拉萨", &json!({})),
        json!({
            "ok": true, "date": DAY, "from": station("北京南", "北京南", "VNP"), "to": city("拉萨", "拉萨", "LSO"),
            "trains": [], "total": 0, "returned": 0, "truncated": false, "filters": {}, "removed": {},
            "as_of": "2026-11-30T10:00:00+08:00",
        })
    );
}

#[test]
fn students_ask_for_their_own_numbers() {
    let world = world();
    let answer = tickets(
        &world,
        "北京南",
        "上海虹桥",
        &json!({"purpose": "student", "max_results": 1}),
    );
    assert_eq!(answer["filters"], json!({"purpose": "student"}));
    assert_eq!(answer["trains"][0]["train_code"], "G531");
    assert_eq!(
        answer["trains"][0]["seats"][2],
        with(
            seat("二等座", "O", "count", 7, 469.5),
            &json!({"discount_percent": 79})
        )
    );
    let adults = tickets(&world, "北京南", "上海虹桥", &json!({"max_results": 1}));
    assert_eq!(
        adults["trains"][0]["seats"][2],
        with(
            seat("二等座", "O", "plenty", (), 626.0),
            &json!({"discount_percent": 79})
        )
    );
    world.each(|fake| {
        let purposes = fake.journal().of("tickets").into_iter();
        let purposes = purposes.map(|seen| seen.parameter("purpose_codes").map(str::to_owned));
        assert_eq!(
            Vec::from_iter(purposes),
            [Some("0X00".to_owned()), Some("ADULT".to_owned())]
        );
    });
}

#[test]
fn both_families_of_names_are_called_and_one_is_listed() {
    let names = [
        "query_tickets",
        "query_transfer",
        "train_route",
        "search_stations",
    ];
    for (variables, listed) in [
        (&[][..], "12306"),
        (&[("RAIL_TOOL_NAMES", "letters")][..], "rail"),
    ] {
        let world = world_with(variables);
        let mut found = Vec::from_iter(world.tools().iter().map(|tool| tool["name"].clone()));
        let mut expected = Vec::from_iter(names.map(|name| json!(format!("{listed}_{name}"))));
        found.sort_by_key(Value::to_string);
        expected.sort_by_key(Value::to_string);
        assert_eq!(found, expected);
        let arguments = journey("深圳", "广州", &json!({}));
        let [digits, letters] = ["12306", "rail"]
            .map(|family| given(&world, &format!("{family}_query_tickets"), &arguments));
        assert_eq!(digits, letters);
        assert_eq!(
            codes(&letters),
            ["G6012", "C7001", "C7003", "D7516", "K9002"]
        );
    }
}

#[test]
fn a_query_is_sent_as_the_page_sends_it_and_only_once() {
    let world = world();
    for words in ["北京", "北京站", "BJP", "beijing"] {
        tickets(&world, words, "上海", &json!({"train_types": ["G"]}));
    }
    tickets(&world, "北京南", "上海虹桥", &json!({}));
    world.each(|fake| {
        let seen = fake.journal().all();
        let lines = seen.iter().map(|seen| {
            (
                seen.host,
                seen.route,
                seen.method.as_str(),
                seen.path.as_str(),
            )
        });
        let asked = ("kyfw", "tickets", "GET", "/otn/leftTicket/queryG");
        assert_eq!(
            Vec::from_iter(lines),
            [
                ("kyfw", "init", "GET", "/otn/leftTicket/init"),
                asked,
                asked
            ]
        );
        let query = |from: &str, to: &str| {
            [
                ("leftTicketDTO.train_date", DAY),
                ("leftTicketDTO.from_station", from),
                ("leftTicketDTO.to_station", to),
                ("purpose_codes", "ADULT"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
        };
        assert_eq!(seen[0].query, []);
        assert_eq!(seen[1].query, query("BJP", "SHH"));
        assert_eq!(seen[2].query, query("VNP", "AOH"));
        assert_eq!(seen[0].cookies, []);
        let mut cookies = Vec::from_iter(
            seen[1]
                .cookies
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        cookies.sort();
        // Cut at the first `=` only: the last value of the fake ends with two.
        assert_eq!(
            cookies,
            [
                "BIGipServerotn=1406730506.64545.0001.rd=1==",
                "JSESSIONID=00000000000000000000A11000000001",
                "route=00000000000000000000c5c62a339e72",
            ]
        );
        let origin = &fake.origins()[1].1;
        for (name, value) in [
            ("accept-language", "zh-CN,zh;q=0.9"),
            ("x-requested-with", "XMLHttpRequest"),
            ("if-modified-since", "0"),
            ("referer", &format!("{origin}/otn/leftTicket/init")),
        ] {
            assert_eq!(seen[1].header(name), Some(value), "{name}");
        }
    });
}

#[test]
fn no_token_of_the_service_is_let_out() {
    let world = Both::launch(&Launch::new(binary()).args(["--log", "trace"]), |_| {
        let fake = Rail::start(NOW);
        let variables = environment(&fake, &[]);
        (fake, variables)
    });
    tickets(&world, "北京", "上海", &json!({}));
    transfers(&world, "广州", "桂林", &json!({}));
    for World { client, data, .. } in world.worlds() {
        client.close_stdin();
        assert!(
            client
                .wait_exit(Duration::from_secs(5))
                .is_some_and(|status| status.success())
        );
        let mut places = vec![("stderr".to_owned(), client.stderr())];
        for file in data.path().read_dir().expect("a state folder") {
            let path = file.expect("a file").path();
            let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a readable file"))
                .into_owned();
            places.push((path.display().to_string(), text));
        }
        assert!(places.len() > 1, "the state folder is empty");
        // The canaries of rows and plans, and the values of the three cookies.
        for secret in ["CANARY", "A11000000001", "c5c62a339e72", "1406730506"] {
            for (place, text) in &places {
                assert!(!text.contains(secret), "{secret} is in {place}");
            }
        }
    }
}
