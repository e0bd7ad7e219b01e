//! What a process that is killed in between leaves behind.

use std::{collections::BTreeSet, fs, thread};

use secrecy::{ExposeSecret, SecretString};
use state::{
    StateDir,
    secrets::{Secrets, Store},
};

/// Whoever is killed between the two leaves a name, which can be cleared, and no value without one.
#[cfg(unix)]
#[test]
fn a_name_is_listed_before_its_value_is_stored() {
    let root = tempfile::tempdir().unwrap();
    let folder = StateDir::at(root.path().join("toy-mcp"));
    let secrets = Secrets::new("toy-mcp", folder.clone(), Some(Store::File));
    secrets.choose(Store::File).unwrap();
    // A pipe in place of the file holds up whoever reads it.
    let file = folder.file("secrets.json");
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    thread::scope(|scope| {
        let set = scope.spawn(|| secrets.set("password", &SecretString::from("hunter2")));
        let mut pipe = fs::OpenOptions::new().write(true).open(&file).unwrap();
        let listed = BTreeSet::from(["password".to_owned()]);
        assert_eq!(secrets.names().unwrap(), listed);
        std::io::Write::write_all(&mut pipe, b"{}").unwrap();
        drop(pipe);
        set.join().unwrap().unwrap();
    });
    let value = secrets.get("password").unwrap().unwrap();
    assert_eq!(value.expose_secret(), "hunter2");
}
