//! The binary as a shell runs it.

use std::path::Path;

use fixtures::shell::{Ended, audit_rows, columns, command};
use serde_json::{Value, json};

use crate::world::binary;

/// Runs a command to its end, with these variables and no others, at home in `home`.
pub(crate) fn run(args: &[&str], env: &[(String, String)], home: &Path) -> Ended {
    let mut command = command(binary().as_ref(), args, home);
    command.envs(env.iter().cloned()).output().unwrap().into()
}

/// The audit rows of a state folder, oldest first, as phase, tool, status and code.
pub(crate) fn audited(data: &Path) -> Vec<Value> {
    let rows = audit_rows(binary().as_ref(), data);
    let rows = columns(&rows, &["phase", "tool", "status", "code"]);
    rows.into_iter().map(|row| json!(row)).collect()
}
