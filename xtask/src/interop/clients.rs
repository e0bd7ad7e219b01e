//! The clients: which there are, and their installation into `target/interop/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::process::{output, root};

/// A client that others wrote; its version stands in `package.json` or `requirements-*.txt`.
pub(super) struct Client {
    /// Its name as people know it.
    pub(super) name: &'static str,
    runtime: Runtime,
    /// Its driver in `xtask/interop/`; the Inspector needs none.
    script: Option<&'static str>,
    /// The protocol eras that it speaks.
    pub(super) eras: &'static [&'static str],
}

enum Runtime {
    /// The Node and the packages of `package.json`.
    Node,
    /// A virtual environment with the packages of `requirements-<this>.txt`.
    Python(&'static str),
}

const BOTH: &[&str] = &["legacy", "modern"];
const CLIENTS: &[Client] = &[
    Client {
        name: "Inspector",
        runtime: Runtime::Node,
        script: None,
        eras: BOTH,
    },
    Client {
        name: "TypeScript SDK 1",
        runtime: Runtime::Node,
        script: Some("ts-v1.mjs"),
        eras: &["legacy"],
    },
    Client {
        name: "TypeScript SDK 2",
        runtime: Runtime::Node,
        script: Some("ts-v2.mjs"),
        eras: BOTH,
    },
    Client {
        name: "Python SDK 1",
        runtime: Runtime::Python("v1"),
        script: Some("py-v1.py"),
        eras: &["legacy"],
    },
    Client {
        name: "Python SDK 2",
        runtime: Runtime::Python("v2"),
        script: Some("py-v2.py"),
        eras: BOTH,
    },
];

/// A client that can be started.
pub(super) struct Ready {
    pub(super) client: &'static Client,
    /// The interpreter that runs it.
    pub(super) interpreter: PathBuf,
    /// What the interpreter runs: the driver, or the Inspector itself.
    pub(super) script: PathBuf,
}

impl Ready {
    /// Whether this is the Inspector, which is driven by its command line.
    pub(super) fn is_inspector(&self) -> bool {
        self.client.script.is_none()
    }
}

/// Installs the clients that this machine can run. What it cannot run is told in one line, or is an error if required.
pub(super) fn ready(required: &[String]) -> Outcome<Vec<Ready>> {
    let mut npm = Command::new("npm");
    let mut python = Command::new("python3");
    python.args([
        "-c",
        "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))",
    ]);
    let has_node = found("node", npm.arg("--version"), required)?;
    let has_python = found("python", &mut python, required)?;
    let mut clients = Vec::new();
    for client in CLIENTS {
        clients.extend(match client.runtime {
            Runtime::Node if has_node => Some(with_node(client)?),
            Runtime::Python(generation) if has_python => Some(with_python(client, generation)?),
            Runtime::Node | Runtime::Python(_) => None,
        });
    }
    Ok(clients)
}

/// Whether a runtime is there, by a command that only works when it is.
fn found(name: &str, probe: &mut Command, required: &[String]) -> Outcome<bool> {
    if output(probe).is_ok() {
        return Ok(true);
    }
    if required.iter().any(|required| required == name) {
        return Err(format!("{name} is required, and missing or too old").into());
    }
    println!("interop: {name} is missing or too old, its clients are left out");
    Ok(false)
}

fn with_node(client: &'static Client) -> Outcome<Ready> {
    let folder = root().join("target/interop/node");
    installed(&folder, "package.json", |folder| {
        // Everything comes again, so that no package of an older list stays.
        fs::copy(sources().join("package.json"), folder.join("package.json"))?;
        let options = [
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--loglevel=error",
        ];
        output(Command::new("npm").args(options).current_dir(folder)).map(drop)
    })?;
    let modules = folder.join("node_modules");
    let script = match client.script {
        None => modules.join(".bin/mcp-inspector"),
        Some(script) => {
            // Node looks for packages beside the script, so the drivers move in with them.
            for file in ["play.mjs", script] {
                fs::copy(sources().join(file), folder.join(file))?;
            }
            folder.join(script)
        }
    };
    Ok(Ready {
        client,
        interpreter: modules.join("node/bin/node"),
        script,
    })
}

fn with_python(client: &'static Client, generation: &str) -> Outcome<Ready> {
    let folder = root().join(format!("target/interop/python-{generation}"));
    let interpreter = folder.join("bin/python");
    let requirements = format!("requirements-{generation}.txt");
    installed(&folder, &requirements, |folder| {
        output(
            Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(folder),
        )?;
        let options = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--requirement",
        ];
        output(
            Command::new(&interpreter)
                .args(options)
                .arg(sources().join(&requirements)),
        )
        .map(drop)
    })?;
    Ok(Ready {
        client,
        interpreter,
        script: sources().join(client.script.unwrap_or_default()),
    })
}

/// Installs into a folder unless that was done from the same list of packages before.
fn installed(folder: &Path, list: &str, install: impl Fn(&Path) -> Outcome) -> Outcome {
    let (wanted, done) = (
        fs::read_to_string(sources().join(list))?,
        folder.join("installed"),
    );
    if fs::read_to_string(&done).is_ok_and(|before| before == wanted) {
        return Ok(());
    }
    println!("interop: installing what {list} names");
    fs::create_dir_all(folder)?;
    install(folder)?;
    Ok(fs::write(done, wanted)?)
}

/// Where the drivers, the lists of packages and the plans are kept.
pub(super) fn sources() -> PathBuf {
    root().join("xtask/interop")
}
