//! One call of the secret store from a shell, to try it by hand and for the tests of the keyring.
//!
//! `secret FOLDER keyring|file|- COMMAND [NAME [VALUE]]`, where `-` is no setting.
#![allow(clippy::print_stdout, reason = "a program for the shell")]

use std::{env, error::Error, path::PathBuf, process::ExitCode};

use secrecy::ExposeSecret;
use state::{StateDir, secrets::Secrets};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let Err(error) = run(&words) else {
        return ExitCode::SUCCESS;
    };
    // Not on stderr, where a bus and a daemon that were started with it have their say.
    println!("{error}");
    ExitCode::FAILURE
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let &[folder, wish, ref command @ ..] = arguments else {
        return Err("usage: secret FOLDER keyring|file|- COMMAND [NAME [VALUE]]".into());
    };
    let wish = match wish {
        "-" => None,
        store => Some(store.parse()?),
    };
    let secrets = Secrets::new("toy", StateDir::at(PathBuf::from(folder)), wish);
    match command {
        ["store"] => println!("{}", secrets.store()?),
        ["try"] => println!("{}", secrets.try_store()?),
        ["choose", store] => secrets.choose(store.parse()?)?,
        ["names"] => println!("{:?}", secrets.names()?),
        ["get", name] => match secrets.get(name)? {
            Some(value) => println!("{}", value.expose_secret()),
            None => println!("(none)"),
        },
        ["set", name, value] => secrets.set(name, &(*value).into())?,
        ["remove", name] => println!("{}", secrets.remove(name)?),
        ["key", name] => println!("{:?}", secrets.key(name)?.as_bytes()),
        _ => return Err("a command is store, try, choose, names, get, set, remove or key".into()),
    }
    Ok(())
}
