//! The server where the agent is not: over HTTP with a token, and the seed's loops from end to end.

use data_encoding::BASE64;
use fixtures::{
    ccnu::Ccnu,
    mcp::{Both, Client, Era, Launch},
    shell::{end, ended_well},
};
use serde_json::{Value, json};

use crate::{
    told::{call, signed_in, told},
    world::{NOW, PASSWORD, READER, environment, launch},
};

const TOKEN: &str = "a-token-of-the-campus-machine";

fn account() -> Value {
    json!({ "username": READER, "password": PASSWORD })
}

/// A server for programs on that state.
fn server(launch: Launch, fake: &Ccnu, data: &tempfile::TempDir) -> Launch {
    let folder = data.path().to_str().unwrap();
    let more = [
        ("CCNU_CHALLENGE_IMAGE", "inline"),
        ("CCNU_HTTP_TOKEN", TOKEN),
    ];
    let more = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
    launch
        .args(["--data-dir", folder])
        .env(environment(fake))
        .env(more)
}

/// One step; what it answers has to be a success.
#[track_caller]
fn done(client: &Client, tool: &str, arguments: Value) -> Value {
    let answer = client.call(tool, arguments.clone()).structured;
    assert_eq!(answer["ok"], true, "{tool} {arguments}: {answer}");
    answer
}

/// Signs in as a program does that shows the picture to its user: wrong at first, then right.
fn sign_in(client: &Client) {
    for (answer, code) in [("0000", Some("LOGIN_FAILED")), ("7k3p", None)] {
        let question = client.call("start_login", account()).structured;
        assert_eq!(question["code"], "NEED_CHALLENGE");
        let picture = question["image_base64"].as_str().unwrap();
        let picture = picture.strip_prefix("data:image/jpeg;base64,").unwrap();
        let picture = BASE64.decode(picture.as_bytes()).unwrap();
        assert!(picture.starts_with(&[0xff, 0xd8]) && picture.ends_with(&[0xff, 0xd9]));
        let arguments = json!({ "challenge_id": question["challenge_id"], "answer": answer });
        assert_eq!(client.call("submit_challenge", arguments).code(), code);
    }
}

/// From the distribution to a reservation of N1167.
fn reserve(client: &Client, start_time: &str, end_time: &str) -> Value {
    let span = json!({ "date": "2026-06-25", "start_time": start_time, "end_time": end_time });
    let with = |more: Value| {
        let mut arguments = span.clone();
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().cloned().unwrap());
        arguments
    };
    let found = done(
        client,
        "get_availability_distribution",
        with(json!({ "area_filter": "中庭" })),
    );
    let location = found["locations"][0]["location_id"].clone();
    assert_eq!(location, Ccnu::ATRIUM);
    let narrow = json!({ "location_id": location, "area_filter": "N1167" });
    let seats = done(client, "list_available_seats", with(narrow));
    assert_eq!(seats["seats"][0]["seat_no"], "N1167");
    let seat = json!({ "seat_id": seats["seats"][0]["seat_id"], "location_id": location });
    let record = done(client, "reserve_seat", with(seat));
    assert_eq!(record["seat_no"], "N1167");
    let current = done(client, "get_current_reservation", json!({}));
    assert_eq!(current["reservation_id"], record["reservation_id"]);
    current
}

fn none_is_left(client: &Client) {
    let current = done(client, "get_current_reservation", json!({}));
    assert_eq!(current["status"], "none");
}

#[test]
fn both_loops_of_the_seed_run_with_a_restart_in_between() {
    for (way, over_http) in [(launch(), false), (launch().http(Some(TOKEN)), true)] {
        for era in Era::ALL {
            let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
            let launch = server(way.clone(), &fake, &data);
            let stop = |client: &Client| match over_http {
                true => {
                    client.terminate();
                    ended_well(client);
                }
                false => end(client),
            };
            let first = Client::start(&launch, era);
            sign_in(&first);
            stop(&first);
            let second = Client::start(&launch, era);
            let status = done(&second, "get_login_status", json!({}));
            assert_eq!(status["status"], "logged_in");
            let booked = reserve(&second, "14:00", "16:00");
            assert_eq!(booked["status"], "reserved");
            let cancelled = done(&second, "cancel_reservation", json!({}));
            assert_eq!(cancelled["status"], "cancelled");
            none_is_left(&second);
            let booked = reserve(&second, "11:30", "13:00");
            assert_eq!(booked["status"], "waiting_sign_in");
            stop(&second);
            fake.gate(READER, true);
            let third = Client::start(&launch, era);
            let current = done(&third, "get_current_reservation", json!({}));
            assert_eq!(current["status"], "in_use");
            let ended = done(&third, "end_reservation_early", json!({}));
            assert_eq!(ended["status"], "ended");
            none_is_left(&third);
            assert_eq!(fake.passwords_posted(), 2);
            assert_eq!(
                [
                    fake.count("freeBook"),
                    fake.count("cancel"),
                    fake.count("stop")
                ],
                [2, 1, 1]
            );
        }
    }
}

/// Servers for callers at other machines.
fn far() -> Both<Ccnu> {
    let mut launch = launch().http(Some(TOKEN));
    *launch.args.last_mut().unwrap() = "0.0.0.0:0".to_owned();
    let more = [("CCNU_HTTP_TOKEN", TOKEN), ("CCNU_HTTP_HOSTS", "0.0.0.0")];
    let more = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Both::launch(&launch.env(more), |_| {
        let fake = Ccnu::start(NOW);
        let env = environment(&fake);
        (fake, env)
    })
}

#[test]
fn callers_at_other_machines_get_no_page() {
    let both = far();
    let told_none = call(&both, "start_login", json!({})).value;
    assert_eq!(
        told_none,
        json!({
            "ok": false, "code": "NO_ACCOUNT", "message": "没有保存账号，也无法提供登录页", "retryable": false,
            "next": "在运行本服务的机器上执行 ccnu-lib-mcp login，或用 save_account",
        })
    );
    let question = call(&both, "start_login", account());
    assert_eq!(
        question.value,
        json!({
            "ok": false, "code": "NEED_CHALLENGE", "message": "登录需要人工完成一步验证", "retryable": false,
            "next": "把图片给用户看，收到输入后调用 submit_challenge", "user_key": "default",
            "challenge_id": "ID", "challenge_type": "captcha", "prompt": "请输入图形验证码",
            "expires_at": "2026-06-25T11:04:00+08:00",
        })
    );
    let done = crate::told::submit(&both, &question, "7k3p").value;
    assert_eq!(done, signed_in(true));
}

#[test]
fn clients_of_one_server_share_the_session_and_the_question() {
    for era in Era::ALL {
        let (fake, data) = (Ccnu::start(NOW), tempfile::tempdir().unwrap());
        let first = Client::start(&server(launch().http(Some(TOKEN)), &fake, &data), era);
        let second = first.join(era);
        let asked = told(first.call("start_login", account()));
        let again = told(second.call("start_login", json!({})));
        assert_eq!(again.ids(), asked.ids());
        let answer = json!({ "challenge_id": again.ids()[0], "answer": "7k3p" });
        assert_eq!(
            told(second.call("submit_challenge", answer)).value,
            signed_in(true)
        );
        let status = first.call("get_login_status", json!({})).structured;
        assert_eq!(status["status"], "logged_in");
    }
}
