//! `interop`: the servers driven over stdio by clients that others wrote, in both protocol eras.
//!
//! What is asked stands in `xtask/interop/plans/<topic>.json`; `xtask/interop/play.mjs` says what a plan may hold.

mod clients;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use self::clients::Ready;
use crate::Outcome;
use crate::process::{Environment, FIXTURES, Fake, build, output, program, text};
use crate::servers::SERVERS;

/// How much of a problem is printed, in characters.
const SHOWN: usize = 600;

/// One thing that a client looked at, and what it did not accept.
struct Check {
    name: String,
    problem: Option<String>,
}

/// Installs the clients where they are not yet, and plays every server's plan with each of them.
pub(crate) fn run(required: &[String]) -> Outcome {
    let clients = clients::ready(required)?;
    if clients.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = SERVERS.iter().map(|server| server.name).collect();
    let servers = build(&names, "ci")?;
    let fixtures = build(&[FIXTURES], "dev")?;
    let (mut passed, mut failed) = (0, 0);
    for server in SERVERS {
        let plan =
            fs::read_to_string(clients::sources().join(format!("plans/{}.json", server.topic())))?;
        let plan: Value = serde_json::from_str(&plan)?;
        let server_program = program(&servers, server.name)?;
        for ready in &clients {
            for era in ready.client.eras {
                let state = tempfile::tempdir()?;
                let fake = Fake::start(program(&fixtures, FIXTURES)?, server, server.alone)?;
                let plan = apart(&plan, state.path());
                let drive = if ready.is_inspector() { inspect } else { play };
                let checks = drive(ready, era, server_program, &fake.environment, &plan)?;
                let bad = told(
                    &format!("{}, {} client, {era} era", server.name, ready.client.name),
                    &checks,
                );
                passed += checks.len() - bad;
                failed += bad;
            }
        }
    }
    println!("interop: {passed} passed, {failed} failed");
    if failed == 0 {
        Ok(())
    } else {
        Err("a client did not accept what a server does".into())
    }
}

/// The plan with a state folder of its own for each run, or for runs that name the same one: what one upstream did to a
/// server must not reach the next.
fn apart(plan: &Value, state: &Path) -> Value {
    let mut plan = plan.clone();
    for (index, run) in plan["runs"]
        .as_array_mut()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let folder = run["state"]
            .as_str()
            .map_or(index.to_string(), str::to_owned);
        run["env"]["ERRANDS_DATA_DIR"] = json!(state.join(folder));
    }
    plan
}

/// Prints a line for the checks and one for each problem, and gives the number of problems.
fn told(who: &str, checks: &[Check]) -> usize {
    let problems: Vec<_> = checks
        .iter()
        .filter_map(|check| Some((&check.name, check.problem.as_ref()?)))
        .collect();
    println!(
        "{who}: {} passed, {} failed",
        checks.len() - problems.len(),
        problems.len()
    );
    for (name, problem) in &problems {
        println!(
            "   {name}\n      {}",
            problem.chars().take(SHOWN).collect::<String>()
        );
    }
    problems.len()
}

/// Plays a plan with the driver script of an SDK, which prints one JSON line per check.
fn play(
    ready: &Ready,
    era: &str,
    server: &Path,
    environment: &Environment,
    plan: &Value,
) -> Outcome<Vec<Check>> {
    let order = json!({ "server": { "command": server, "env": environment }, "era": era, "runs": plan["runs"] });
    let mut driver = Command::new(&ready.interpreter)
        .arg(&ready.script)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    driver
        .stdin
        .take()
        .ok_or("the driver has no stdin")?
        .write_all(order.to_string().as_bytes())?;
    let ended = driver.wait_with_output()?;
    let said = || {
        format!(
            "{}: {}\n{}",
            ready.script.display(),
            ended.status,
            String::from_utf8_lossy(&ended.stderr)
        )
    };
    let mut checks = Vec::new();
    for line in String::from_utf8_lossy(&ended.stdout).lines() {
        let check: Value = serde_json::from_str(line)
            .map_err(|error| format!("{error} in {line:?}\n{}", said()))?;
        checks.push(Check {
            name: text(&check["check"]),
            problem: check["problem"].as_str().map(str::to_owned),
        });
    }
    if ended.status.success() && !checks.is_empty() {
        Ok(checks)
    } else {
        Err(said().into())
    }
}

/// The Inspector's command line: its strict lint of all schemas, and the calls of the plan's first run.
fn inspect(
    ready: &Ready,
    era: &str,
    server: &Path,
    environment: &Environment,
    plan: &Value,
) -> Outcome<Vec<Check>> {
    let (home, run) = (tempfile::tempdir()?, &plan["runs"][0]);
    let ask = |method: &[&str]| {
        let mut command = Command::new(&ready.interpreter);
        command.arg(&ready.script).arg("--cli").arg(server).args([
            "--protocol-era",
            era,
            "--format",
            "json",
        ]);
        let own = run["env"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name, text(value)));
        for (name, value) in environment
            .iter()
            .map(|(name, value)| (name, value.clone()))
            .chain(own)
        {
            command.arg("-e").arg(format!("{name}={value}"));
        }
        command
            .arg("--method")
            .args(method)
            .env("HOME", home.path())
            .stdin(Stdio::null());
        command
    };
    let lint = output(&mut ask(&["tools/list", "--strict"]));
    let problem = lint.err().map(|error| error.to_string());
    let mut checks = vec![Check {
        name: "strict lint of tools/list".to_owned(),
        problem,
    }];
    let calls = run["calls"].as_array().into_iter().flatten();
    for call in calls.filter(|call| call["tool"].is_string()) {
        let (tool, arguments, expected) = (
            text(&call["tool"]),
            call["arguments"].to_string(),
            text(&call["expect"]),
        );
        let ended = ask(&[
            "tools/call",
            "--tool-name",
            &tool,
            "--tool-args-json",
            &arguments,
        ])
        .output()?;
        let printed = serde_json::from_slice(&ended.stdout).unwrap_or_default();
        checks.push(Check {
            name: format!("{tool} {arguments} gives {expected}"),
            problem: problem_of(ended.status.success(), &printed, &expected),
        });
    }
    Ok(checks)
}

/// What is wrong with an answer that the Inspector printed; it ends with failure when the tool says no.
fn problem_of(succeeded: bool, printed: &Value, expected: &str) -> Option<String> {
    let structure = &printed["result"]["structuredContent"];
    let found = if structure["ok"] == true {
        "ok"
    } else {
        structure["code"].as_str().unwrap_or("no code")
    };
    let agrees = found == expected && succeeded == (expected == "ok");
    (!agrees).then(|| {
        format!(
            "{found}, ended with {}: {printed}",
            if succeeded { "success" } else { "failure" }
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Check, problem_of, told};

    #[test]
    fn another_answer_than_the_plan_expects_is_a_problem() {
        let good = json!({ "result": { "structuredContent": { "ok": true } } });
        let refused =
            json!({ "result": { "structuredContent": { "ok": false, "code": "NOT_FOUND" } } });
        assert_eq!(problem_of(true, &good, "ok"), None);
        assert_eq!(problem_of(false, &refused, "NOT_FOUND"), None);
        for (succeeded, printed, expected) in [
            (false, &good, "ok"),
            (true, &good, "NOT_FOUND"),
            (true, &refused, "NOT_FOUND"),
            (false, &refused, "ok"),
            (false, &json!(null), "ok"),
        ] {
            assert!(
                problem_of(succeeded, printed, expected).is_some(),
                "{succeeded} {printed} {expected}"
            );
        }
    }

    #[test]
    fn problems_are_counted() {
        let check = |problem: Option<&str>| Check {
            name: "list".to_owned(),
            problem: problem.map(str::to_owned),
        };
        assert_eq!(
            told(
                "rail-mcp",
                &[check(None), check(Some("no answer")), check(None)]
            ),
            1
        );
    }
}
