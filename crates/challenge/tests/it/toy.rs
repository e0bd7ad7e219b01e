//! A toy server behind the page: what it does with an answer is written in each test.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
};

use challenge::{By, Challenges, Desk, Open, Page, Question, Shown, TakeError};
use futures::{FutureExt, future::BoxFuture};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{Notify, mpsc};

use crate::{at, noon};

/// What comes of an answer.
#[derive(Debug)]
pub(crate) enum Step {
    Done(&'static str),
    Failed(&'static str),
    /// Another question.
    Ask(Question),
    Panic,
    /// Says that it began, waits, says that it ended, and is done.
    Wait(mpsc::UnboundedSender<&'static str>, Arc<Notify>),
}

/// The steps of a suspended use.
pub(crate) type Flow = VecDeque<Step>;

/// An answer that the toy does not take: it asks the same again.
pub(crate) const NOT_YET: &str = "not yet";

pub(crate) const TITLE: &str = "华中师大图书馆座位";

/// Questions with a page, whose desk goes through their flows.
#[derive(Clone)]
pub(crate) struct Toy {
    pub(crate) challenges: Challenges<Flow>,
    seen: Arc<Mutex<Vec<BTreeMap<String, String>>>>,
}

impl Toy {
    pub(crate) fn new() -> Self {
        Self::on(at(None, noon()))
    }

    pub(crate) fn on(challenges: Challenges<Flow>) -> Self {
        let toy = Self {
            challenges,
            seen: Arc::default(),
        };
        let desk = Arc::new(toy.clone());
        toy.challenges.attach(Page::new(TITLE, desk));
        toy
    }

    /// Asks for the account `one`; the steps are what comes of the answers.
    pub(crate) async fn ask(&self, question: Question, steps: impl Into<Flow>) -> Open {
        let opened = self.challenges.open("one", question, steps.into()).await;
        opened.unwrap()
    }

    /// The answers that came by the page so far.
    pub(crate) fn seen(&self) -> Vec<BTreeMap<String, String>> {
        self.seen.lock().unwrap().clone()
    }

    async fn go_on(self, account: String, id: String) -> Result<Shown, TakeError> {
        let last = self.seen().pop().unwrap_or_default();
        if last.values().any(|answer| answer == NOT_YET) {
            let mut open = self.challenges.look(&account, &id).await?;
            open.question.note = Some("还没有完成".to_owned());
            return Ok(Shown::Ask(open));
        }
        let (_, mut flow) = self.challenges.take(&account, &id, By::Page).await?;
        Ok(match flow.pop_front().expect("a step") {
            Step::Done(said) => Shown::Done(said.to_owned()),
            Step::Failed(said) => Shown::Failed(said.to_owned()),
            Step::Ask(question) => {
                let opened = self.challenges.open(&account, question, flow).await;
                Shown::Ask(opened.expect("the only question"))
            }
            Step::Panic => panic!("as the test wants it"),
            Step::Wait(say, go_on) => {
                say.send("began").unwrap();
                go_on.notified().await;
                say.send("ended").unwrap();
                Shown::Done("等到了".to_owned())
            }
        })
    }
}

impl Desk for Toy {
    fn answer(
        &self,
        account: String,
        id: String,
        answers: BTreeMap<String, SecretString>,
    ) -> BoxFuture<'static, Shown> {
        let printed = format!("{answers:?}");
        let plain = answers.into_iter().map(|(name, answer)| {
            assert!(
                !printed.contains(&format!("\"{}\"", answer.expose_secret())),
                "{name}"
            );
            (name, answer.expose_secret().to_owned())
        });
        self.seen.lock().unwrap().push(plain.collect());
        let went = self.clone().go_on(account, id);
        went.map(|shown| shown.unwrap_or_else(|error| Shown::Failed(error.to_string())))
            .boxed()
    }
}

/// One set of answers as [`Toy::seen`] has it.
pub(crate) fn answers<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
    let owned = pairs.map(|(name, answer)| (name.to_owned(), answer.to_owned()));
    owned.into()
}
