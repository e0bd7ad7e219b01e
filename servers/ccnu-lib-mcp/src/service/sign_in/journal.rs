//! What a sign-in leaves in the audit log: what was asked, how it was answered, how it ended.

use challenge::{By, Challenges, Lost, Open, Refused, TakeError};
use serde_json::json;
use server_kit::{Event, Failure, Journal};

use super::{Login, Step};
use crate::{domain::user_key::UserKey, error::Error};

impl Login {
    /// Notes that a sign-in went through, or how it failed; one that waits for a person has not ended.
    pub(super) fn noted(&self, key: &UserKey, step: Result<Step, Error>) -> Result<Step, Error> {
        let failed = match &step {
            Ok(Step::Ask(_)) => return step,
            Ok(Step::SignedIn { .. }) => None,
            Err(error) => Some(Failure::from(error.clone())),
        };
        let account = Some(key.as_str());
        self.journal
            .note(Event::Login, account, json!({}), failed.as_ref());
        step
    }

    /// Notes a question that was just asked, and later that its time ran out, if it does.
    pub(super) fn note_asked(&self, open: &Open) {
        note(&self.journal, open, "asked");
        let (challenges, journal, open) =
            (self.challenges.clone(), self.journal.clone(), open.clone());
        tokio::spawn(async move {
            if ran_out(&challenges, &open).await {
                note(&journal, &open, "expired");
            }
        });
    }

    /// Notes that a question was answered, not with what.
    pub(super) fn note_answered(&self, open: &Open, by: By) {
        let step = match by {
            By::Tool => "answered by tool",
            By::Page => "answered by page",
        };
        note(&self.journal, open, step);
    }
}

/// Waits until a question is settled, and tells whether that was by its time.
async fn ran_out<T: Send + 'static>(challenges: &Challenges<T>, open: &Open) -> bool {
    challenges.settled(&open.id).await;
    let found = challenges.look(&open.account, &open.id).await;
    matches!(found, Err(TakeError::Refused(Refused::Lost(Lost::Expired))))
}

fn note(journal: &Journal, open: &Open, step: &str) {
    let about = json!({
        "challenge_id": open.id,
        "challenge_type": open.question.kind,
        "step": step,
    });
    journal.note(Event::Challenge, Some(&open.account), about, None);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use challenge::{Kind, Question};
    use state::Clock;

    use super::*;

    #[tokio::test]
    async fn a_question_runs_out_by_its_time_alone() {
        let ask = async |challenges: &Challenges<()>| {
            let question = Question {
                kind: Kind::Captcha,
                prompt: String::new(),
                picture: None,
                phone_hint: None,
                fields: Vec::new(),
                note: None,
            };
            challenges.open("me", question, ()).await.unwrap()
        };
        let short = Challenges::new(None, Clock::system(), Duration::from_millis(5));
        let open = ask(&short).await;
        assert!(ran_out(&short, &open).await);
        let long = Challenges::new(None, Clock::system(), Duration::from_secs(600));
        let open = ask(&long).await;
        long.take("me", &open.id, By::Page).await.unwrap();
        assert!(!ran_out(&long, &open).await);
        let open = ask(&long).await;
        long.withdraw(Some("me")).await.unwrap();
        assert!(!ran_out(&long, &open).await);
    }
}
