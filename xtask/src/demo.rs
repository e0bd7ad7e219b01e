//! `demo`: a short MCP session with each real server against its fake upstream, shown readably.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::Outcome;
use crate::mcp::Session;
use crate::process::{FIXTURES, Fake, build, program, text};
use crate::servers::{SERVERS, Server};

/// One call of a demonstration.
struct Scene {
    server: &'static str,
    caption: &'static str,
    tool: &'static str,
    /// `{field}` stands for that field of the answer before.
    arguments: &'static str,
    /// `ok`, or the code of the failure that is shown.
    expect: &'static str,
}

/// A scene that is answered with `ok`.
const fn scene(
    server: &'static str,
    caption: &'static str,
    tool: &'static str,
    arguments: &'static str,
) -> Scene {
    Scene {
        server,
        caption,
        tool,
        arguments,
        expect: "ok",
    }
}

impl Scene {
    /// The same, answered with a failure.
    const fn expecting(self, code: &'static str) -> Self {
        Self {
            expect: code,
            ..self
        }
    }
}

const RAIL: &str = "rail-mcp";
const CCNU: &str = "ccnu-lib-mcp";
const WEREAD: &str = "weread-mcp";

const SCENES: &[Scene] = &[
    scene(
        RAIL,
        "明天从北京到上海，最早的三趟车",
        "12306_query_tickets",
        r#"{"date":"+1","from":"北京","to":"上海","sort_by":"depart","max_results":3}"#,
    ),
    scene(
        RAIL,
        "没有直达车时怎么换乘",
        "12306_query_transfer",
        r#"{"date":"+1","from":"广州","to":"桂林","max_results":2}"#,
    ),
    scene(
        RAIL,
        "G1 停哪些站",
        "12306_train_route",
        r#"{"train_code":"G1","date":"+1"}"#,
    ),
    scene(
        RAIL,
        "呼伦贝尔有哪些车站",
        "12306_search_stations",
        r#"{"text":"呼伦贝尔"}"#,
    ),
    scene(
        CCNU,
        "登录，遇到图形验证码",
        "start_login",
        r#"{"username":"2026000001","password":"pw-right"}"#,
    )
    .expecting("NEED_CHALLENGE"),
    scene(
        CCNU,
        "用户看错了一个字",
        "submit_challenge",
        r#"{"challenge_id":"{challenge_id}","answer":"7k3q"}"#,
    )
    .expecting("LOGIN_FAILED"),
    scene(CCNU, "重新登录，得到新的验证码", "start_login", "{}").expecting("NEED_CHALLENGE"),
    scene(
        CCNU,
        "这次看对了",
        "submit_challenge",
        r#"{"challenge_id":"{challenge_id}","answer":"7k3p"}"#,
    ),
    scene(
        CCNU,
        "明天上午哪里有空座",
        "get_availability_distribution",
        r#"{"date":"明天","start_time":"08:00","end_time":"12:00","library":"南湖"}"#,
    ),
    scene(
        CCNU,
        "一楼中庭有哪些空座",
        "list_available_seats",
        r#"{"date":"明天","start_time":"08:00","end_time":"12:00","location_id":"1995338594917990400","limit":5}"#,
    ),
    scene(
        CCNU,
        "约第一个空座",
        "reserve_seat",
        r#"{"date":"明天","start_time":"08:00","end_time":"12:00","location_id":"1995338594917990400"}"#,
    ),
    scene(CCNU, "看当前预约", "get_current_reservation", "{}"),
    scene(
        CCNU,
        "不去了，取消",
        "cancel_reservation",
        r#"{"reservation_id":"{reservation_id}"}"#,
    ),
    scene(WEREAD, "还没有凭证", "get_bookshelf", "{}").expecting("NEED_LOGIN"),
    scene(
        WEREAD,
        "保存官方 API Key",
        "save_credentials",
        r#"{"api_key":"wrk-CANARY0001abcdefghijklmnop"}"#,
    ),
    scene(
        WEREAD,
        "帮我找一下书架上关于认知科学的书",
        "search_books",
        r#"{"keyword":"认知科学","include_details":true}"#,
    ),
    scene(
        WEREAD,
        "按书名找到《隐藏的自我》",
        "search_books",
        r#"{"keyword":"隐藏的自我","exact_match":true}"#,
    ),
    scene(
        WEREAD,
        "这本书的划线和想法，按章节",
        "get_book_notes_and_highlights",
        r#"{"book_id":"27416212","organize_by_chapter":true}"#,
    ),
    scene(
        WEREAD,
        "所有书里提到大脑的笔记",
        "search_notes",
        r#"{"query":"大脑","max_results":3}"#,
    ),
    scene(
        WEREAD,
        "这个月读了多久",
        "get_reading_stats",
        r#"{"period":"monthly"}"#,
    ),
    scene(
        WEREAD,
        "导出成 Markdown",
        "export_notes",
        r#"{"book_id":"29599977","format":"markdown"}"#,
    ),
];

/// How many items of a list are shown.
const SHOWN: usize = 3;
/// The width of the terminal that the results are laid out for.
const WIDTH: usize = 130;

/// Plays all scenes, or only that of the server whose program is given.
pub(crate) fn run(server_binary: Option<&Path>) -> Outcome {
    let given = server_binary.and_then(Path::file_stem);
    let played: Vec<_> = SERVERS
        .iter()
        .filter(|server| given.is_none_or(|name| name == server.name))
        .collect();
    if played.is_empty() {
        return Err("the program is called like none of the servers".into());
    }
    let mut packages = vec![FIXTURES];
    if server_binary.is_none() {
        packages.extend(played.iter().map(|server| server.name));
    }
    let built = build(&packages, "dev")?;
    let mut refused = 0;
    for server in played {
        refused += play(server, server_binary, &built)?;
    }
    if refused == 0 {
        Ok(())
    } else {
        Err(format!("{refused} calls were answered otherwise than they should be").into())
    }
}

/// Plays the scenes of one server and gives how many calls were answered otherwise than expected.
fn play(
    server: &Server,
    given: Option<&Path>,
    built: &BTreeMap<String, PathBuf>,
) -> Outcome<usize> {
    let server_program = given.map_or_else(|| program(built, server.name), Ok)?;
    let state = tempfile::tempdir()?;
    let fake = Fake::start(program(built, FIXTURES)?, server, &[])?;
    let mut environment = fake.environment.clone();
    environment.insert(
        "ERRANDS_DATA_DIR".to_owned(),
        state.path().to_string_lossy().into_owned(),
    );
    let still = server.still.iter();
    environment.extend(still.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));

    println!("\n== {} ({})", server.name, server_program.display());
    for (name, value) in &fake.environment {
        println!("   {name}={value}");
    }
    let mut session = Session::spawn(server_program, &environment, Stdio::inherit())?;
    let hello = session.initialize()?;
    println!(
        "   {} {}",
        text(&hello["serverInfo"]["name"]),
        text(&hello["serverInfo"]["version"])
    );
    let list = session.request("tools/list", &json!({}))?;
    let tools = list["tools"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    println!(
        "   {} tools: {}",
        tools.len(),
        tools
            .iter()
            .map(|tool| text(&tool["name"]))
            .collect::<Vec<_>>()
            .join(", ")
    );

    let mut refused = 0;
    let mut last = Value::Null;
    for scene in SCENES.iter().filter(|scene| scene.server == server.name) {
        let arguments = filled(scene.arguments, &last);
        println!("\n-- {}\n>> {} {arguments}", scene.caption, scene.tool);
        last = session.call(scene.tool, &serde_json::from_str(&arguments)?)?;
        println!("{}", laid_out(&last, 0));
        let answered = match last["ok"] == true {
            true => "ok",
            false => last["code"].as_str().unwrap_or_default(),
        };
        refused += usize::from(answered != scene.expect);
    }
    session.close()?;
    Ok(refused)
}

/// Arguments with each `{field}` replaced by that field of the answer before.
fn filled(arguments: &str, last: &Value) -> String {
    let fields = last.as_object().into_iter().flatten();
    fields.fold(arguments.to_owned(), |filled, (name, value)| {
        filled.replace(&format!("{{{name}}}"), &text(value))
    })
}

/// JSON with short values on one line, and lists cut after a few items.
fn laid_out(value: &Value, indent: usize) -> String {
    let inner = indent + 2;
    let (open, close, parts): (_, _, Vec<String>) = match value {
        Value::Object(fields) => {
            let field =
                |(name, value): (&String, &Value)| format!("{name}: {}", laid_out(value, inner));
            ('{', '}', fields.iter().map(field).collect())
        }
        Value::Array(items) => {
            let mut parts: Vec<_> = items
                .iter()
                .take(SHOWN)
                .map(|item| laid_out(item, inner))
                .collect();
            if items.len() > SHOWN {
                parts.push(format!("… {} more", items.len() - SHOWN));
            }
            ('[', ']', parts)
        }
        scalar => return scalar.to_string(),
    };
    let line = format!("{open}{}{close}", parts.join(", "));
    if !line.contains('\n') && indent + line.chars().count() <= WIDTH {
        return line;
    }
    let margin = " ".repeat(indent);
    format!(
        "{open}\n{margin}  {}\n{margin}{close}",
        parts.join(&format!("\n{margin}  "))
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::laid_out;

    #[test]
    fn long_lists_are_cut_and_say_so() {
        let train = |number| json!({ "train_code": format!("G{number}"), "origin": "北京南站".repeat(6), "price_yuan": 669.0 });
        let trains: Vec<_> = (1..=5).map(train).collect();
        let answer =
            json!({ "ok": true, "trains": trains, "telecodes": ["BJP", "VNP", "VAP", "BXP"] });
        let expected = r#"{
  ok: true
  trains: [
    {train_code: "G1", origin: "北京南站北京南站北京南站北京南站北京南站北京南站", price_yuan: 669.0}
    {train_code: "G2", origin: "北京南站北京南站北京南站北京南站北京南站北京南站", price_yuan: 669.0}
    {train_code: "G3", origin: "北京南站北京南站北京南站北京南站北京南站北京南站", price_yuan: 669.0}
    … 2 more
  ]
  telecodes: ["BJP", "VNP", "VAP", … 1 more]
}"#;
        assert_eq!(laid_out(&answer, 0), expected);
    }
}
