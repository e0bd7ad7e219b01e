//! What a server is: its name, its tools, its settings, its own checks.

use std::borrow::Cow;
#[cfg(feature = "account")]
use std::collections::BTreeMap;

use futures::future::BoxFuture;
use rmcp::{
    handler::server::router::tool::ToolRouter,
    model::{JsonObject, Tool},
};

#[cfg(feature = "account")]
use secrecy::SecretString;

#[cfg(feature = "account")]
use crate::failure::{self, Failure};
use crate::{
    Kit, Prompt, Resource,
    doctor::Finding,
    settings::{Refusal, Settings},
};

/// How a server presents itself.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// The binary's name, `rail-mcp`.
    pub name: &'static str,
    /// The package's version.
    pub version: &'static str,
    /// A few Chinese words for lists.
    pub title: &'static str,
    /// What its variables begin with, `RAIL`.
    pub prefix: &'static str,
    /// What it is for, the usual order of calls, the safety rules.
    pub instructions: &'static str,
}

/// One thing that `login` asks for.
#[cfg(feature = "account")]
#[derive(Debug, Clone, Copy)]
pub struct Credential {
    /// Under which name the server gets it.
    pub name: &'static str,
    /// The question, in Chinese.
    pub label: &'static str,
    /// Whether it is typed unseen.
    pub hidden: bool,
    /// Whether it may be left blank, and is then not among what the server gets.
    pub optional: bool,
}

/// One server. The kit does the rest: command line, serving, the call's boundary, audit, checks.
pub trait Errand: Send + Sync + Sized + 'static {
    /// Its presentation.
    const ABOUT: About;

    /// A variable of its own that names the state folder, used as it is, after the common ones.
    const FOLDER_VARIABLE: Option<&'static str> = None;

    /// Builds the server out of its settings without touching network, disk or keyring: hosts
    /// start servers only to list their tools.
    fn start(kit: &Kit, settings: &mut Settings) -> Result<Self, Refusal>;

    /// All tools: the routers of the files in `tools/`, added.
    fn router() -> ToolRouter<Self>;

    /// Requests that hosts offer their user ready-made; none by default.
    const PROMPTS: &'static [Prompt] = &[];

    /// What hosts can read by an address; nothing by default.
    const RESOURCES: &'static [Resource<Self>] = &[];

    /// Whether another person or the service can notice what the tool changes: such tools are off
    /// under `--read-only` and are never cut short. A server whose tools change only what is its own,
    /// such as a login, says so here; the tool may bear the name it is listed under.
    fn is_write(tool: &Tool) -> bool {
        let hints = tool.annotations.as_ref();
        hints.and_then(|hints| hints.read_only_hint) != Some(true)
    }

    /// Whose errand a call is, by its arguments, for the audit; the usual user's where they name nobody.
    fn account(&self, _arguments: &JsonObject) -> Option<String> {
        None
    }

    /// The one inner name of a tool that was called by an alias.
    fn canonical<'a>(&self, called: &'a str) -> Cow<'a, str> {
        called.into()
    }

    /// How the inner name of a tool is told to callers; `None` when as it is.
    fn listed(&self) -> Option<fn(&str) -> String> {
        None
    }

    /// Variables that `setup` writes for a host, beside command and arguments.
    fn setup_variables(_host: &str) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What `login` asks for, in order; empty without an account.
    #[cfg(feature = "account")]
    const CREDENTIALS: &'static [Credential] = &[];

    /// The user that `login` or `logout` names, or the usual one. Fails when it cannot be one; nothing
    /// was asked of anybody by then.
    #[cfg(feature = "account")]
    fn user(&self, asked: Option<String>) -> Result<String, Failure> {
        Ok(asked.unwrap_or_default())
    }

    /// Keeps the credentials of `user`, signs in as far as the server does that here, and gives a
    /// sentence of success. What was left blank is missing in `given`; which of them go together is
    /// the server's to check.
    #[cfg(feature = "account")]
    fn login(
        &self,
        _user: String,
        _given: BTreeMap<&'static str, SecretString>,
    ) -> BoxFuture<'_, Result<String, Failure>> {
        Box::pin(async { Err(failure::internal()) })
    }

    /// Forgets credentials and session of `user`, or of all.
    #[cfg(feature = "account")]
    fn logout(&self, _user: Option<String>) -> BoxFuture<'_, Result<String, Failure>> {
        Box::pin(async { Err(failure::internal()) })
    }

    /// Called after each answer, for work that must not delay one.
    fn answered(&self) {}

    /// The server's own checks; with `live`, those that ask the network too.
    fn examine(&self, _live: bool) -> BoxFuture<'_, Vec<Finding>> {
        Box::pin(async { Vec::new() })
    }
}
