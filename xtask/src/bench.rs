//! `bench`: the release binaries measured as processes, in one table beside their budgets.

mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use serde_json::{Value, json};

use self::table::{Row, micro_rows, table};
use crate::Outcome;
use crate::mcp::Session;
use crate::process::{Environment, FIXTURES, Fake, build, cargo, output, program};
use crate::relay::Relay;
use crate::servers::{SERVERS, Server};

/// From the start of the process to the answer of `initialize`.
const HANDSHAKE_MS: f64 = 5.0;
/// What a server adds to a call beyond the upstream's own time.
const OVERHEAD_MS: f64 = 2.0;
/// Resident memory of an idle server, in MB of 10⁶ bytes.
const RESIDENT_MB: f64 = 8.0;

/// Measures every server and prints the table. A missed budget is shown, it is no failure: machines differ.
pub(crate) fn run(runs: usize, micro: bool) -> Outcome {
    let mut packages = vec![FIXTURES];
    packages.extend(SERVERS.iter().map(|server| server.name));
    let built = build(&packages, "release")?;
    let mut rows = Vec::new();
    for server in SERVERS {
        rows.extend(measure(server, &built, runs)?);
        if micro {
            let benches = ["bench", "--package", server.name, "--bench", "*"];
            let said = output(cargo(&benches).stderr(Stdio::inherit()))?;
            rows.extend(micro_rows(server, &said));
        }
    }
    print!("{}", table(rows, runs));
    Ok(())
}

/// Everything that is measured of one server as a process.
fn measure(
    server: &'static Server,
    built: &BTreeMap<String, PathBuf>,
    runs: usize,
) -> Outcome<Vec<Row>> {
    let server_program = program(built, server.name)?;
    let fake = Fake::start(program(built, FIXTURES)?, server)?;
    let (relays, mut environment) = relayed(&fake.environment)?;
    environment.extend(
        server
            .still
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    let (tool, first, warm) = server.measured;
    let (first, warm) = (serde_json::from_str(first)?, serde_json::from_str(warm)?);
    let mut samples: [Vec<f64>; 7] = Default::default();
    for _ in 0..runs {
        let state = tempfile::tempdir()?;
        environment.insert(
            "ERRANDS_DATA_DIR".to_owned(),
            state.path().to_string_lossy().into_owned(),
        );
        for (kept, value) in samples.iter_mut().zip(one_run(
            server_program,
            &environment,
            &relays,
            tool,
            [&first, &warm],
        )?) {
            kept.extend(value);
        }
    }
    let [
        handshake,
        resident,
        list,
        first,
        first_added,
        warm,
        warm_added,
    ] = samples;
    let row = |what: &str, values, budget| Row {
        server: server.name,
        what: what.to_owned(),
        values,
        budget,
    };
    let size = fs::metadata(server_program)?.len();
    Ok(vec![
        row(
            "start to `initialize` answered, ms",
            handshake,
            Some(HANDSHAKE_MS),
        ),
        row("`tools/list`, ms", list, None),
        row("first call, fake included, ms", first, None),
        row("first call, without the fake's time, ms", first_added, None),
        row("warm call, fake included, ms", warm, None),
        row(
            "warm call, without the fake's time, ms",
            warm_added,
            Some(OVERHEAD_MS),
        ),
        row(
            "resident after `initialize`, MB",
            resident,
            Some(RESIDENT_MB),
        ),
        row(
            "binary, stripped, MB",
            vec![size as f64 / 1e6],
            Some(server.binary_mb),
        ),
    ])
}

/// Puts a relay before every address of the fake.
fn relayed(environment: &Environment) -> Outcome<(Vec<Relay>, Environment)> {
    let (mut relays, mut environment) = (BTreeMap::new(), environment.clone());
    for value in environment.values_mut() {
        if let Some(upstream) = value
            .strip_prefix("http://")
            .map(|rest| rest.trim_end_matches('/').to_owned())
        {
            if !relays.contains_key(&upstream) {
                relays.insert(upstream.clone(), Relay::start(&upstream)?);
            }
            *value = relays.get(&upstream).map(Relay::url).unwrap_or_default();
        }
    }
    Ok((relays.into_values().collect(), environment))
}

/// One process from start to end: handshake, resident memory, list, first call, first call's share of the server,
/// warm call, warm call's share of the server.
fn one_run(
    program: &Path,
    environment: &Environment,
    relays: &[Relay],
    tool: &str,
    [first, warm]: [&Value; 2],
) -> Outcome<[Option<f64>; 7]> {
    let begun = Instant::now();
    let mut session = Session::spawn(program, environment, Stdio::null())?;
    session.initialize()?;
    let handshake = milliseconds(begun);
    let resident = resident_mb(session.process_id());
    let begun = Instant::now();
    session.request("tools/list", &json!({}))?;
    let list = milliseconds(begun);
    let mut call = |arguments: &Value| -> Outcome<(f64, f64)> {
        let begun = Instant::now();
        let answer = session.call(tool, arguments)?;
        let whole = milliseconds(begun);
        if answer["ok"] != true {
            return Err(format!("{tool} {arguments}: {answer}").into());
        }
        let upstream: f64 = relays
            .iter()
            .map(|relay| relay.taken().as_secs_f64() * 1e3)
            .sum();
        Ok((whole, whole - upstream))
    };
    let (first, first_added) = call(first)?;
    let (warm, warm_added) = call(warm)?;
    session.close()?;
    Ok([
        Some(handshake),
        resident,
        Some(list),
        Some(first),
        Some(first_added),
        Some(warm),
        Some(warm_added),
    ])
}

fn milliseconds(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e3
}

/// Resident memory of a process in MB; only Linux tells it in a file.
fn resident_mb(process_id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process_id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}
