//! `ccnu-lib-mcp`: library seats of Central China Normal University for an agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    server_kit::main::<ccnu_lib_mcp::Library>()
}
