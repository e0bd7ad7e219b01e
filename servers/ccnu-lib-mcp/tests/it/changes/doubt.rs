//! A change whose answer was lost.

use fixtures::{ccnu::HoldAt, mcp::World, upstream::Fault};
use serde_json::{Value, json};

use super::{ALL, CANCEL, END, LEAVE, RETURN, TOKEN, change, done, ready, route, sent};
use crate::{
    booking::doubt::later,
    reservations::{id, with},
};

const TWO_MINUTES_LATER: &str = "2026-06-25T11:02:00+08:00";

/// The answer to a change that was seen and not heard of.
fn seen(tool: &str) -> Value {
    let mut seen = done(tool);
    seen.as_object_mut().unwrap().remove("raw");
    let message = match tool {
        CANCEL => "预约已取消",
        LEAVE => "已暂离",
        RETURN => "已回座",
        _ => "已退座",
    };
    with(seen, json!({ "message": message }))
}

#[test]
fn one_that_took_effect_is_found_by_reading() {
    for tool in ALL {
        let both = ready(tool);
        both.each(|fake| fake.fault(route(tool), 1, Fault::LostAnswer));
        assert_eq!(change(&both, tool).structured, seen(tool));
        both.each(|fake| assert_eq!(sent(fake, tool), (1, 1)));
    }
}

#[test]
fn one_that_ends_it_is_settled_later() {
    for (tool, code) in [(CANCEL, "CANCEL_FAILED"), (END, "END_FAILED")] {
        let both = ready(tool);
        both.each(|fake| fake.fault(route(tool), 1, Fault::Html));
        assert_eq!(change(&both, tool).code(), Some("OUTCOME_UNKNOWN"));
        assert_eq!(change(&both, tool).code(), Some("OUTCOME_UNKNOWN"));
        for World { fake, data, .. } in both.worlds() {
            assert_eq!(sent(fake, tool), (1, 0));
            let later = later(fake, data.path(), TWO_MINUTES_LATER);
            let call = || later.call(tool, json!({ "client_token": TOKEN }));
            let settled = call();
            assert_eq!(settled.code(), Some(code), "{}", settled.text);
            assert!(
                settled.structured["message"]
                    .as_str()
                    .unwrap()
                    .starts_with("核实过：这次")
            );
            assert_eq!(settled.structured["retryable"], true);
            assert_eq!(call().structured["ok"], true);
            assert_eq!(sent(fake, tool), (2, 1));
        }
    }
}

#[test]
fn one_that_could_be_unmade_again_stays_unknown() {
    for tool in [LEAVE, RETURN] {
        let both = ready(tool);
        both.each(|fake| fake.fault(route(tool), 1, Fault::Html));
        assert_eq!(change(&both, tool).code(), Some("OUTCOME_UNKNOWN"));
        for World { fake, data, .. } in both.worlds() {
            let later = later(fake, data.path(), TWO_MINUTES_LATER);
            let call = || later.call(tool, json!({ "client_token": TOKEN }));
            assert_eq!(call().code(), Some("OUTCOME_UNKNOWN"));
            assert_eq!(sent(fake, tool), (1, 0));
            // Until it is seen.
            fake.show_status(
                &id(1),
                json!(if tool == LEAVE { "AWAY" } else { "CHECK_IN" }),
            );
            assert_eq!(call().structured["replayed"], true);
            assert_eq!(sent(fake, tool), (1, 0));
        }
    }
}

#[test]
fn one_that_is_said_to_be_done_counts_when_it_is_seen() {
    for (tool, word) in [
        (CANCEL, "RESERVE"),
        (LEAVE, "CHECK_IN"),
        (RETURN, "AWAY"),
        (END, "PAUSED"),
    ] {
        let both = ready(tool);
        let said = json!({ "status": true, "code": 200, "data": "好" });
        both.each(|fake| fake.fault(route(tool), 1, Fault::Body(said.to_string())));
        assert_eq!(
            change(&both, tool).code(),
            Some("OUTCOME_UNKNOWN"),
            "{tool} {word}"
        );
        both.each(|fake| assert_eq!(sent(fake, tool), (1, 0)));
    }
}

#[test]
fn one_that_its_status_proves_is_not_lost_with_what_only_adds_to_it() {
    let page = "<html><body>502</body></html>".to_owned();
    for fault in [
        Fault::Page(502, page),
        Fault::Html,
        Fault::CutBody,
        Fault::Status(500, Vec::new()),
    ] {
        let both = ready(LEAVE);
        both.each(|fake| {
            fake.fault("doorLog", 9, fault.clone());
            fake.fault("makeLife", 9, fault.clone());
        });
        let missing = json!({ "missing": ["stages", "door_log"] });
        assert_eq!(change(&both, LEAVE).structured, with(done(LEAVE), missing));
        both.each(|fake| assert_eq!(sent(fake, LEAVE), (1, 1)));
    }
    // Nor with the session, which ends for good right after.
    for World { client, fake, .. } in ready(LEAVE).worlds() {
        let hold = fake.hold("makeLife", HoldAt::Arrival);
        let call = client.begin_call(LEAVE, json!({ "client_token": TOKEN }));
        hold.wait_reached(1);
        fake.expire_tokens();
        fake.revoke_castgc();
        hold.release();
        let mut told = with(done(LEAVE), json!({ "missing": ["stages", "door_log"] }));
        for field in ["away_since", "away_deadline"] {
            told.as_object_mut().unwrap().remove(field);
        }
        assert_eq!(client.finish_call(&call).structured, told);
        assert_eq!(sent(fake, LEAVE), (1, 1));
    }
}
