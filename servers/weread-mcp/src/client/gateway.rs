//! The official gateway: one address, the name of the call in the body.

use std::sync::Arc;

use http_session::{
    Session,
    header::{AUTHORIZATION, HeaderValue},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::{connection::Shared, envelope};
use crate::error::Error;

/// Where all calls go (docs/upstreams/weread.md, 2).
const PATH: &str = "api/agent/gateway";

/// The gateway, asked with one key.
pub(crate) struct Gateway {
    session: Session,
    key: SecretString,
    shared: Arc<Shared>,
}

impl Gateway {
    pub(super) fn new(session: Session, key: SecretString, shared: Arc<Shared>) -> Self {
        Self {
            session,
            key,
            shared,
        }
    }

    /// Calls `api_name` with `parameters`, an object: they stand beside the name, since nested ones are
    /// silently ignored.
    pub(super) async fn ask(
        &self,
        api_name: &'static str,
        parameters: Value,
    ) -> Result<Value, Error> {
        let mut body = json!({ "api_name": api_name, "skill_version": self.shared.skill_version });
        if let (Some(body), Value::Object(parameters)) = (body.as_object_mut(), parameters) {
            body.extend(parameters);
        }
        let bearer = format!("Bearer {}", self.key.expose_secret());
        let refused = |said: &str| Error::SignedOut {
            reason: super::Reason::Unauthenticated,
            said: said.to_owned(),
        };
        let mut bearer = HeaderValue::from_str(&bearer).map_err(|_| refused(""))?;
        bearer.set_sensitive(true);
        let request = self.session.post(PATH).repeatable();
        let reply = request
            .header(AUTHORIZATION, bearer)
            .json(&body)
            .taking_failures()
            .shown_as(api_name)
            .send()
            .await?;
        let answer = reply.json()?;
        self.shared.note_upgrade(envelope::upgrade(&answer));
        match envelope::accepted(reply.status(), answer) {
            Ok(answer) => Ok(answer),
            Err(rejected) => Err(self
                .shared
                .rejected(api_name, reply.status(), rejected)
                .await),
        }
    }
}
