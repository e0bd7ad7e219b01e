//! A session with a message bus and a Secret Service of its own, and the example program in it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Once,
};

/// The name by which `ERRANDS_REQUIRE` says that the Secret Service must be there.
const REQUIREMENT: &str = "secret-service";

/// The home of a user whose keyring is on disk, and a state folder in it.
pub(crate) struct Home(tempfile::TempDir);

/// What the user's keyring does in a session.
#[derive(Clone, Copy)]
pub(crate) enum Keyring {
    /// Opened with the user's password at the start, and made if there is none.
    Unlocked,
    /// Stays locked, and nobody is there to be asked.
    Locked,
}

impl Home {
    /// A new home, or one clear line and `None` where the Secret Service is not installed.
    pub(crate) fn new() -> Option<Self> {
        let missing: Vec<_> = ["dbus-run-session", "gnome-keyring-daemon"]
            .into_iter()
            .filter(|program| Command::new(program).arg("--version").output().is_err())
            .collect();
        if missing.is_empty() {
            return Some(Self(tempfile::tempdir().unwrap()));
        }
        let missing = missing.join(" and ");
        assert!(
            !required(),
            "{REQUIREMENT} is required, and {missing} missing"
        );
        // Once, and past the test harness, which shows what passing tests print to nobody.
        static SAY: Once = Once::new();
        SAY.call_once(|| {
            let line = format!("skipped: no system keyring is tried, {missing} missing\n");
            std::io::stderr().write_all(line.as_bytes()).unwrap();
        });
        None
    }

    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a program in a new session. The bus starts the daemon for the first who asks for it, and
    /// the daemon ends with the bus, which ends with the program.
    pub(crate) fn run(&self, keyring: Keyring, program: &Path, arguments: &[&str]) -> Output {
        let daemon = match keyring {
            Keyring::Unlocked => "printf password | gnome-keyring-daemon --unlock",
            Keyring::Locked => "gnome-keyring-daemon --start",
        };
        let service = format!(
            "[D-BUS Service]\nName=org.freedesktop.secrets\n\
             Exec=/bin/sh -c \"{daemon} --foreground --components=secrets\"\n"
        );
        // Sockets are made here, and their paths may not be long.
        let runtime = tempfile::tempdir().unwrap();
        let place = runtime.path().display();
        let bus = format!(
            "<busconfig><type>session</type><listen>unix:tmpdir={place}</listen>\
             <servicedir>{place}</servicedir><policy context='default'>\
             <allow send_destination='*'/><allow receive_sender='*'/><allow own='*'/>\
             </policy></busconfig>"
        );
        fs::write(runtime.path().join("secrets.service"), service).unwrap();
        fs::write(runtime.path().join("bus.conf"), bus).unwrap();
        Command::new("dbus-run-session")
            .arg(format!("--config-file={place}/bus.conf"))
            .arg("--")
            .arg(program)
            .args(arguments)
            .env("HOME", self.0.path())
            .env("XDG_DATA_HOME", self.0.path())
            .env("XDG_RUNTIME_DIR", runtime.path())
            .output()
            .unwrap()
    }

    /// What the example prints in a new session, or how it fails.
    pub(crate) fn secret(
        &self,
        keyring: Keyring,
        folder: &str,
        arguments: &[&str],
    ) -> Result<String, String> {
        let folder = self.folder(folder);
        let arguments = [&[folder.to_str().unwrap()], arguments].concat();
        said(&self.run(keyring, &example(), &arguments))
    }
}

/// What the example printed, an answer or an error.
pub(crate) fn said(output: &Output) -> Result<String, String> {
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    let said = said.trim_end().to_owned();
    if output.status.success() {
        return Ok(said);
    }
    let besides = String::from_utf8_lossy(&output.stderr);
    assert_ne!(said, "", "the program did not run: {besides}");
    Err(said)
}

/// The example `secret`, which `cargo test` builds beside the tests.
pub(crate) fn example() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let built = tests.ancestors().nth(2).unwrap();
    let example = built
        .join("examples")
        .join(format!("secret{}", std::env::consts::EXE_SUFFIX));
    assert!(
        example.exists(),
        "build the examples: {}",
        example.display()
    );
    example
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever starts the tests says what must be there"
)]
fn required() -> bool {
    std::env::var("ERRANDS_REQUIRE")
        .is_ok_and(|names| names.split(',').any(|name| name == REQUIREMENT))
}
