//! Query paths that move, sessions that expire, pages that lack their variable.

use fixtures::{
    rail::{LcPage, Retired},
    upstream::Fault,
};
use serde_json::json;

use super::{Met, ROUTE, TICKETS, TRANSFERS, arguments, changed, forgetful, turned_away};

const GATES: &str = "/otn/leftTicket/init";

#[test]
fn a_path_that_moved_is_found_once_by_each_sign() {
    let both = forgetful();
    let mut met = Met::new();
    let before = both.call(TICKETS, arguments(TICKETS));
    met.since(&both, &["init", "tickets"], "the first call");
    for (letter, sign, expected) in [
        ("I", Retired::CUrl, &["tickets", "tickets"][..]),
        ("O", Retired::Redirect, &["tickets", "init", "tickets"]),
        ("U", Retired::ErrorPage, &["tickets", "init", "tickets"]),
        ("X", Retired::Html, &["tickets", "init", "tickets"]),
    ] {
        both.each(|fake| fake.move_tickets(letter, sign));
        let after = both.call(TICKETS, arguments(TICKETS));
        assert_eq!(after, before, "{sign:?}");
        met.since(&both, expected, &format!("{sign:?}"));
    }
    let before = both.call(TRANSFERS, arguments(TRANSFERS));
    met.since(&both, &["lc_init", "transfers"], "the first transfer");
    let found = ["transfers", "init", "lc_init", "transfers"];
    for (letter, sign, expected) in [
        ("I", Retired::CUrl, &["transfers", "transfers"][..]),
        ("O", Retired::Redirect, &found),
        ("U", Retired::ErrorPage, &found),
        ("Z", Retired::Html, &found),
    ] {
        both.each(|fake| fake.move_transfers(letter, sign));
        let after = both.call(TRANSFERS, arguments(TRANSFERS));
        assert_eq!(after, before, "{sign:?}");
        met.since(&both, expected, &format!("transfers, {sign:?}"));
    }
}

#[test]
fn a_path_that_is_gone_is_looked_for_anew() {
    let both = forgetful();
    let mut met = Met::new();
    both.call(TICKETS, arguments(TICKETS));
    both.each(|fake| fake.fault("tickets", 1, Fault::Status(404, vec![])));
    assert_eq!(both.call(TICKETS, arguments(TICKETS)).code(), None);
    let expected = ["init", "tickets", "tickets", "init", "tickets"];
    met.since(&both, &expected, "404 once");
    both.each(|fake| fake.fault("tickets", 2, Fault::Status(404, vec![])));
    let answer = both.call(TICKETS, arguments(TICKETS));
    assert_eq!(answer.structured, turned_away("/otn/leftTicket/queryG"));
    met.since(&both, &["tickets", "init", "tickets"], "404 twice");
}

#[test]
fn an_expired_session_is_renewed_once() {
    let both = forgetful();
    let mut met = Met::new();
    let tools = [TICKETS, TRANSFERS, ROUTE];
    let before = tools.map(|tool| both.call(tool, arguments(tool)));
    let expected = ["init", "tickets", "lc_init", "transfers", "search", "stops"];
    met.since(&both, &expected, "in a new session");
    for ((tool, before), expected) in tools.iter().zip(before).zip([
        &["tickets", "init", "tickets"][..],
        &["lc_init", "init", "lc_init", "transfers"],
        &["search", "stops", "init", "stops"],
    ]) {
        both.each(|fake| fake.expire_sessions());
        assert_eq!(both.call(tool, arguments(tool)), before, "{tool}");
        met.since(&both, expected, tool);
    }
    both.each(|fake| fake.expire_sessions());
    both.call(TRANSFERS, arguments(TRANSFERS));
    let expected = ["lc_init", "init", "lc_init", "transfers"];
    met.since(&both, &expected, "after the stop list");
    both.each(|fake| fake.expire_sessions());
    both.call(TRANSFERS, arguments(TRANSFERS));
    let expected = ["transfers", "init", "lc_init", "transfers"];
    met.since(&both, &expected, "with a known path");
}

#[test]
fn a_path_that_moves_twice_is_given_up() {
    let both = forgetful();
    let mut met = Met::new();
    let moved = |to: &str| {
        let answer = json!({ "status": false, "c_url": to, "c_name": "CLeftTicketUrl" });
        Fault::Body(answer.to_string())
    };
    let searched = ["tickets", "init", "tickets"];
    both.call(TICKETS, arguments(TICKETS));
    met.since(&both, &["init", "tickets"], "the first call");
    for (signs, path, expected) in [
        (
            [moved("leftTicket/queryZ"), moved("leftTicket/queryG")],
            "/otn/leftTicket/queryZ",
            &["tickets", "tickets"][..],
        ),
        (
            [Fault::Html, Fault::Html],
            "/otn/leftTicket/queryG",
            &searched,
        ),
        (
            [
                Fault::Redirect("/otn/leftTicket/queryQ".into()),
                Fault::Redirect("/otn/passport?redirect=/otn/".into()),
            ],
            "/otn/leftTicket/queryG",
            &searched,
        ),
    ] {
        for sign in &signs {
            both.each(|fake| fake.fault("tickets", 1, sign.clone()));
        }
        let answer = both.call(TICKETS, arguments(TICKETS));
        assert_eq!(answer.structured, turned_away(path), "{signs:?}");
        met.since(&both, expected, &format!("{signs:?}"));
    }
    // A page in place of the page that names the path has nothing to look for.
    both.each(|fake| fake.expire_sessions());
    both.each(|fake| fake.fault("init", 1, Fault::Redirect("/otn/passport".into())));
    let answer = both.call(TICKETS, arguments(TICKETS));
    assert_eq!(answer.structured, turned_away(GATES));
    met.since(&both, &["tickets", "init"], "a page instead of the page");
    assert_eq!(both.call(TICKETS, arguments(TICKETS)).code(), None);
    met.since(&both, &["init", "tickets"], "the next call");
}

#[test]
fn a_named_path_is_not_followed_elsewhere() {
    let both = forgetful();
    let mut met = Met::new();
    both.call(TICKETS, arguments(TICKETS));
    met.since(&both, &["init", "tickets"], "the first call");
    for form in [
        "{site}/leftTicket/queryZ",
        "//{host}/leftTicket/queryZ",
        "/{host}/leftTicket/queryZ",
        "javascript:leftTicket/queryZ",
        "leftTicket/query/../../passport",
        "leftTicket/queryZ?redirect={site}",
        "leftTicket/query%2e",
        "",
    ] {
        both.each(|fake| {
            let site = &fake.origins()[0].1;
            let host = site.trim_start_matches("http://");
            let to = form.replace("{site}", site).replace("{host}", host);
            let answer = json!({ "status": false, "c_url": to, "c_name": "CLeftTicketUrl" });
            fake.fault("tickets", 1, Fault::Body(answer.to_string()));
        });
        assert_eq!(both.call(TICKETS, arguments(TICKETS)).code(), None);
        met.since(&both, &["tickets", "init", "tickets"], form);
    }
    // The same in the page itself: there is no path then.
    both.each(|fake| {
        let (site, no_session) = (&fake.origins()[0].1, Fault::Html);
        let page = format!("<script>var CLeftTicketUrl = '{site}/leftTicket/queryZ';</script>");
        fake.fault("tickets", 1, no_session);
        fake.fault("init", 1, Fault::Body(page));
    });
    let answer = both.call(TICKETS, arguments(TICKETS));
    let lacking = "页面中没有这个变量，或其值不是已知形式";
    assert_eq!(answer.structured, changed(GATES, "CLeftTicketUrl", lacking));
    met.since(
        &both,
        &["tickets", "init"],
        "a page that names another host",
    );
}

#[test]
fn a_page_without_its_variable_is_named() {
    let both = forgetful();
    let mut met = Met::new();
    let lacking = "页面中没有这个变量，或其值不是已知形式";
    both.each(|fake| fake.show_ticket_variable(false));
    for tool in [TICKETS, TRANSFERS] {
        let answer = both.call(tool, arguments(tool));
        assert_eq!(answer.structured, changed(GATES, "CLeftTicketUrl", lacking));
        met.since(&both, &["init"], tool);
    }
    both.each(|fake| fake.show_ticket_variable(true));
    assert_eq!(both.call(TICKETS, arguments(TICKETS)).code(), None);
    met.since(&both, &["init", "tickets"], "the variable is back");

    both.each(|fake| fake.lc_page(LcPage::Never));
    let answer = both.call(TRANSFERS, arguments(TRANSFERS));
    assert_eq!(
        answer.structured,
        changed("/otn/lcQuery/init", "lc_search_url", lacking)
    );
    met.since(&both, &["lc_init", "init", "lc_init"], "never named");
    both.each(|fake| {
        fake.expire_sessions();
        fake.lc_page(LcPage::Warm);
    });
    assert_eq!(both.call(TRANSFERS, arguments(TRANSFERS)).code(), None);
    let warmed = ["lc_init", "init", "lc_init", "transfers"];
    met.since(&both, &warmed, "a cold page");
}
