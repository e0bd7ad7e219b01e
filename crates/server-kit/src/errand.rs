//! What a server is: its name, its tools, its settings, its own checks.

use std::borrow::Cow;

use futures::future::BoxFuture;
use rmcp::{handler::server::router::tool::ToolRouter, model::Tool};

use crate::{
    Kit,
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

/// One server. The kit does the rest: command line, serving, the call's boundary, audit, checks.
pub trait Errand: Send + Sync + Sized + 'static {
    /// Its presentation.
    const ABOUT: About;

    /// Builds the server out of its settings without touching network, disk or keyring: hosts
    /// start servers only to list their tools.
    fn start(kit: &Kit, settings: &mut Settings) -> Result<Self, Refusal>;

    /// All tools: the routers of the files in `tools/`, added.
    fn router() -> ToolRouter<Self>;

    /// Whether another person or the service can notice what the tool changes: such tools are off
    /// under `--read-only` and are never cut short. A server whose tools change only what is its own,
    /// such as a login, says so here; the tool may bear the name it is listed under.
    fn is_write(tool: &Tool) -> bool {
        let hints = tool.annotations.as_ref();
        hints.and_then(|hints| hints.read_only_hint) != Some(true)
    }

    /// The one inner name of a tool that was called by an alias.
    fn canonical<'a>(&self, called: &'a str) -> Cow<'a, str> {
        called.into()
    }

    /// The name under which a tool is listed.
    fn listed<'a>(&self, inner: &'a str) -> Cow<'a, str> {
        inner.into()
    }

    /// Variables that `setup` writes for a host, beside command and arguments.
    fn setup_variables(_host: &str) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Called after each answer, for work that must not delay one.
    fn answered(&self) {}

    /// The server's own checks; with `live`, those that ask the network too.
    fn examine(&self, _live: bool) -> BoxFuture<'_, Vec<Finding>> {
        Box::pin(async { Vec::new() })
    }
}
