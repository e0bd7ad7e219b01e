//! `bench`: the release binaries measured as processes, in one table beside their budgets.

mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
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

/// Warm calls of one process; the median of them counts.
const WARM_CALLS: usize = 10;

/// Measures every server and prints the table. A missed budget is shown, it is no failure: machines differ.
pub(crate) fn run(runs: usize, micro: bool) -> Outcome {
    let fixtures = build(&[FIXTURES], "release")?;
    let mut rows = Vec::new();
    for server in SERVERS {
        // Alone, as it is installed: together with others it would get their features too.
        let built = build(&[server.name], "release")?;
        let programs = [program(&built, server.name)?, program(&fixtures, FIXTURES)?];
        rows.extend(measure(server, programs, runs)?);
        if micro {
            let benches = ["bench", "--package", server.name, "--bench", "*"];
            let said = output(cargo(&benches).stderr(Stdio::inherit()))?;
            rows.extend(micro_rows(server, &said));
        }
    }
    print!("{}", table(rows, runs));
    Ok(())
}

/// Everything that is measured of one server as a process. Each run starts it twice: before the fake itself for the
/// times, and behind a relay that tells the fake's share of them, since a relay takes time of its own.
fn measure(
    server: &'static Server,
    [program, fixtures]: [&Path; 2],
    runs: usize,
) -> Outcome<Vec<Row>> {
    let fake = Fake::start(fixtures, server, server.alone)?;
    let (relays, relayed) = relayed(&fake.environment)?;
    let mut samples: [Vec<f64>; 9] = Default::default();
    for _ in 0..runs {
        let direct = one_run(server, program, &fake.environment, &[])?;
        let shares = one_run(server, program, &relayed, &relays)?.upstream;
        let [first, warm] = direct.calls;
        let [first_share, warm_share] = shares;
        for (kept, value) in samples.iter_mut().zip([
            Some(direct.handshake),
            direct.resident,
            Some(direct.list),
            Some(first),
            Some(first_share),
            Some(first - first_share),
            Some(warm),
            Some(warm_share),
            Some(warm - warm_share),
        ]) {
            kept.extend(value);
        }
    }
    let size = fs::metadata(program)?.len() as f64 / 1e6;
    let measured = [
        ("start to `initialize` answered, ms", Some(HANDSHAKE_MS)),
        ("resident after `initialize`, MB", Some(RESIDENT_MB)),
        ("`tools/list`, ms", None),
        ("first call, ms", None),
        ("of it the fake's own time, ms", None),
        ("added by the server, ms", None),
        ("warm call, ms", None),
        ("of it the fake's own time, ms", None),
        ("added by the server, ms", Some(OVERHEAD_MS)),
    ];
    let rows = measured.into_iter().zip(samples);
    let size = (("binary, stripped, MB", Some(server.binary_mb)), vec![size]);
    let row = |((what, budget), values): ((&str, Option<f64>), Vec<f64>)| Row {
        server: server.name,
        what: what.to_owned(),
        values,
        budget,
    };
    Ok(rows.chain([size]).map(row).collect())
}

/// Puts a relay before every address of the fake.
fn relayed(environment: &Environment) -> Outcome<(Vec<Relay>, Environment)> {
    let (mut relays, mut environment) = (BTreeMap::new(), environment.clone());
    for value in environment.values_mut() {
        if let Some(upstream) = value
            .strip_prefix("http://")
            .map(|rest| rest.split('/').next().unwrap_or_default().to_owned())
        {
            if !relays.contains_key(&upstream) {
                relays.insert(upstream.clone(), Relay::start(&upstream)?);
            }
            let relay = relays.get(&upstream).map(Relay::url).unwrap_or_default();
            *value = value.replace(&format!("http://{upstream}"), &relay);
        }
    }
    Ok((relays.into_values().collect(), environment))
}

/// What one process showed; times in ms.
struct Run {
    handshake: f64,
    resident: Option<f64>,
    list: f64,
    /// First and warm call.
    calls: [f64; 2],
    /// The fake's share of them, as the relays saw it; nothing without relays.
    upstream: [f64; 2],
}

/// One process from start to end.
fn one_run(
    server: &Server,
    program: &Path,
    environment: &Environment,
    relays: &[Relay],
) -> Outcome<Run> {
    let state = tempfile::tempdir()?;
    let mut environment = environment.clone();
    let folder = state.path().to_string_lossy().into_owned();
    environment.insert("ERRANDS_DATA_DIR".to_owned(), folder);
    let still = server.still.iter();
    environment.extend(still.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let begun = Instant::now();
    let mut session = Session::spawn(program, &environment, Stdio::null())?;
    session.initialize()?;
    let handshake = milliseconds(begun, session.answered());
    let resident = resident_mb(session.process_id());
    let begun = Instant::now();
    session.request("tools/list", &json!({}))?;
    let list = milliseconds(begun, session.answered());
    let (tool, first, warm) = server.measured;
    let mut call = |tool: &str, arguments: &str| -> Outcome<[f64; 2]> {
        let arguments: Value = serde_json::from_str(arguments)?;
        let begun = Instant::now();
        let answer = session.call(tool, &arguments)?;
        let whole = milliseconds(begun, session.answered());
        if answer["ok"] != true {
            return Err(format!("{tool} {arguments}: {answer}").into());
        }
        let taken = relays.iter().map(|relay| relay.taken().as_secs_f64() * 1e3);
        Ok([whole, taken.sum()])
    };
    if let Some((tool, arguments)) = server.opening {
        call(tool, arguments)?;
    }
    let [first, first_share] = call(tool, first)?;
    let warm = (0..WARM_CALLS)
        .map(|_| call(tool, warm))
        .collect::<Outcome<Vec<_>>>()?;
    let median = |part: usize| {
        let mut times: Vec<f64> = warm.iter().map(|call| call[part]).collect();
        times.sort_by(f64::total_cmp);
        times[WARM_CALLS / 2]
    };
    let run = Run {
        handshake,
        resident,
        list,
        calls: [first, median(0)],
        upstream: [first_share, median(1)],
    };
    session.close()?;
    Ok(run)
}

fn milliseconds(begun: Instant, ended: Instant) -> f64 {
    (ended - begun).as_secs_f64() * 1e3
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
