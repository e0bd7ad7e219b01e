//! A change whose answer was lost.

use fixtures::{mcp::World, upstream::Fault};
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
