//! `weread-mcp`: the notes of WeRead for an agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    server_kit::main::<weread_mcp::WeRead>()
}
