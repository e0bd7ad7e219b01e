//! Waits beside the calls for what the phone does with a code.

use std::{
    future::pending,
    sync::{Arc, Weak},
    time::Duration,
};

use challenge::{By, Open};
use secrecy::SecretString;
use tokio::time::timeout;

use super::{ACCOUNT, Login, steps::failed};
use crate::{
    client::scan::{Scanned, Scanner, Ticket},
    error::Error,
};

/// Watches a code until its question is settled. Does not keep the login alive. `renewals` is how often a
/// code that nobody has scanned is still replaced.
pub(super) fn watch(
    login: &Arc<Login>,
    open: &Open,
    scanner: Arc<Scanner>,
    ticket: Ticket,
    renewals: u8,
) {
    let challenges = login.challenges.clone();
    let (pause, login, id) = (login.pause, Arc::downgrade(login), open.id.clone());
    tokio::spawn(async move {
        let end = tokio::select! {
            () = challenges.settled(&id) => return,
            end = news(&scanner, &ticket, None, pause) => end,
        };
        go_on(&login, &id, (scanner, ticket), end, renewals).await;
    });
}

/// What comes of a sign-in: past what only says that it goes on, and past faults that may pass, with a
/// `pause` after each. Sends `code` once.
pub(super) async fn news(
    scanner: &Scanner,
    ticket: &Ticket,
    mut code: Option<&SecretString>,
    pause: Duration,
) -> Result<Scanned, Error> {
    loop {
        match scanner.wait(ticket, code.take()).await {
            Ok(Scanned::Seen) => {}
            Err(Error::Network { error }) if error.is_passing(false) => {
                tracing::warn!(%error, "the sign-in is asked about again");
                let _ = timeout(pause, pending::<()>()).await;
            }
            news => return news,
        }
    }
}

async fn go_on(
    login: &Weak<Login>,
    id: &str,
    (scanner, ticket): (Arc<Scanner>, Ticket),
    end: Result<Scanned, Error>,
    renewals: u8,
) {
    let Some(login) = login.upgrade() else { return };
    // Whoever waits for the outcome has no turn before it is known.
    let _turn = login.turn.lock().await;
    let Ok((open, _)) = login.challenges.take(ACCOUNT, id, By::Device).await else {
        return;
    };
    login.journal.answered(&open, By::Device);
    let step = match end {
        Ok(Scanned::SignedIn(session)) => Ok(login.arrive(session).await),
        Ok(Scanned::NeedCode | Scanned::WrongCode | Scanned::Seen) => {
            login.ask_code(scanner, ticket, None).await
        }
        Ok(Scanned::TimedOut) if renewals > 0 => {
            let note = "二维码已更新，请扫描新的".to_owned();
            login.show_code(Some(note), renewals - 1).await
        }
        Ok(Scanned::TimedOut) => Err(failed("二维码已过期，没有人扫码")),
        Ok(Scanned::CodeExpired) => Err(failed("验证码已过期")),
        Err(error) => Err(error),
    };
    // Whoever waits is told by the question's outcome.
    let _noted = login.noted(step);
}
