//! `demo`: a short MCP session with each real server against its fake upstream, shown readably.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::Outcome;
use crate::mcp::Session;
use crate::process::{FIXTURES, Fake, build, program, text};
use crate::servers::{SERVERS, Server};

/// What is asked of which server: server, caption, tool, arguments.
const SCENES: &[(&str, &str, &str, &str)] = &[
    (
        "rail-mcp",
        "明天从北京到上海，最早的三趟车",
        "12306_query_tickets",
        r#"{"date":"+1","from":"北京","to":"上海","sort_by":"depart","max_results":3}"#,
    ),
    (
        "rail-mcp",
        "没有直达车时怎么换乘",
        "12306_query_transfer",
        r#"{"date":"+1","from":"广州","to":"桂林","max_results":2}"#,
    ),
    (
        "rail-mcp",
        "G1 停哪些站",
        "12306_train_route",
        r#"{"train_code":"G1","date":"+1"}"#,
    ),
    (
        "rail-mcp",
        "呼伦贝尔有哪些车站",
        "12306_search_stations",
        r#"{"text":"呼伦贝尔"}"#,
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
        Err(format!("{refused} calls were not answered with ok").into())
    }
}

/// Plays the scenes of one server and gives how many calls were not answered with `ok`.
fn play(
    server: &Server,
    given: Option<&Path>,
    built: &BTreeMap<String, PathBuf>,
) -> Outcome<usize> {
    let server_program = given.map_or_else(|| program(built, server.name), Ok)?;
    let state = tempfile::tempdir()?;
    let fake = Fake::start(program(built, FIXTURES)?, server)?;
    let mut environment = fake.environment.clone();
    environment.insert(
        "ERRANDS_DATA_DIR".to_owned(),
        state.path().to_string_lossy().into_owned(),
    );

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
    for (_, caption, tool, arguments) in SCENES.iter().filter(|scene| scene.0 == server.name) {
        println!("\n-- {caption}\n>> {tool} {arguments}");
        let answer = session.call(tool, &serde_json::from_str(arguments)?)?;
        println!("{}", laid_out(&answer, 0));
        refused += usize::from(answer["ok"] != true);
    }
    session.close()?;
    Ok(refused)
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
