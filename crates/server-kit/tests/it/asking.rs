//! Pages that a person is asked to open, and pictures to look at, in both protocol eras.

use std::time::{Duration, Instant};

use fixtures::mcp::{Action, Answer, Both, Client, Era, Launch};
use serde_json::{Value, json};

use crate::{
    service::{Service, Way},
    toy::{Place, binary, both, launch, variables},
};

const PAGE: &str = "http://127.0.0.1:9/page";

/// The toy with a service and a person before the client.
fn asked(launch: Launch, action: Action, patience: &str) -> Both<Service> {
    let launch = launch.person(move |url| {
        assert_eq!(url, PAGE);
        action
    });
    Both::launch(&launch, |_| {
        let service = Service::start();
        let mut env = variables(&[("TOY_PATIENCE_MS", patience)]);
        env.push(service.variable());
        (service, env)
    })
}

fn need_challenge(id: &str) -> Value {
    json!({
        "ok": false,
        "code": "NEED_CHALLENGE",
        "message": "请用户打开页面，完成后再次调用",
        "retryable": false,
        "next": "完成后再次调用 open_page",
        "challenge_id": id,
        "page_url": PAGE,
    })
}

/// The one offer of `id` that a client got.
fn offer(era: Era, id: &str) -> Value {
    let id = match era {
        Era::Legacy => id,
        // The name of a request takes its place there.
        Era::Modern => "",
    };
    json!({ "mode": "url", "message": "请打开页面完成验证", "url": PAGE, "elicitationId": id })
}

#[track_caller]
fn offered_once(both: &Both<Service>) {
    for world in both.worlds() {
        let expected = [offer(world.client.era(), "page-1")];
        assert_eq!(world.client.offers(), expected);
    }
}

#[test]
fn a_page_is_offered_once_and_waited_for() {
    for launch in [Launch::new(binary()), Launch::new(binary()).http(None)] {
        let both = asked(launch, Action::Accept, "20000");
        let opened = both.call("open_page", json!({})).structured;
        assert_eq!(
            opened,
            json!({ "ok": true, "id": "page-1", "opened": true })
        );
        let again = both.call("open_page", json!({})).structured;
        assert_eq!(again, need_challenge("page-1"));
        offered_once(&both);
        // Another page is another offer.
        let other = both.call("open_page", json!({ "id": "page-2" })).structured;
        assert_eq!(other["opened"], json!(true));
        for world in both.worlds() {
            assert_eq!(world.fake.asked(), ["page", "page"]);
        }
    }
}

#[test]
fn a_page_that_is_not_opened_leads_to_the_tool() {
    for action in [Action::Decline, Action::Cancel] {
        let both = asked(Launch::new(binary()), action, "20000");
        let held = both
            .worlds()
            .each_ref()
            .map(|world| world.fake.hold("page"));
        let begin = Instant::now();
        for _ in 0..2 {
            let told = both.call("open_page", json!({}));
            assert_eq!(
                (told.structured, told.is_error),
                (need_challenge("page-1"), false)
            );
        }
        assert!(
            begin.elapsed() < Duration::from_secs(15),
            "a refusal is not waited out"
        );
        offered_once(&both);
        drop(held);
    }
}

#[test]
fn a_page_that_nobody_finishes_is_waited_for_in_patience() {
    let both = asked(Launch::new(binary()), Action::Accept, "200");
    let held = both
        .worlds()
        .each_ref()
        .map(|world| world.fake.hold("page"));
    let told = both.call("open_page", json!({})).structured;
    assert_eq!(told, need_challenge("page-1"));
    offered_once(&both);
    drop(held);
}

#[test]
fn a_client_that_never_shows_the_page_holds_nobody_up() {
    let place = Place::new();
    let service = Service::start();
    let mut env = variables(&[("TOY_PATIENCE_MS", "200")]);
    env.push(service.variable());
    let launch = launch(&place.path("state"))
        .env(env)
        .person(|_| Action::Ignore);

    let held = service.hold("page");
    let legacy = Client::start(&launch, Era::Legacy);
    for _ in 0..2 {
        let told = legacy.call("open_page", json!({})).structured;
        assert_eq!(told, need_challenge("page-1"));
    }
    assert_eq!(legacy.offers(), [offer(Era::Legacy, "page-1")]);
    let notices = legacy.notices();
    let [request, cancelled] = &notices[..] else {
        panic!("{notices:?}")
    };
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &request["id"])
    );
    drop(held);

    let modern = Client::start(&launch, Era::Modern);
    let call = json!({ "name": "open_page", "arguments": {} });
    let required = json!({
        "resultType": "input_required",
        "inputRequests": {
            "page": { "method": "elicitation/create", "params": offer(Era::Modern, "page-1") },
        },
        "requestState": "page-1",
    });
    let mut asked = modern.request("tools/call", call).unwrap();
    // Beside what is required stands who answers.
    asked.as_object_mut().unwrap().remove("_meta");
    assert_eq!(asked, required);
    let told = modern.call("open_page", json!({})).structured;
    assert_eq!(told, need_challenge("page-1"));
}

#[test]
fn an_offer_that_comes_back_without_an_answer_is_over() {
    let place = Place::new();
    let client = Client::start(
        &launch(&place.path("state")).person(|_| Action::Ignore),
        Era::Modern,
    );
    for (responses, answer) in [
        (json!({}), "NEED_CHALLENGE"),
        (
            json!({ "page": { "action": "nonsense" } }),
            "NEED_CHALLENGE",
        ),
        (json!({ "other": { "action": "accept" } }), "NEED_CHALLENGE"),
    ] {
        let call = json!({
            "name": "open_page", "arguments": {},
            "inputResponses": responses, "requestState": "page-1",
        });
        let result = client.request("tools/call", call).unwrap();
        assert_eq!(
            result["structuredContent"]["code"],
            json!(answer),
            "{responses}"
        );
    }
}

#[test]
fn a_client_that_shows_no_pages_gets_the_address() {
    let both = both(&[], &[]);
    let told = both.call("open_page", json!({})).structured;
    assert_eq!(told, need_challenge("page-1"));
    for world in both.worlds() {
        assert_eq!(world.client.notices(), [] as [Value; 0]);
    }
}

#[test]
fn a_caller_at_another_machine_is_offered_nothing() {
    let token = "canary-token-of-a-remote-caller";
    let service = Service::start();
    for era in Era::ALL {
        let place = Place::new();
        let mut launch = launch(&place.path("state"))
            .http(Some(token))
            .person(|_| Action::Accept)
            .env([service.variable()])
            .env(variables(&[
                ("TOY_HTTP_TOKEN", token),
                ("TOY_HTTP_HOSTS", "0.0.0.0"),
            ]));
        *launch.args.last_mut().unwrap() = "0.0.0.0:0".to_owned();
        let client = Client::start(&launch, era);
        let mut expected = need_challenge("page-1");
        expected.as_object_mut().unwrap().remove("page_url");
        let told = client.call("open_page", json!({})).structured;
        assert_eq!((told, client.offers()), (expected, vec![]));
    }
    service.next("page", Way::Normal);
    assert_eq!(service.asked(), [] as [&str; 0]);
}

#[test]
fn a_picture_takes_the_place_of_the_structure() {
    let both = both(&[], &[]);
    let text = r#"{"ok":true,"described":"一个点"}"#;
    let block = json!({ "type": "text", "text": text });
    let picture = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
    let answer = |content: &[Value]| Answer {
        structured: serde_json::from_str(text).unwrap(),
        text: text.to_owned(),
        is_error: false,
        content: content.to_vec(),
    };
    let drawn = both.call("draw", json!({}));
    assert_eq!(drawn, answer(&[block.clone(), picture]));
    let plain = both.call("draw", json!({ "picture": false }));
    assert_eq!(plain, answer(&[block]));
    for world in both.worlds() {
        let structure = |arguments: Value| {
            let call = json!({ "name": "draw", "arguments": arguments });
            let result = world.client.request("tools/call", call).unwrap();
            result.get("structuredContent").cloned()
        };
        assert_eq!(structure(json!({})), None);
        assert_eq!(
            structure(json!({ "picture": false })),
            serde_json::from_str(text).ok()
        );
    }
}
