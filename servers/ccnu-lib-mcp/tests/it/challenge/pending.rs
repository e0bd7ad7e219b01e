//! One question per account: given again, in the way of everything else, and whose it is.

use fixtures::mcp::{Client, World};
use serde_json::{Value, json};

use crate::{
    told::{call, captcha, manual, open, send, signed_in, submit, told},
    world::{PASSWORD, READER, environment, launch, world, world_with},
};

fn account() -> Value {
    json!({ "username": READER, "password": PASSWORD })
}

#[test]
fn an_open_question_is_given_again() {
    let both = world();
    let first = call(&both, "start_login", account());
    let asked = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    let again = call(&both, "start_login", json!({}));
    assert_eq!(again.value, captcha(json!({})));
    assert_eq!((again.ids(), again.pages()), (first.ids(), first.pages()));
    assert_eq!(again.pictures, first.pictures);
    let since = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.journal().all().len());
    assert_eq!(since, asked, "nothing was asked");
}

#[test]
fn a_question_stands_before_every_use_and_is_not_spoilt() {
    let both = world();
    let question = call(&both, "start_login", account());
    let status = call(&both, "get_login_status", json!({}));
    assert_eq!(
        status.value,
        json!({
            "ok": true, "user_key": "default", "logged_in": false, "status": "logged_out",
            "needs_challenge": true, "challenge_id": "ID",
            "message": "未登录；本会话提出的登录验证（challenge_id）等待人工完成：用 submit_challenge 回答，或在登录页完成；题目可用 start_login 再取",
        })
    );
    assert_eq!(status.ids(), question.ids());
    // The page was not asked for again, so the answer still fits it.
    assert_eq!(submit(&both, &question, "7k3p").value, signed_in(true));
}

#[test]
fn an_account_that_comes_later_ends_the_question_for_one() {
    let both = world();
    let first = call(&both, "start_login", json!({}));
    assert_eq!(first.value, manual(json!({})));
    let second = call(&both, "start_login", account());
    assert_eq!(second.value, captcha(json!({})));
    for page in first.pages() {
        assert_eq!(open(&page).heading(), "已经回答过了");
    }
    assert_eq!(submit(&both, &second, "7k3p").value, signed_in(true));
}

#[test]
fn an_account_that_is_corrected_answers_the_open_question() {
    let both = world();
    let wrong = json!({ "username": READER, "password": "pw-wrong" });
    let first = call(&both, "start_login", wrong);
    let again = call(&both, "start_login", account());
    assert_eq!(again.ids(), first.ids());
    assert_eq!(submit(&both, &first, "7k3p").value, signed_in(true));
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 1);
    }
}

#[test]
fn ids_that_were_never_given_or_are_of_another_user_are_not_found() {
    let both = world();
    let question = call(&both, "start_login", account());
    let ids = question.ids();
    let not_found = json!({
        "ok": false, "code": "CHALLENGE_NOT_FOUND",
        "message": "没有这个 challenge_id（或它属于另一个 user_key）", "retryable": false,
        "next": "核对 challenge_id 与 user_key；否则重新 start_login", "data": { "challenge_id": "ID" },
    });
    let never = json!({ "challenge_id": "ch_000000000000", "answer": "7k3p" });
    assert_eq!(call(&both, "submit_challenge", never).value, not_found);
    let foreign =
        |era: usize| json!({ "challenge_id": ids[era], "answer": "7k3p", "user_key": "other" });
    let told = crate::told::call_each(&both, "submit_challenge", foreign);
    assert_eq!(told.value, not_found);
    for World { fake, .. } in both.worlds() {
        assert_eq!(fake.passwords_posted(), 0);
    }
}

#[test]
fn an_answer_is_taken_once() {
    let both = world();
    let question = call(&both, "start_login", account());
    assert_eq!(submit(&both, &question, "7k3p").value, signed_in(true));
    let again = submit(&both, &question, "7k3p");
    assert_eq!(
        again.value,
        json!({
            "ok": false, "code": "CHALLENGE_NOT_PENDING", "message": "这个验证已经回答过", "retryable": false,
            "next": "用 get_login_status 查看登录态；需要时重新 start_login", "data": { "challenge_id": "ID" },
        })
    );
}

#[test]
fn a_whole_login_is_for_the_page_only() {
    let both = world();
    let question = call(&both, "start_login", json!({}));
    assert_eq!(question.value, manual(json!({})));
    assert_eq!(
        question.pictures,
        [] as [Value; 0],
        "its picture is on the page"
    );
    let early = submit(&both, &question, "ok");
    assert_eq!(
        early.value,
        json!({
            "ok": false, "code": "STILL_NOT_LOGGED_IN", "message": "登录页尚未完成", "retryable": true,
            "next": "请用户打开 data.page_url 完成登录，然后再次调用",
            "data": { "challenge_id": "ID", "page_url": "PAGE" },
        })
    );
    assert_eq!(
        (early.ids(), early.pages()),
        (question.ids(), question.pages())
    );
    for page in question.pages() {
        assert_eq!(open(&page).fields(), ["username", "password", "answer"]);
        let typed = [
            ("username", READER),
            ("password", PASSWORD),
            ("answer", "7k3p"),
        ];
        assert_eq!(send(&page, &typed).1.heading(), "完成了");
    }
    assert_eq!(submit(&both, &question, "ok").value, signed_in(true));
    // Typed on the page, kept nowhere.
    let both_keep = |world: &World<_>| world.data.path().join("secrets.json");
    for world in both.worlds() {
        let kept = std::fs::read_to_string(both_keep(world)).unwrap();
        assert!(!kept.contains(PASSWORD) && !kept.contains(READER), "{kept}");
    }
}

#[test]
fn the_question_of_another_process_is_left_to_it() {
    let both = world();
    let question = call(&both, "start_login", account());
    let others = both.worlds().each_ref().map(|world| {
        let folder = world.data.path().to_str().unwrap();
        let launch = launch()
            .args(["--data-dir", folder])
            .env(environment(&world.fake));
        Client::start(&launch, world.client.era())
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
    for (world, other) in both.worlds().iter().zip(&others) {
        let asked = world.fake.journal().all().len();
        let started = told(other.call("start_login", json!({})));
        assert_eq!(
            started.value,
            pending(
                "有一个登录验证等待人工完成",
                "由提出它的那个会话回答；或等到 data.expires_at 之后再 start_login",
                json!({ "expires_at": "2026-06-25T11:04:00+08:00" }),
            )
        );
        let id = &started.ids()[0];
        let answered = told(other.call(
            "submit_challenge",
            json!({ "challenge_id": id, "answer": "7k3p" }),
        ));
        assert_eq!(
            answered.value,
            pending(
                "这个验证由另一个会话提出，只有那个会话能继续",
                "在提出它的会话中回答；或等它超时后再 start_login",
                json!({}),
            )
        );
        assert_eq!(world.fake.journal().all().len(), asked, "nothing was asked");
    }
    assert_eq!(submit(&both, &question, "7k3p").value, signed_in(true));
    for other in &others {
        let status = other.call("get_login_status", json!({})).structured;
        assert_eq!(status["status"], "logged_in", "the session is everybody's");
    }
}

#[test]
fn two_users_have_a_question_each() {
    let both = world_with(&[("DEFAULT_USER_KEY", "me")]);
    let mine = call(&both, "start_login", account());
    assert_eq!(mine.value["user_key"], "me");
    let mut other = account();
    other["user_key"] = json!("Other");
    let theirs = call(&both, "start_login", other);
    assert_eq!(theirs.value["user_key"], "Other");
    assert_ne!(mine.ids(), theirs.ids());
}
