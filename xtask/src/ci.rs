//! `ci`: what a build machine checks, step by step, with the tests last so that their closing lines end the output.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Outcome;
use crate::process::{cargo, output};

/// Runs every step and stops at the first that fails, with all that it printed.
pub(crate) fn run() -> Outcome {
    let warnings = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    let mut pages = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
    pages.env("RUSTDOCFLAGS", "-D warnings");

    quietly("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    quietly("warnings", &mut cargo(&warnings))?;
    quietly("documentation", &mut pages)?;
    quietly("rules of the tree", &mut xtask(&["tidy"])?)?;
    quietly("generated pages", &mut xtask(&["schema", "--check"])?)?;
    openly("real clients", &mut xtask(&["interop"])?)?;
    openly("tests", &mut cargo(&["test", "--workspace", "--locked"]))
}

/// This program with another command, so that what it prints can be held back like that of any other step.
fn xtask(arguments: &[&str]) -> Outcome<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments);
    Ok(command)
}

/// A step whose output matters only when it fails.
fn quietly(headline: &str, step: &mut Command) -> Outcome {
    print!("== {headline}: {} … ", spelled(step));
    std::io::stdout().flush()?;
    let begun = Instant::now();
    match output(step) {
        Ok(_said) => println!("ok, {:.0} s", begun.elapsed().as_secs_f64()),
        Err(said) => {
            println!("failed\n{said}");
            return Err(format!("ci stopped at: {headline}").into());
        }
    }
    Ok(())
}

/// A step whose output is worth reading as it comes.
fn openly(headline: &str, step: &mut Command) -> Outcome {
    println!("== {headline}: {}", spelled(step));
    let status = step.stdin(Stdio::null()).status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("ci stopped at: {headline}").into())
    }
}

/// A command as a person would type it, with the program's bare name.
fn spelled(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program())
        .file_stem()
        .unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
