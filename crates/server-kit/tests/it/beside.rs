//! Prompts and resources: what is listed, read and refused, in both protocol eras.

use fixtures::{
    mcp::{Client, Era, Outcome},
    shell::{columns, end},
};
use serde_json::{Value, json};

use crate::toy::{both, rows};

/// An outcome without what only the newer era says: that it is complete, and how long it stays so.
fn plain(outcome: Outcome, era: Era, ttl_ms: u64) -> Outcome {
    outcome.map(|mut result| {
        let fields = result.as_object_mut().unwrap();
        let kind = fields.remove("resultType");
        assert_eq!(kind.is_some(), era == Era::Modern, "{fields:?}");
        let lasts = [fields.remove("ttlMs"), fields.remove("cacheScope")];
        if lasts.iter().any(Option::is_some) {
            assert_eq!(lasts, [Some(json!(ttl_ms)), Some(json!("private"))]);
        }
        result
    })
}

fn read(client: &Client, address: &str) -> Outcome {
    let outcome = client.request("resources/read", json!({ "uri": address }));
    plain(outcome, client.era(), 0)
}

fn text(address: &str, media_type: &str, text: &str) -> Outcome {
    Ok(json!({ "contents": [{ "uri": address, "mimeType": media_type, "text": text }] }))
}

/// The protocol's error for a failure of ours.
fn error(number: i64, message: &str, data: Value) -> Outcome {
    Err(json!({ "code": number, "message": message, "data": data }))
}

/// The error for a panic.
fn internal() -> Outcome {
    let (why, next) = (
        "工具内部出错，这是本程序的缺陷",
        "换个参数重试；若仍出现，请附上 stderr 日志反馈",
    );
    let data = json!({ "code": "INTERNAL", "message": why, "retryable": false, "next": next });
    error(-32603, &format!("INTERNAL：{why}。{next}"), data)
}

/// -32002 of the older era is -32602 in the newer one.
fn not_found(era: Era) -> i64 {
    match era {
        Era::Legacy => -32002,
        Era::Modern => -32602,
    }
}

#[test]
fn what_there_is_is_declared_and_listed() {
    for world in both(&[], &[]).worlds() {
        let era = world.client.era();
        assert_eq!(
            world.client.greeting()["capabilities"],
            json!({ "prompts": {}, "resources": {}, "tools": {} })
        );
        let last = json!({ "name": "last", "description": "数到几，例如 100", "required": true });
        let manner = json!({
            "name": "manner",
            "description": "怎么数，例如 慢慢地；broken 演示出错",
            "required": false,
        });
        for (method, expected) in [
            (
                "prompts/list",
                json!({ "prompts": [
                    {
                        "name": "count_up",
                        "title": "数数",
                        "description": "请助手用 list_numbers 数到某个数。",
                        "arguments": [last, manner],
                    },
                    { "name": "greet", "title": "问候", "description": "请助手问候一句。" },
                ] }),
            ),
            (
                "resources/list",
                json!({ "resources": [{
                    "uri": "toy://about",
                    "name": "about",
                    "title": "关于",
                    "description": "这个示例是什么。",
                    "mimeType": "text/markdown",
                }] }),
            ),
            (
                "resources/templates/list",
                json!({ "resourceTemplates": [
                    {
                        "uriTemplate": "toy://numbers/{last}",
                        "name": "numbers",
                        "title": "数字",
                        "description": "1 到 last，一行一个；同 list_numbers。",
                        "mimeType": "text/plain",
                    },
                    {
                        "uriTemplate": "toy://trouble/{kind}",
                        "name": "trouble",
                        "title": "麻烦",
                        "description": "wait 等待，break 出错，busy 现在答不了。",
                        "mimeType": "text/plain",
                    },
                ] }),
            ),
        ] {
            let listed = plain(world.client.request(method, json!({})), era, 3_600_000);
            assert_eq!(listed, Ok(expected), "{method}");
        }
    }
}

#[test]
fn a_prompt_is_filled_in() {
    let refused = |field: &str, why: &str| {
        let message = format!("参数 {field} 有误：{why}");
        let data = json!({
            "code": "INVALID_ARGUMENT",
            "message": message,
            "retryable": false,
            "next": "改正该参数后重试",
            "data": { "field": field },
        });
        let message = format!("INVALID_ARGUMENT：{message}。改正该参数后重试");
        error(-32602, &message, data)
    };
    let said = |description: &str, text: &str| {
        let content = json!({ "type": "text", "text": text });
        let message = json!({ "role": "user", "content": content });
        Ok(json!({ "description": description, "messages": [message] }))
    };
    let counted = |text| said("请助手用 list_numbers 数到某个数。", text);
    let long = "长".repeat(501);
    for world in both(&[], &[]).worlds() {
        for (name, arguments, expected) in [
            ("greet", json!(null), said("请助手问候一句。", "你好")),
            (
                "count_up",
                json!({ "last": "9", "manner": "慢慢地" }),
                counted("请慢慢地用 list_numbers 数到 9。"),
            ),
            (
                "count_up",
                json!({ "last": "9", "manner": " " }),
                counted("请用 list_numbers 数到 9。"),
            ),
            ("count_up", json!({ "last": "" }), refused("last", "必填")),
            ("count_up", json!(null), refused("last", "必填")),
            (
                "count_up",
                json!({ "last": 9 }),
                refused("last", "应为文本，收到 9"),
            ),
            (
                "count_up",
                json!({ "last": "9", "maner": "慢慢地" }),
                refused(
                    "maner",
                    "没有这个参数，是否想写 manner；可用参数：last、manner",
                ),
            ),
            (
                "count_up",
                json!({ "last": long }),
                refused(
                    "last",
                    &format!("应不多于 500 个字符，收到 \"{}…", "长".repeat(59)),
                ),
            ),
            (
                "count_upp",
                json!({}),
                refused("name", "没有这个提示，是否想用 count_up"),
            ),
            ("x", json!({}), refused("name", "没有这个提示")),
            (
                "count_up",
                json!({ "last": "9", "manner": "broken" }),
                internal(),
            ),
        ] {
            let mut params = json!({ "name": name });
            if !arguments.is_null() {
                params["arguments"] = arguments.clone();
            }
            let outcome = world.client.request("prompts/get", params);
            let outcome = plain(outcome, world.client.era(), 0);
            assert_eq!(outcome, expected, "{name} {arguments}");
        }
    }
}

#[test]
fn a_resource_is_read_by_its_address() {
    for world in both(&[], &[("TOY_WAIT_MS", "10")]).worlds() {
        for (address, media_type, expected) in [
            ("toy://about", "text/markdown", "# 示例\n"),
            ("toy://numbers/3", "text/plain", "1\n2\n3\n"),
            ("toy://numbers/%33", "text/plain", "1\n2\n3\n"),
            ("toy://numbers/0", "text/plain", ""),
            ("toy://trouble/wait", "text/plain", "resources/read 等到了"),
        ] {
            let outcome = read(&world.client, address);
            assert_eq!(outcome, text(address, media_type, expected));
        }
    }
}

#[test]
fn a_resource_longer_than_a_result_ends_with_a_line() {
    for world in both(&[], &[("TOY_RESULT_KIB", "4")]).worlds() {
        let address = "toy://numbers/2000";
        let outcome = read(&world.client, address);
        let cut = outcome.as_ref().unwrap()["contents"][0]["text"].as_str();
        let (kept, _) = cut.unwrap().split_once("\n\n").unwrap();
        let last: u16 = kept.lines().last().unwrap().parse().unwrap();
        let kept: String = (1..=last).map(|number| format!("{number}\n")).collect();
        let note = format!(
            "（内容过长，已截断：共 8893 字，以上为前 {} 字。用 list_numbers 分页取全部。）",
            kept.len()
        );
        let whole = format!("{kept}\n{note}");
        assert!((4_085..=4_096).contains(&whole.len()), "{}", whole.len());
        assert_eq!(outcome, text(address, "text/plain", &whole));
    }
}

#[test]
fn what_cannot_be_read_is_a_protocol_error_with_our_code() {
    for world in both(&[], &[("TOY_CALL_LIMIT_MS", "100")]).worlds() {
        let number = not_found(world.client.era());
        let unknown = |address: &str| {
            let next = "资源的地址见 resources/list 与 resources/templates/list";
            let data = json!({
                "code": "NOT_FOUND",
                "message": "没有这个资源",
                "retryable": false,
                "next": next,
                "data": { "uri": address },
            });
            error(number, &format!("NOT_FOUND：没有这个资源。{next}"), data)
        };
        let missing = |why: &str| {
            let data = json!({ "code": "NOT_FOUND", "message": why, "retryable": false });
            error(number, &format!("NOT_FOUND：{why}。"), data)
        };
        for (address, expected) in [
            ("toy://nothing", unknown("toy://nothing")),
            ("toy://numbers/", unknown("toy://numbers/")),
            ("toy://numbers/1/2", unknown("toy://numbers/1/2")),
            ("toy://numbers/x", missing("last 应为 0–65535 的整数")),
            ("toy://trouble/x", missing("没有这种麻烦")),
            (
                "toy://trouble/busy",
                error(
                    -32603,
                    "RATE_LIMITED：问得太频繁。2 秒后再读",
                    json!({
                        "code": "RATE_LIMITED",
                        "message": "问得太频繁",
                        "retryable": true,
                        "retry_after": 2,
                        "next": "2 秒后再读",
                    }),
                ),
            ),
            ("toy://trouble/break", internal()),
            (
                "toy://trouble/wait",
                error(
                    -32603,
                    "TIMEOUT：查询超过了总时限 0.1 秒。稍后重试，或缩小查询范围",
                    json!({
                        "code": "TIMEOUT",
                        "message": "查询超过了总时限 0.1 秒",
                        "retryable": true,
                        "next": "稍后重试，或缩小查询范围",
                    }),
                ),
            ),
        ] {
            assert_eq!(read(&world.client, address), expected, "{address}");
        }
        for (method, params) in [
            ("resources/read", json!({})),
            ("resources/read", json!({ "uri": 5 })),
            ("prompts/get", json!({ "name": ["greet"] })),
        ] {
            let message = format!("malformed parameters of {method}");
            let expected = Err(json!({ "code": -32602, "message": message }));
            assert_eq!(world.client.request(method, params), expected);
        }
    }
}

#[test]
fn reading_leaves_rows_as_a_call_does() {
    for world in both(&[], &[]).worlds() {
        let client = &world.client;
        let ask = |method, params| drop(client.request(method, params));
        ask(
            "prompts/get",
            json!({ "name": "count_up", "arguments": { "last": "9" } }),
        );
        let undeclared = json!({ "last": "9", "canary": "7f3a" });
        ask(
            "prompts/get",
            json!({ "name": "count_up", "arguments": undeclared }),
        );
        ask("prompts/get", json!({ "name": "canary-7f3a" }));
        ask("resources/read", json!({ "uri": "toy://numbers/3" }));
        ask("resources/read", json!({ "uri": "toy://trouble/busy" }));
        ask("resources/read", json!({ "uri": "toy://canary-7f3a" }));
        let waiting = client.begin("resources/read", json!({ "uri": "toy://trouble/wait" }));
        client.cancel(&waiting);
        // What comes after it shows that the server goes on.
        client
            .request("prompts/get", json!({ "name": "greet" }))
            .unwrap();
        end(client);
        assert_eq!(client.outcome(&waiting), None);
        let mut found = columns(
            &rows(world.data.path()),
            &["event", "phase", "tool", "status", "code", "arguments"],
        );
        let (prompt, resource) = ("prompts/get", "resources/read");
        let row = |event: &str, phase: &str, tool: &str, ended: [Value; 2], told: Option<&str>| {
            let [status, code] = ended;
            vec![
                json!(event),
                json!(phase),
                json!(tool),
                status,
                code,
                json!(told),
            ]
        };
        let begun = || [Value::Null, Value::Null];
        let ok = || [json!("ok"), Value::Null];
        let refused = |code: &str| [json!("refused"), json!(code)];
        let nine = r#"{"name":"count_up","arguments":{"last":"9"}}"#;
        let odd = r#"{"name":"count_up","arguments":{"last":"9","canary":"[undeclared]"}}"#;
        let greet = r#"{"name":"greet","arguments":{}}"#;
        let three = r#"{"uri":"toy://numbers/3"}"#;
        let busy = r#"{"uri":"toy://trouble/busy"}"#;
        let wait = r#"{"uri":"toy://trouble/wait"}"#;
        let bad = || refused("INVALID_ARGUMENT");
        let mut expected = vec![
            row("call", "start", prompt, begun(), Some(nine)),
            row("call", "finish", prompt, ok(), None),
            row("param_error", "event", prompt, bad(), Some(odd)),
            row("param_error", "event", prompt, bad(), Some("{}")),
            row("call", "start", resource, begun(), Some(three)),
            row("call", "finish", resource, ok(), None),
            row("call", "start", resource, begun(), Some(busy)),
            row("call", "finish", resource, refused("RATE_LIMITED"), None),
            row("call", "event", resource, refused("NOT_FOUND"), Some("{}")),
            row("call", "start", resource, begun(), Some(wait)),
            row(
                "call",
                "finish",
                resource,
                [json!("cancelled"), json!("CANCELLED")],
                None,
            ),
            row("call", "start", prompt, begun(), Some(greet)),
            row("call", "finish", prompt, ok(), None),
        ];
        // The last two calls ran side by side.
        let by_text = |row: &Vec<Value>| format!("{row:?}");
        found[9..].sort_by_key(by_text);
        expected[9..].sort_by_key(by_text);
        assert_eq!(found, expected);
    }
}
