//! One question: given again, and whose it is.

use fixtures::{
    mcp::{Client, World},
    weread::Phone,
};
use serde_json::{Value, json};

use crate::{
    told::{self, call, call_each, signed_in, submit, told},
    world::{beside, world},
};

#[test]
fn an_open_question_is_given_again() {
    let both = world();
    let first = call(&both, "start_login", json!({}));
    let again = call(&both, "start_login", json!({}));
    assert_eq!(again.value, told::scan(&json!({})));
    assert_eq!((again.ids(), again.pages()), (first.ids(), first.pages()));
    assert_eq!(again.pictures, first.pictures);
    both.each(|fake| assert_eq!(fake.journal().of("login_uid").len(), 1));
}

#[test]
fn an_answer_is_taken_once() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    both.each(|fake| fake.phone(Phone::AskOtp("4321".to_owned())));
    let digits = submit(&both, &question, "ok");
    assert_eq!(submit(&both, &digits, "4321").value, signed_in(true));
    // How it ended is told to whoever asks again, and nothing is sent.
    for old in [&question, &digits] {
        assert_eq!(submit(&both, old, "4321").value, signed_in(true));
    }
    both.each(|fake| assert_eq!(fake.journal().of("login_info").len(), 2));
}

#[test]
fn ids_that_were_never_given_are_not_found() {
    let both = world();
    call(&both, "start_login", json!({}));
    let never = |_| json!({ "challenge_id": "ch_000000000000", "answer": "ok" });
    let told = call_each(&both, "submit_challenge", never);
    assert_eq!(
        told.value,
        json!({
            "ok": false, "code": "CHALLENGE_NOT_FOUND", "message": "没有这个 challenge_id", "retryable": false,
            "next": "核对 challenge_id；否则重新 start_login", "data": { "challenge_id": "ID" },
        })
    );
}

#[test]
fn the_question_of_another_process_is_left_to_it() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    let others = both.worlds().each_ref().map(|world| {
        Client::start(
            &beside(&world.fake, world.data.path(), &[]),
            world.client.era(),
        )
    });
    let pending = |message: &str, next: &str, more: Value| {
        let mut data = json!({ "challenge_id": "ID", "here": false });
        data.as_object_mut()
            .unwrap()
            .extend(more.as_object().cloned().unwrap());
        json!({
            "ok": false, "code": "CHALLENGE_PENDING", "message": message, "retryable": false,
            "next": next, "data": data,
        })
    };
    for (World { fake, .. }, other) in both.worlds().iter().zip(&others) {
        let started = told(other.call("start_login", json!({})));
        assert_eq!(
            started.value,
            pending(
                "有一个登录验证等待人工完成",
                "由提出它的那个会话回答；或等到 data.expires_at 之后再 start_login",
                json!({ "expires_at": "2026-11-20T12:05:00+08:00" }),
            )
        );
        let answer = json!({ "challenge_id": started.ids()[0], "answer": "ok" });
        let answered = told(other.call("submit_challenge", answer));
        assert_eq!(
            answered.value,
            pending(
                "这个验证由另一个会话提出，只有那个会话能继续",
                "在提出它的会话中回答；或等它超时后再 start_login",
                json!({}),
            )
        );
        assert_eq!(fake.journal().of("login_uid").len(), 1);
    }
    both.each(|fake| fake.phone(Phone::Confirm));
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
    for other in &others {
        let status = other.call("get_login_status", json!({})).structured;
        assert_eq!(status["active"], "scan", "the session is everybody's");
    }
}
