//! `login` and `logout`: secrets typed in the terminal, never in an argument of a call.

use std::{
    collections::BTreeMap,
    io::{BufRead, IsTerminal, Write},
};

use audit::Event;
use clap::Args;
use secrecy::SecretString;
use serde_json::json;
use state::blocking;
use state::secrets::{Error as SecretsError, Secrets, Store};

use super::{DONE, SAID_NO, USAGE, print};
use crate::{Credential, Errand, Failure, Kit};

#[derive(Args)]
pub(super) struct LoginOptions {
    /// 为谁登录（多用户时的 user_key）
    #[arg(long, value_name = "KEY")]
    user: Option<String>,
    /// 密钥存放处：keyring 系统钥匙串，file 仅本用户可读的文件
    #[arg(long, value_name = "STORE")]
    store: Option<Store>,
}

#[derive(Args)]
pub(super) struct LogoutOptions {
    /// 为谁退出（多用户时的 user_key）
    #[arg(long, value_name = "KEY", conflicts_with = "all")]
    user: Option<String>,
    /// 清除本服务的全部密钥
    #[arg(long)]
    all: bool,
}

pub(super) async fn login<S: Errand>(server: &S, kit: &Kit, options: LoginOptions) -> u8 {
    if S::CREDENTIALS.is_empty() {
        tracing::error!("{} 不需要账号", S::ABOUT.name);
        return USAGE;
    }
    let done = async {
        let user = server.user(options.user)?;
        if let Some(secrets) = kit.secrets.clone() {
            choose(secrets, options.store).await?;
        }
        let Some(given) = ask(S::CREDENTIALS) else {
            let hint = "在终端中逐项输入，或由管道逐行给出";
            return Err(Failure::new("MISSING_CREDENTIALS", "没有读到账号信息").next(hint));
        };
        let done = server.login(user.clone(), given).await;
        note(kit, "login", &user, &done).await;
        done
    };
    told(done.await)
}

pub(super) async fn logout<S: Errand>(server: &S, kit: &Kit, options: LogoutOptions) -> u8 {
    if S::CREDENTIALS.is_empty() {
        tracing::error!("{} 不需要账号", S::ABOUT.name);
        return USAGE;
    }
    let done = async {
        let user = match options.all {
            true => None,
            false => Some(server.user(options.user)?),
        };
        let said = server.logout(user.clone()).await;
        // Even when the server could not read what it was to forget: this is the way out of that.
        if let (true, Some(secrets)) = (options.all, kit.secrets.clone()) {
            let cleared = move || {
                for name in secrets.names()? {
                    secrets.remove(&name)?;
                }
                Ok::<_, SecretsError>(())
            };
            blocking(cleared).await?;
        }
        note(kit, "logout", user.as_deref().unwrap_or("*"), &said).await;
        said
    };
    told(done.await)
}

/// Leaves a row in the audit log, which is on disk when this returns.
async fn note(kit: &Kit, command: &str, user: &str, done: &Result<String, Failure>) {
    let (about, failed) = (json!({ "command": command }), done.as_ref().err());
    kit.journal.note(Event::Login, Some(user), about, failed);
    kit.journal.0.settle().await;
}

fn told(done: Result<String, Failure>) -> u8 {
    match done {
        Ok(said) => {
            print(&said);
            DONE
        }
        Err(failure) => {
            tracing::error!("{failure}");
            SAID_NO
        }
    }
}

/// Settles where secrets go before anything is typed. A file is used only by the user's own word.
async fn choose(secrets: Secrets, asked: Option<Store>) -> Result<(), Failure> {
    if let Some(store) = asked {
        return Ok(blocking(move || secrets.choose(store)).await?);
    }
    let tried = secrets.clone();
    match blocking(move || tried.try_store()).await {
        Err(SecretsError::NoKeyring { why }) if std::io::stdin().is_terminal() => {
            let question = format!(
                "没有可用的系统钥匙串（{why}）。改存于仅本用户可读的文件 secrets.json（未加密）吗？[y/N] "
            );
            if !matches!(line(&question).as_deref(), Some("y" | "Y" | "yes")) {
                return Err(SecretsError::NoKeyring { why }.into());
            }
            Ok(blocking(move || secrets.choose(Store::File)).await?)
        }
        tried => Ok(tried.map(|_usable| ())?),
    }
}

/// What was given, from the terminal with hidden input or from a pipe line by line; `None` when
/// something needed is blank or the input ends early.
fn ask(credentials: &[Credential]) -> Option<BTreeMap<&'static str, SecretString>> {
    let from_terminal = std::io::stdin().is_terminal();
    let mut given = BTreeMap::new();
    for credential in credentials {
        let blank = if credential.optional {
            "（可留空）"
        } else {
            ""
        };
        let question = format!("{}{blank}：", credential.label);
        let typed = if credential.hidden && from_terminal {
            rpassword::prompt_password(question).ok()
        } else {
            line(&question)
        };
        match typed {
            Some(typed) if !typed.is_empty() => {
                given.insert(credential.name, SecretString::from(typed));
            }
            Some(_) if credential.optional => {}
            // A pipe may end before what is optional; at a terminal it is a person who gives up.
            None if credential.optional && !from_terminal => {}
            _ => return None,
        }
    }
    Some(given)
}

/// Tells whoever signs in at the terminal what to do: on standard error, and whatever `--log` says.
pub fn tell(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// One line of input after a question on standard error, which is the terminal's even when the
/// output goes to a file.
fn line(question: &str) -> Option<String> {
    let mut terminal = std::io::stderr().lock();
    let _ = terminal
        .write_all(question.as_bytes())
        .and_then(|()| terminal.flush());
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).ok()?;
    let line = line.trim_end_matches(['\r', '\n']).to_owned();
    (read > 0).then_some(line)
}
