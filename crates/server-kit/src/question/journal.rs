//! What a question leaves in the audit log: that it was asked, how it was answered, that its time ran out.

use audit::Event;
use challenge::{By, Challenges, Lost, Open, Refused, TakeError};
use serde_json::json;

use crate::Journal;

impl Journal {
    /// Notes a question that was just asked, and later that its time ran out, if it does.
    pub fn asked<T: Send + 'static>(&self, challenges: &Challenges<T>, open: &Open) {
        self.question(open, "asked");
        let (challenges, journal, open) = (challenges.clone(), self.clone(), open.clone());
        tokio::spawn(async move {
            if ran_out(&challenges, &open).await {
                journal.question(&open, "expired");
            }
        });
    }

    /// Notes that a question was answered, not with what.
    pub fn answered(&self, open: &Open, by: By) {
        let step = match by {
            By::Tool => "answered by tool",
            By::Page => "answered by page",
            By::Device => "answered by device",
        };
        self.question(open, step);
    }

    fn question(&self, open: &Open, step: &str) {
        let about = json!({
            "challenge_id": open.id,
            "challenge_type": open.question.kind,
            "step": step,
        });
        self.note(Event::Challenge, Some(&open.account), about, None);
    }
}

/// Waits until a question is settled, and tells whether that was by its time.
async fn ran_out<T: Send + 'static>(challenges: &Challenges<T>, open: &Open) -> bool {
    challenges.settled(&open.id).await;
    let found = challenges.look(&open.account, &open.id).await;
    matches!(found, Err(TakeError::Refused(Refused::Lost(Lost::Expired))))
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
