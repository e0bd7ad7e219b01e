//! The secret store in its file, and the record that both stores have.

use std::{fs, thread};

use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::*;
use crate::Condition;

/// A state folder that is not there yet.
fn folder() -> (tempfile::TempDir, StateDir) {
    let root = tempfile::tempdir().unwrap();
    let folder = StateDir::at(root.path().join("toy"));
    (root, folder)
}

fn secrets(folder: &StateDir, wish: impl Into<Option<Store>>) -> Secrets {
    Secrets::new("toy", folder.clone(), wish.into())
}

fn value(secrets: &Secrets, name: &str) -> Option<String> {
    let found = secrets.get(name).unwrap();
    found.map(|value| value.expose_secret().to_owned())
}

/// The record without its random part.
fn recorded(folder: &StateDir) -> Value {
    let mut record: Value = folder.read("secret-store.json").unwrap().unwrap();
    let id = record["id"].take();
    let is_hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(
        id.as_str()
            .is_some_and(|id| id.len() == 32 && is_hexadecimal(id)),
        "{id}"
    );
    record
}

#[test]
fn where_nothing_is_kept_nothing_is_asked_or_made() {
    let (_root, folder) = folder();
    let secrets = secrets(&folder, None);
    assert_eq!(secrets.store().unwrap(), Store::Keyring);
    assert_eq!(value(&secrets, "password"), None);
    assert!(!secrets.remove("password").unwrap());
    assert_eq!(secrets.names().unwrap(), BTreeSet::new());
    assert_eq!(folder.check(), Condition::Absent);
}

#[test]
fn the_file_keeps_values_whole_and_private() {
    let (_root, folder) = folder();
    let chosen = secrets(&folder, Store::File);
    let odd = "密码 \"quoted\"\\\n\u{1}\u{7f} and the end";
    chosen.set("password@甲", &odd.into()).unwrap();
    chosen.set("token", &"first".into()).unwrap();
    chosen.set("token", &"second".into()).unwrap();

    // The record decides, not the setting of the process that wrote it.
    let other = secrets(&folder, None);
    assert_eq!(other.store().unwrap(), Store::File);
    assert_eq!(other.try_store().unwrap(), Store::File);
    assert_eq!(value(&other, "password@甲").as_deref(), Some(odd));
    assert_eq!(value(&other, "token").as_deref(), Some("second"));
    assert_eq!(value(&other, "absent"), None);
    let kept: Value = folder.read("secrets.json").unwrap().unwrap();
    assert_eq!(kept, json!({"password@甲": odd, "token": "second"}));
    let names = json!(["password@甲", "token"]);
    let expected = json!({"store": "file", "id": null, "names": names});
    assert_eq!(recorded(&folder), expected);
    assert_eq!(folder.check(), Condition::Fine);

    assert!(other.remove("token").unwrap());
    assert!(!other.remove("token").unwrap());
    assert_eq!(value(&other, "token"), None);
    assert_eq!(
        other.names().unwrap(),
        BTreeSet::from(["password@甲".to_owned()])
    );
    let kept: Value = folder.read("secrets.json").unwrap().unwrap();
    assert_eq!(kept, json!({"password@甲": odd}));
}

#[test]
fn no_value_is_printed() {
    let (_root, folder) = folder();
    let secrets = secrets(&folder, Store::File);
    secrets.set("password", &"hunter2".into()).unwrap();
    let found = secrets.get("password").unwrap();
    let key = secrets.key("key").unwrap();
    let printed = format!("{secrets:?} {found:?}");
    assert!(!printed.contains("hunter2"), "{printed}");
    assert_eq!(format!("{key:?}"), "Key(SecretBox<[u8; 32]>([REDACTED]))");
}

#[test]
fn no_entry_of_racing_threads_is_lost() {
    let (_root, folder) = folder();
    let secrets = secrets(&folder, Store::File);
    let names: Vec<_> = (0..8).map(|number| format!("entry {number}")).collect();
    thread::scope(|scope| {
        for name in &names {
            scope.spawn(|| secrets.set(name, &name.as_str().into()).unwrap());
        }
    });
    let kept: BTreeSet<_> = names
        .iter()
        .map(|name| value(&secrets, name).unwrap())
        .collect();
    assert_eq!(kept, BTreeSet::from_iter(names));
    assert_eq!(secrets.names().unwrap(), kept);
}

#[test]
fn racing_threads_get_one_key_and_names_have_their_own() {
    let (_root, folder) = folder();
    let ask = |name| *secrets(&folder, Store::File).key(name).unwrap().as_bytes();
    let keys: BTreeSet<_> = thread::scope(|scope| {
        let askers: Vec<_> = (0..8).map(|_| scope.spawn(|| ask("session"))).collect();
        askers
            .into_iter()
            .map(|asker| asker.join().unwrap())
            .collect()
    });
    assert_eq!(keys, BTreeSet::from([ask("session")]));
    assert_ne!(ask("session"), ask("other"));
}

#[test]
fn a_key_that_vanished_is_made_anew_and_one_that_is_none_is_told() {
    let (_root, folder) = folder();
    let secrets = secrets(&folder, Store::File);
    let lost = *secrets.key("session").unwrap().as_bytes();
    fs::remove_file(folder.file("secrets.json")).unwrap();
    assert_eq!(value(&secrets, "session"), None);
    let made = *secrets.key("session").unwrap().as_bytes();
    assert_ne!(made, lost);
    assert_eq!(*secrets.key("session").unwrap().as_bytes(), made);

    for text in ["", "hunter2", &"A0".repeat(32), &"a0".repeat(33)] {
        secrets.set("session", &text.into()).unwrap();
        let error = secrets.key("session").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the entry session is not what was stored"
        );
    }
}

#[test]
fn another_store_than_the_one_with_entries_is_a_conflict() {
    let (_root, folder) = folder();
    secrets(&folder, Store::File)
        .set("password", &"hunter2".into())
        .unwrap();
    let before = recorded(&folder);
    let contrary = secrets(&folder, Store::Keyring);
    let unset = secrets(&folder, None);
    let said = [
        contrary.store().map(drop),
        contrary.try_store().map(drop),
        contrary.get("password").map(drop),
        contrary.set("password", &"other".into()),
        contrary.key("session").map(drop),
        contrary.choose(Store::Keyring),
        unset.choose(Store::Keyring),
    ];
    for said in said {
        let error = said.unwrap_err();
        assert!(
            matches!(
                error,
                Error::Conflict {
                    recorded: Store::File,
                    wished: Store::Keyring
                }
            ),
            "{error:?}"
        );
        let expected = "secrets are kept in the file and the keyring is asked for";
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(recorded(&folder), before);
    assert_eq!(value(&unset, "password").as_deref(), Some("hunter2"));

    // Removing is the way out, and afterwards the setting holds.
    assert_eq!(
        contrary.names().unwrap(),
        BTreeSet::from(["password".to_owned()])
    );
    assert!(contrary.remove("password").unwrap());
    assert_eq!(contrary.store().unwrap(), Store::Keyring);
    assert_eq!(unset.store().unwrap(), Store::File);
}

#[test]
fn a_choice_is_recorded_and_holds_without_a_setting() {
    let (_root, folder) = folder();
    let unset = secrets(&folder, None);
    unset.choose(Store::File).unwrap();
    let expected = json!({"store": "file", "id": null, "names": []});
    assert_eq!(recorded(&folder), expected);
    unset.set("password", &"hunter2".into()).unwrap();
    unset.choose(Store::File).unwrap();
    assert_eq!(value(&unset, "password").as_deref(), Some("hunter2"));
}

#[test]
fn a_record_without_entries_follows_the_setting_and_keeps_its_id() {
    let (_root, folder) = folder();
    let id = "0123456789abcdef0123456789abcdef";
    let record = json!({"store": "keyring", "id": id, "names": []});
    folder.write("secret-store.json", &record).unwrap();
    secrets(&folder, Store::File)
        .set("password", &"hunter2".into())
        .unwrap();
    let record: Value = folder.read("secret-store.json").unwrap().unwrap();
    let expected = json!({"store": "file", "id": id, "names": ["password"]});
    assert_eq!(record, expected);
}

#[test]
fn a_choice_against_the_setting_is_a_conflict() {
    let (_root, folder) = folder();
    let error = secrets(&folder, Store::Keyring)
        .choose(Store::File)
        .unwrap_err();
    let expected = "secrets are kept in the keyring and the file is asked for";
    assert_eq!(error.to_string(), expected);
    assert_eq!(folder.check(), Condition::Absent);
}

#[test]
fn a_damaged_file_is_told_unquoted_and_left_alone() {
    for file in ["secrets.json", "secret-store.json"] {
        let (_root, folder) = folder();
        let secrets = secrets(&folder, Store::File);
        secrets.set("password", &"hunter2".into()).unwrap();
        let damage = "{\"password\": hunter2}";
        fs::write(folder.file(file), damage).unwrap();
        let said = [
            secrets.get("password").map(drop),
            secrets.set("password", &"other".into()),
            secrets.remove("password").map(drop),
            secrets.try_store().map(drop),
        ];
        for said in said {
            let error = said.unwrap_err();
            let path = folder.file(file);
            let expected = format!(
                "{} is damaged or not ours (line 1, column 14)",
                path.display()
            );
            assert_eq!(error.to_string(), expected);
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
        let kept = fs::read_to_string(folder.file(file)).unwrap();
        assert_eq!(kept, damage);
    }
}

#[test]
fn a_store_has_one_word_everywhere() {
    for (store, word) in [(Store::Keyring, "keyring"), (Store::File, "file")] {
        assert_eq!(store.to_string(), word);
        assert_eq!(word.parse(), Ok(store));
        assert_eq!(serde_json::to_value(store).unwrap(), json!(word));
    }
    let error = "File".parse::<Store>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "a secret store is \"keyring\" or \"file\""
    );
}

#[test]
fn a_value_that_was_not_stored_leaves_no_name() {
    let (_root, folder) = folder();
    let chosen = secrets(&folder, Store::File);
    chosen.choose(Store::File).unwrap();
    fs::create_dir(folder.file("secrets.json")).unwrap();
    chosen.set("password", &"hunter2".into()).unwrap_err();
    assert_eq!(chosen.names().unwrap(), BTreeSet::new());
    // Nothing binds the folder to that store.
    let other = secrets(&folder, Store::Keyring);
    assert_eq!(other.store().unwrap(), Store::Keyring);
}
