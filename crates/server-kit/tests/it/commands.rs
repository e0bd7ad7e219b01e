//! The commands of a shell: what they print and how they end.

use std::{
    ffi::OsStr,
    os::{
        fd::OwnedFd,
        unix::{ffi::OsStrExt, net::UnixStream},
    },
    sync::mpsc,
    thread,
};

use fixtures::mcp::{Client, Era};
use serde_json::json;

use fixtures::shell::{Ended, TWO_SECONDS};

use crate::toy::{Place, binary, launch};

const ECHO: &str = "{\"ok\":true,\"texts\":[\"a\"],\"count\":1}\n";

fn ended(code: i32, out: &str, err: &str) -> Ended {
    Ended {
        code,
        out: out.to_owned(),
        err: err.to_owned(),
    }
}

#[test]
fn call_prints_the_result_and_tells_how_it_went() {
    let place = Place::new();
    let refusal = "{\"ok\":false,\"code\":\"RATE_LIMITED\",\"message\":\"问得太频繁\",\"retryable\":true,\"retry_after\":2,\"next\":\"2 秒后再次调用 ask\",\"data\":{\"said\":\"slow down\"}}\n";
    for (args, input, expected) in [
        (
            vec!["call", "echo", "{\"text\":\"a\"}"],
            "",
            ended(0, ECHO, ""),
        ),
        (
            vec!["call", "echo", "-"],
            "{\"text\":\n \"a\"}\n",
            ended(0, ECHO, ""),
        ),
        (vec!["call", "ask"], "", ended(1, refusal, "")),
    ] {
        assert_eq!(place.run_with(&args, &[], input), expected);
    }
}

#[test]
fn call_tells_of_a_slip_in_its_usage() {
    let place = Place::new();
    let wrong = |why: &str| {
        let line = format!(
            "ERROR server_kit::command::call: 参数不是 JSON 对象：{why}；例如 '{{\"text\":\"北京\"}}'\n"
        );
        ended(2, "", &line)
    };
    for (args, input, expected) in [
        (
            vec!["call", "echo", "{text:1}"],
            "",
            wrong("key must be a string at line 1 column 2"),
        ),
        (vec!["call", "echo", "[]"], "", wrong("不是对象")),
        (
            vec!["call", "echo", "-"],
            "",
            wrong("EOF while parsing a value at line 1 column 0"),
        ),
    ] {
        assert_eq!(place.run_with(&args, &[], input), expected);
    }
    let unknown = place.run(&["call", "nothing"]);
    let line =
        "ERROR server_kit::command::call: unknown tool \"nothing\"；可用工具见 `toy-mcp tools`\n";
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.ends_with(line), "{}", unknown.err);
    assert_eq!(place.run(&["nonsense"]).code, 2);
}

#[test]
fn tools_are_those_of_the_protocol() {
    let place = Place::new();
    let mut printed = place.run(&["tools", "--json"]).json();
    let listed = |era| {
        let client = Client::start(&launch(&place.path("state")), era);
        client.request("tools/list", json!({}))
    };
    assert_eq!(listed(Era::Modern), Ok(printed.clone()));
    // The older protocol has no types of results.
    let kind = printed.as_object_mut().unwrap().shift_remove("resultType");
    assert_eq!(kind, Some(json!("complete")));
    assert_eq!(listed(Era::Legacy), Ok(printed));
    let shown = place.run(&["tools", "--read-only"]);
    let expected = "\
ask  [只读] 提问
    问一个现在答不了的问题，演示失败结果。
break_it  [只读] 出错
    总是出错，演示内部错误的样子。
count_notes  [只读] 数笔记
    现有几条笔记。
draw  [只读] 画图
    画一个点给用户看。
echo  [只读] 重复文本
    把文本重复几遍。
list_numbers  [只读] 列出数字
    列出 1 到 total，分页返回：truncated 为 true 时用 next_cursor 续取。
open_page  [只改本机] 打开页面
    请用户打开一个页面，等其完成；客户端不能展示页面时给出 page_url。
sign_in  [只改本机] 登录
    登录前总要先回答一个问题；不改变任何数据。
wait  [只读] 等待
    等 TOY_WAIT_MS 毫秒后返回；可随时取消。
";
    assert_eq!(shown, ended(0, expected, ""));
}

#[test]
fn doctor_tells_what_it_found() {
    let place = Place::new();
    let env = [
        ("TOY_CLOCK", "2026-12-02T01:00:00Z"),
        ("TOY_SECRET_STORE", "file"),
        ("TOY_WAIT", "3"),
    ];
    let doctor = place.run_with(&["doctor", "--json"], &env, "");
    let version = format!("toy-mcp 0.1.0 ({})", env!("ERRANDS_COMMIT"));
    let home = place.path("").display().to_string();
    let (home, binary) = (home.trim_end_matches('/'), binary());
    let expected = json!([
        { "check": "版本", "health": "ok", "found": version },
        { "check": "程序", "health": "ok", "found": format!("{}（客户端配置中请用这个绝对路径）", binary.display()) },
        {
            "check": "时钟", "health": "warning", "found": "固定时钟，仅供测试",
            "next": "删去环境变量 *_CLOCK，当前固定在 2026-12-02T09:00:00+08:00",
        },
        { "check": "状态目录", "health": "ok", "found": format!("{home}/toy-mcp 尚未建立，首次调用工具时建立") },
        {
            "check": "密钥存放处", "health": "warning", "found": "仅本用户可读的文件 secrets.json，未加密（按您的选择）",
            "next": "若要改用系统钥匙串：logout --all 后以 --store keyring 重新登录",
        },
        { "check": "设置", "health": "ok", "found": "TOY_CLOCK=2026-12-02T01:00:00Z（固定时钟（RFC 3339），仅供测试）" },
        { "check": "设置", "health": "ok", "found": format!("ERRANDS_DATA_DIR={home}（状态目录的上级，各服务一个子目录）") },
        { "check": "设置", "health": "ok", "found": "TOY_SECRET_STORE=file（密钥存放处：keyring 系统钥匙串，file 仅本用户可读的文件；不设则按 login 时的选择）" },
        { "check": "设置", "health": "warning", "found": "不认识的环境变量 TOY_WAIT，已忽略", "next": "是否想写 TOY_WAIT_MS；否则删去" },
    ]);
    assert_eq!((doctor.code, doctor.json()), (0, expected));
    assert!(!place.path("toy-mcp").exists(), "looking changed something");

    let shown = place.run(&["doctor"]);
    let first = format!("[正常] 版本：{version}\n[正常] 程序：{}", binary.display());
    assert!(
        shown.code == 0 && shown.out.starts_with(&first),
        "{shown:?}"
    );
}

#[test]
fn an_unknown_variable_is_named_with_its_neighbour() {
    let place = Place::new();
    for (variable, near) in [("TOY_WAIT_SM", "；是否想写 TOY_WAIT_MS"), ("TOY_X", "")] {
        let args = ["call", "echo", "{\"text\":\"a\"}"];
        let line =
            format!(" WARN server_kit::command: 不认识的环境变量 {variable}，已忽略{near}\n");
        assert_eq!(
            place.run_with(&args, &[(variable, "1")], ""),
            ended(0, ECHO, &line)
        );
    }
}

#[test]
fn a_bad_setting_stops_the_start_and_is_named() {
    let place = Place::new();
    for (variable, value, why) in [
        ("TOY_WAIT_MS", "soon", "应为 0 至 600000 的整数"),
        ("TOY_READ_ONLY", "perhaps", "应为 1 或 0"),
        ("TOY_RESULT_KIB", "1", "应为 4 至 900 的整数"),
        (
            "TOY_TOOLS_DENY",
            "echo,store_notes",
            "没有这个工具；是否想写 store_note",
        ),
        ("TOY_TOOLS_DENY", "zzz", "没有这个工具"),
        ("TOY_SECRET_STORE", "nowhere", "可选 keyring、file"),
    ] {
        let value_shown = match variable {
            "TOY_TOOLS_DENY" => value.trim_start_matches("echo,"),
            "TOY_SECRET_STORE" => "***",
            _ => value,
        };
        let line = format!("ERROR server_kit::command: {variable}=\"{value_shown}\" 无效：{why}\n");
        for args in [&[][..], &["tools"], &["audit"], &["call", "ask"]] {
            assert_eq!(
                place.run_with(args, &[(variable, value)], ""),
                ended(3, "", &line)
            );
        }
    }
    let bad = [("TOY_WAIT_MS", "soon")];
    let doctor = place.run_with(&["doctor", "--json"], &bad, "");
    let findings = doctor.json();
    let expected = json!({
        "check": "设置",
        "health": "broken",
        "found": "TOY_WAIT_MS=\"soon\" 无效：应为 0 至 600000 的整数",
        "next": "改正或删去这个设置",
    });
    assert_eq!((doctor.code, doctor.err.as_str()), (1, ""));
    assert_eq!(findings.as_array().unwrap().last(), Some(&expected));
    // A host's entry needs no setting.
    assert_eq!(place.run_with(&["setup", "cursor"], &bad, "").code, 0);
    let clock = place.run_with(&["tools"], &[("TOY_CLOCK", "noon")], "");
    let begins = "ERROR server_kit::command: TOY_CLOCK=\"noon\" 无效：应为 RFC 3339 时刻，例如 ";
    assert!(
        clock.code == 3 && clock.err.starts_with(begins),
        "{clock:?}"
    );
}

#[test]
fn the_version_has_name_and_commit() {
    let expected = format!("toy-mcp 0.1.0 ({})\n", env!("ERRANDS_COMMIT"));
    assert_eq!(Place::new().run(&["--version"]), ended(0, &expected, ""));
}

#[test]
fn what_is_no_utf_8_is_refused() {
    let place = Place::new();
    let bad = OsStr::from_bytes(b"/tmp/\xff");
    let refused = |name: &str| {
        let why = "不是有效的 UTF-8 文本";
        ended(
            3,
            "",
            &format!("ERROR server_kit::command: {name}=\"/tmp/\u{fffd}\" 无效：{why}\n"),
        )
    };
    for name in [
        "TOY_WAIT_MS",
        "TOY_UNKNOWN",
        "ERRANDS_DATA_DIR",
        "NOTES_DIR",
        "MCP_HOST",
    ] {
        let output = place.command(&["tools"]).env(name, bad).output();
        assert_eq!(Ended::from(output.unwrap()), refused(name));
    }
    let mut command = place.command(&["tools", "--data-dir"]);
    assert_eq!(
        Ended::from(command.arg(bad).output().unwrap()),
        refused("--data-dir")
    );
    // Other programs' variables are none of ours.
    let output = place.command(&["tools"]).env("LANG", bad).output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}

#[test]
fn the_folder_is_the_flags_else_the_shared_else_the_servers_own() {
    let place = Place::new();
    let path = |name: &str| place.path(name).to_str().unwrap().to_owned();
    let (flag, shared, own) = (path("flag"), path("shared"), path("own"));
    for (args, env, used) in [
        (
            vec!["--data-dir", &flag],
            vec![("ERRANDS_DATA_DIR", &shared), ("NOTES_DIR", &own)],
            "flag",
        ),
        (
            vec![],
            vec![("ERRANDS_DATA_DIR", &shared), ("NOTES_DIR", &own)],
            "shared/toy-mcp",
        ),
        (vec![], vec![("NOTES_DIR", &own)], "own"),
        (vec![], vec![], ".local/share/errands/toy-mcp"),
    ] {
        let mut command = place.command(&[&args[..], &["call", "ask"]].concat());
        let ended = command
            .env_remove("ERRANDS_DATA_DIR")
            .envs(env)
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(1));
        let log = place.path(used).join("audit.db");
        assert!(log.exists(), "{log:?}");
        std::fs::remove_file(log).unwrap();
    }
}

#[test]
fn call_ends_while_its_input_stays_open() {
    let place = Place::new();
    let (_ours, theirs) = UnixStream::pair().unwrap();
    let mut command = place.command(&["call", "echo", "{\"text\":\"a\"}"]);
    let child = command.stdin(OwnedFd::from(theirs)).spawn().unwrap();
    let (done, output) = mpsc::channel();
    thread::spawn(move || done.send(child.wait_with_output().unwrap()));
    let output = output.recv_timeout(TWO_SECONDS).expect("an end in time");
    assert_eq!(Ended::from(output), ended(0, ECHO, ""));
}
