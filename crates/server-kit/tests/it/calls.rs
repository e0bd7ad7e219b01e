//! What one call comes to, in both protocol eras.

use fixtures::mcp::{Answer, Client, Era, check};
use serde_json::{Value, json};

use fixtures::shell::{columns, end};

use crate::{
    toy::{Place, both, launch, rows},
    writes::note,
};

/// An answer as it is expected whole, given its text.
fn answer(text: &str, is_error: bool) -> Answer {
    Answer {
        structured: serde_json::from_str(text).unwrap(),
        text: text.to_owned(),
        is_error,
        content: vec![json!({ "type": "text", "text": text })],
    }
}

#[test]
fn results_are_dressed() {
    let both = both(&[], &[]);
    for (tool, arguments, text, is_error) in [
        (
            "echo",
            json!({ "text": "ab", "count": 2, "kinds": ["plain", "loud"] }),
            r#"{"ok":true,"texts":["abab","ABAB"],"count":2}"#,
            false,
        ),
        (
            "store_note",
            json!({ "content": "a", "password": "b", "client_token": "note-0001" }),
            r#"{"ok":true,"stored":1,"locked":true,"client_token":"note-0001","replayed":false}"#,
            false,
        ),
        (
            "ask",
            json!({}),
            r#"{"ok":false,"code":"RATE_LIMITED","message":"问得太频繁","retryable":true,"retry_after":2,"next":"2 秒后再次调用 ask","data":{"said":"slow down"}}"#,
            true,
        ),
    ] {
        assert_eq!(both.call(tool, arguments), answer(text, is_error));
    }
}

#[test]
fn null_is_absent_and_exact_text_counts() {
    let both = both(&[], &[]);
    for (arguments, texts, count) in [
        (json!({ "text": "a" }), json!(["a"]), 1),
        (
            json!({ "text": "a", "count": null, "kinds": null }),
            json!(["a"]),
            1,
        ),
        (json!({ "text": "a", "unknown": null }), json!(["a"]), 1),
        (json!({ "text": "a", "count": "3" }), json!(["aaa"]), 3),
        (json!({ "text": "a", "count": 3.0 }), json!(["aaa"]), 3),
        (
            json!({ "text": "a", "kinds": "[\"loud\"]" }),
            json!(["A"]),
            1,
        ),
        (json!({ "text": "5" }), json!(["5"]), 1),
    ] {
        let expected = json!({ "ok": true, "texts": texts, "count": count });
        assert_eq!(both.call("echo", arguments).structured, expected);
    }
}

#[test]
fn a_bad_argument_is_named_by_its_path() {
    let both = both(&[], &[]);
    for (tool, arguments, field, why) in [
        ("echo", json!({}), "text", "必填，例如 \"你好\""),
        (
            "echo",
            json!({ "text": null }),
            "text",
            "必填，例如 \"你好\"",
        ),
        (
            "echo",
            json!({ "text": 5 }),
            "text",
            "应为文本，收到 5，例如 \"你好\"",
        ),
        (
            "echo",
            json!({ "text": "" }),
            "text",
            "应为 1–200 个字符，收到 \"\"，例如 \"你好\"",
        ),
        (
            "echo",
            json!({ "text": "a", "cuont": 3 }),
            "cuont",
            "没有这个参数，是否想写 count；可用参数：text、count、kinds",
        ),
        (
            "echo",
            json!({ "text": "a", "count": 0 }),
            "count",
            "应为 1–9，收到 0",
        ),
        (
            "echo",
            json!({ "text": "a", "count": "10" }),
            "count",
            "应为 1–9，收到 10",
        ),
        (
            "echo",
            json!({ "text": "a", "count": "05" }),
            "count",
            "应为整数，收到 \"05\"",
        ),
        (
            "echo",
            json!({ "text": "a", "count": true }),
            "count",
            "应为整数，收到 true",
        ),
        (
            "echo",
            json!({ "text": "a", "kinds": "loud" }),
            "kinds",
            "应为列表，收到 \"loud\"，例如 [\"loud\"]",
        ),
        (
            "echo",
            json!({ "text": "a", "kinds": ["loud", "low"] }),
            "kinds[1]",
            "应为 plain、loud 之一，收到 \"low\"",
        ),
        (
            "wait",
            json!({ "minutes": 1 }),
            "minutes",
            "没有这个参数；这个工具不需要参数",
        ),
        // A slip in the name of what is needed.
        (
            "echo",
            json!({ "texts": "a" }),
            "texts",
            "没有这个参数，是否想写 text；可用参数：text、count、kinds",
        ),
        (
            "store_note",
            json!({ "content": "a", "password": 1234 }),
            "password",
            "应为文本，收到的值已隐去",
        ),
        // What only the type refuses is told in the same form.
        (
            "list_numbers",
            json!({ "total": 1, "max_results": 5_000_000_000_u64 }),
            "max_results",
            "invalid value: integer `5000000000`, expected u32",
        ),
    ] {
        let expected = json!({
            "ok": false,
            "code": "INVALID_ARGUMENT",
            "message": format!("参数 {field} 有误：{why}"),
            "retryable": false,
            "next": "改正该参数后重试",
            "data": { "field": field },
        });
        let refused = both.call(tool, arguments);
        assert_eq!((refused.structured, refused.is_error), (expected, true));
    }
}

#[test]
fn a_panic_is_answered_and_the_server_goes_on() {
    let both = both(&[], &[]);
    let text = r#"{"ok":false,"code":"INTERNAL","message":"工具内部出错，这是本程序的缺陷","retryable":false,"next":"换个参数重试；若仍出现，请附上 stderr 日志反馈"}"#;
    for arguments in [json!({}), json!({ "text": "canary-7f3a" })] {
        assert_eq!(both.call("break_it", arguments), answer(text, true));
    }
    let after = both.call("echo", json!({ "text": "a" }));
    assert_eq!(
        after.structured,
        json!({ "ok": true, "texts": ["a"], "count": 1 })
    );
}

#[test]
fn faults_of_the_protocol_are_protocol_errors() {
    let both = both(&[], &[]);
    for world in both.worlds() {
        for (method, params, code, message) in [
            (
                "tools/call",
                json!({ "name": "nothing", "arguments": {} }),
                -32602,
                "unknown tool \"nothing\"",
            ),
            (
                "tools/call",
                json!({}),
                -32602,
                "malformed parameters of tools/call",
            ),
            (
                "tools/call",
                json!({ "name": 5 }),
                -32602,
                "malformed parameters of tools/call",
            ),
            (
                "tools/call",
                json!({ "name": "echo", "arguments": ["a"] }),
                -32602,
                "malformed parameters of tools/call",
            ),
            ("toys/play", json!({}), -32601, "toys/play"),
        ] {
            let error = world.client.request(method, params).unwrap_err();
            assert_eq!(
                error,
                json!({ "code": code, "message": message }),
                "{method}"
            );
        }
        end(&world.client);
        let rows = rows(world.data.path());
        assert_eq!(
            columns(&rows, &["event", "phase", "tool", "status", "arguments"]),
            [
                json!(["tool_not_found", "event", "nothing", "refused", null])
                    .as_array()
                    .unwrap()
                    .clone()
            ]
        );
    }
}

#[test]
fn pages_lead_to_the_end() {
    let both = both(&[], &[("TOY_RESULT_KIB", "4")]);
    let numbers = |last: u16| (1..=last).map(Value::from).collect::<Vec<_>>();
    let follow = |arguments| both.follow("list_numbers", arguments, "numbers");
    assert_eq!(follow(json!({ "total": 7, "max_results": 3 })), numbers(7));
    assert_eq!(follow(json!({ "total": 0 })), numbers(0));
    // Here the size cuts, not the count.
    let all = json!({ "total": 1_500, "max_results": 1_500 });
    let first = both.call("list_numbers", all.clone());
    assert!(
        (2_048..=4_096).contains(&first.text.len()),
        "{}",
        first.text.len()
    );
    assert_eq!(follow(all), numbers(1_500));
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let both = both(&[], &[]);
    let first = both
        .call("list_numbers", json!({ "total": 7, "max_results": 3 }))
        .structured;
    assert_eq!(
        (&first["numbers"], &first["returned"], &first["truncated"]),
        (&json!([1, 2, 3]), &json!(3), &json!(true))
    );
    for (cursor, why) in [
        (
            first["next_cursor"].clone(),
            "列表已变化或条件不同，无法接着翻页；去掉 cursor 重新查询",
        ),
        (json!("3"), "不是本工具给出的 next_cursor；去掉它从头查起"),
    ] {
        let refused = both
            .call("list_numbers", json!({ "total": 8, "cursor": cursor }))
            .structured;
        assert_eq!(
            (&refused["code"], &refused["message"], &refused["data"]),
            (
                &json!("INVALID_ARGUMENT"),
                &json!(format!("参数 cursor 有误：{why}")),
                &json!({ "field": "cursor" })
            )
        );
    }
}

#[test]
fn read_only_takes_writes_off_the_list_and_refuses_them() {
    let listed = Place::new().run(&["tools", "--json"]).json();
    let write = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|tool| tool["name"] == "store_note");
    let arguments = json!({ "content": "a" });
    for (args, env) in [
        (vec!["--read-only"], None),
        (vec![], Some(("TOY_READ_ONLY", "1"))),
    ] {
        let both = both(&args, env.as_slice());
        let names: Vec<_> = both.tools().iter().map(|tool| &tool["name"]).collect();
        assert_eq!(
            names,
            [
                "ask",
                "break_it",
                "count_notes",
                "draw",
                "echo",
                "list_numbers",
                "open_page",
                "sign_in",
                "wait"
            ]
        );
        for world in both.worlds() {
            let call = json!({ "name": "store_note", "arguments": arguments });
            let result = world.client.request("tools/call", call).unwrap();
            let text = r#"{"ok":false,"code":"READ_ONLY","message":"本服务以只读方式启动，store_note 不可用","retryable":false,"next":"若确需写入，请去掉 --read-only 后重新启动服务"}"#;
            assert_eq!(
                check(write.unwrap(), &arguments, &result),
                Ok(answer(text, true))
            );
            end(&world.client);
            let rows = rows(world.data.path());
            assert_eq!(
                columns(&rows, &["event", "phase", "tool", "status", "code"]),
                [["call", "event", "store_note", "refused", "READ_ONLY"].map(Value::from)]
            );
        }
    }
}

#[test]
fn a_denied_tool_is_off_the_list_and_refused() {
    let listed = Place::new().run(&["tools", "--json"]).json();
    let tools = listed["tools"].as_array().unwrap();
    let both = both(&[], &[("TOY_TOOLS_DENY", " echo,store_note ,")]);
    let names: Vec<_> = both.tools().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names.len(), tools.len() - 2);
    assert!(
        names
            .iter()
            .all(|name| *name != "echo" && *name != "store_note")
    );
    for world in both.worlds() {
        for (denied, arguments) in [("echo", json!({ "text": "a" })), ("store_note", json!({}))] {
            let call = json!({ "name": denied, "arguments": arguments });
            let result = world.client.request("tools/call", call).unwrap();
            let tool = tools.iter().find(|tool| tool["name"] == denied);
            let text = format!(
                r#"{{"ok":false,"code":"READ_ONLY","message":"设置 TOY_TOOLS_DENY 停用了 {denied}","retryable":false,"next":"若确需使用，请从该设置中去掉它后重新启动服务"}}"#
            );
            assert_eq!(
                check(tool.unwrap(), &arguments, &result),
                Ok(answer(&text, true))
            );
        }
        end(&world.client);
        let rows = rows(world.data.path());
        assert_eq!(
            columns(&rows, &["event", "phase", "tool", "status", "code"]),
            ["echo", "store_note"]
                .map(|tool| ["call", "event", tool, "refused", "READ_ONLY"].map(Value::from))
        );
    }
}

#[test]
fn without_a_state_folder_calls_are_answered() {
    let place = Place::new();
    std::fs::write(place.path("file"), "").unwrap();
    let below = place.path("file").join("toy-mcp");
    for era in Era::ALL {
        let client = Client::start(&launch(&below), era);
        assert_eq!(client.tools().len(), 10);
        assert_eq!(client.stderr(), "");
        let answer = client.call("echo", json!({ "text": "a" }));
        assert_eq!(answer.structured["texts"], json!(["a"]));
        end(&client);
        let said = client.stderr();
        let expected = format!(
            "ERROR server_kit::recorder: calls are answered but not audited error=cannot use {}",
            below.display()
        );
        assert!(
            said.starts_with(&expected) && said.lines().count() == 1,
            "{said}"
        );
    }
    let doctor = place.run(&["doctor", "--data-dir", below.to_str().unwrap()]);
    let file = place.path("file");
    let finding = format!("[有误] 状态目录：{} 不是目录\n", file.display());
    assert!(
        doctor.code == 1 && doctor.out.contains(&finding),
        "{doctor:?}"
    );
}

#[test]
fn a_read_ends_at_its_time_limit_and_a_write_does_not() {
    let both = both(
        &[],
        &[("TOY_CALL_LIMIT_MS", "100"), ("TOY_STORING_MS", "400")],
    );
    let text = r#"{"ok":false,"code":"TIMEOUT","message":"查询超过了总时限 0.1 秒","retryable":true,"next":"稍后重试，或缩小查询范围"}"#;
    assert_eq!(both.call("wait", json!({})), answer(text, true));
    let stored = both.call("store_note", note("note-0001"));
    assert_eq!(stored.structured["stored"], json!(1));
    for world in both.worlds() {
        end(&world.client);
        assert_eq!(
            columns(&rows(world.data.path()), &["tool", "status", "code"])[1],
            ["wait", "failed", "TIMEOUT"].map(Value::from)
        );
    }
}
