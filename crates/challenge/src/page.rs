//! A small page on a loopback address, where a person answers in a browser of this machine.
//!
//! It stays until the process ends: who opens a link too late reads why it does not work.

mod html;
mod notices;
mod sheet;
mod visit;

use std::{
    collections::{BTreeMap, HashMap},
    io,
    net::Ipv4Addr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::Router;
use futures::future::BoxFuture;
use secrecy::SecretString;
use tokio::{net::TcpListener, sync::OnceCell, task::JoinSet};

use crate::{Error, Open, challenges::Inner, random};

/// What goes on with an answer that came by the page: the same as with one that came by a tool.
pub trait Desk: Send + Sync + 'static {
    /// Goes on with the question `id` of `account`, which it takes as [`crate::By::Page`]. `answers`
    /// has every field of the question and nothing else. When a device has answered it meanwhile, the
    /// person is told how that ended, and `answers` is empty. Runs to its end, also when the browser is
    /// closed meanwhile.
    fn answer(
        &self,
        account: String,
        id: String,
        answers: BTreeMap<String, SecretString>,
    ) -> BoxFuture<'static, Shown>;
}

/// What the person sees after an answer. All text is Chinese sentences for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one per answer of a person"
)]
pub enum Shown {
    /// It worked: what was reached.
    Done(String),
    /// There is another question, or the same one again.
    Ask(Open),
    /// It did not work, and no question is open: what happened and what to do.
    Failed(String),
}

/// The page of one server. Loopback only, bound when first needed, one random path per question.
///
/// It has no script. Requests that name another host, and forms sent from another origin, are
/// refused.
pub struct Page {
    /// The server's name for people.
    title: String,
    desk: Arc<dyn Desk>,
    links: Mutex<HashMap<String, Link>>,
    serving: OnceCell<Serving>,
}

struct Serving {
    port: u16,
    /// Dropping it closes the address.
    _task: JoinSet<()>,
}

/// Where a path leads to.
#[derive(Clone)]
struct Link {
    account: String,
    id: String,
}

/// A path not yet in use.
pub(crate) struct Fresh {
    path: String,
    /// Its whole address.
    pub(crate) url: String,
}

impl Page {
    /// A page with the server's name for people as its title, whose answers go to `desk`. Bound when
    /// the first question is asked.
    pub fn new(title: impl Into<String>, desk: Arc<dyn Desk>) -> Self {
        Self {
            title: title.into(),
            desk,
            links: Mutex::default(),
            serving: OnceCell::new(),
        }
    }

    /// The port that serves it, from now on if not before; `None` when the system refuses one.
    pub(crate) async fn port<T: Send + 'static>(&self, inner: &Arc<Inner<T>>) -> Option<u16> {
        let bound = self.serving.get_or_try_init(async || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            let port = listener.local_addr()?.port();
            let door = visit::Door::new(port, Arc::downgrade(inner));
            let router = Router::new().fallback(visit::visit::<T>).with_state(door);
            let mut task = JoinSet::new();
            task.spawn(async move {
                let _never_ends = axum::serve(listener, router).await;
            });
            Ok::<_, io::Error>(Serving { port, _task: task })
        });
        match bound.await {
            Ok(serving) => Some(serving.port),
            Err(error) => {
                tracing::warn!(%error, "questions cannot be answered in a browser");
                None
            }
        }
    }

    /// A path for the next question.
    pub(crate) async fn path<T: Send + 'static>(
        &self,
        inner: &Arc<Inner<T>>,
    ) -> Result<Option<Fresh>, Error> {
        let Some(port) = self.port(inner).await else {
            return Ok(None);
        };
        let path = random::name::<16>()?;
        let url = format!("http://127.0.0.1:{port}/{path}");
        Ok(Some(Fresh { path, url }))
    }

    /// Lets `path` lead to `open`.
    pub(crate) fn lead(&self, fresh: Fresh, open: &Open) {
        let link = Link {
            account: open.account.clone(),
            id: open.id.clone(),
        };
        self.links().insert(fresh.path, link);
    }

    /// The path that leads to the question `id`.
    fn path_of(&self, id: &str) -> Option<String> {
        let links = self.links();
        let found = links.iter().find(|(_, link)| link.id == id);
        found.map(|(path, _)| path.clone())
    }

    fn links(&self) -> MutexGuard<'_, HashMap<String, Link>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
