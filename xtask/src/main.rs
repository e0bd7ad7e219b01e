//! The automation of this workspace: `cargo xtask COMMAND`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "these commands talk to a terminal"
)]
#![allow(
    clippy::indexing_slicing,
    reason = "a field that a JSON value lacks reads as null"
)]

mod bench;
mod ci;
mod demo;
mod interop;
mod mcp;
mod process;
mod relay;
mod schema;
mod servers;
mod tidy;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What a step gives, or a sentence that says why it cannot.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn Error>>;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The automation of this workspace")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything that a build machine checks, the tests last
    Ci,
    /// The rules of this tree that no compiler knows
    Tidy,
    /// Write the pages of docs/tools/ from what the servers say of their tools
    Schema {
        /// Write nothing, fail when a page is stale
        #[arg(long)]
        check: bool,
    },
    /// Build the servers, start fake upstreams on loopback, and play a short session with each
    Demo {
        /// Play the scene of this one binary, which is named like its server
        #[arg(long, value_name = "PATH")]
        server_binary: Option<PathBuf>,
    },
    /// Measure the release binaries as processes, beside their budgets
    Bench {
        /// How many processes are measured
        #[arg(long, default_value_t = 30)]
        runs: usize,
        /// Leave out the benchmarks of the crates (`cargo bench`)
        #[arg(long)]
        no_micro: bool,
    },
    /// Drive the servers with clients that others wrote, in both protocol eras
    Interop {
        /// What must not be missing here, of node and python; the rest is left out with a line that says so
        #[arg(
            long,
            env = "ERRANDS_REQUIRE",
            value_delimiter = ',',
            value_name = "NAME,…"
        )]
        require: Vec<String>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Ci => ci::run(),
        Command::Tidy => tidy::run(),
        Command::Schema { check } => schema::run(check),
        Command::Demo { server_binary } => demo::run(server_binary.as_deref()),
        Command::Bench { runs, no_micro } => bench::run(runs, !no_micro),
        Command::Interop { require } => interop::run(&require),
    };
    outcome.map_or_else(
        |error| {
            eprintln!("{error}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}
