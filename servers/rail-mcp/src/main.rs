//! `rail-mcp`: trains in China for an agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    server_kit::main::<rail_mcp::Rail>()
}
