//! One request to the page: who may ask, what for, and what is answered.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use axum::{
    body::to_bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use secrecy::{ExposeSecret, SecretString};
use url::form_urlencoded;

use super::{Shown, sheet::Sheet};
use crate::{By, Challenges, Open, Refused, TakeError, challenges::Inner};

/// Largest form that is read, in bytes.
const FORM_LIMIT: usize = 8 << 10;

/// What a request needs. It does not keep the questions alive.
pub(super) struct Door<T> {
    port: u16,
    inner: Weak<Inner<T>>,
}

impl<T> Door<T> {
    pub(super) fn new(port: u16, inner: Weak<Inner<T>>) -> Self {
        Self { port, inner }
    }
}

impl<T> Clone for Door<T> {
    fn clone(&self) -> Self {
        Self::new(self.port, Weak::clone(&self.inner))
    }
}

pub(super) async fn visit<T: Send + 'static>(
    State(door): State<Door<T>>,
    request: Request,
) -> Response {
    let sheet = match door.inner.upgrade() {
        Some(inner) => answer(door.port, inner, request).await,
        None => Err(Sheet::misdirected()),
    };
    sheet.unwrap_or_else(|refusal| refusal).into_response()
}

/// What to show; as the `Err` where nothing is answered or asked.
async fn answer<T: Send + 'static>(
    port: u16,
    inner: Arc<Inner<T>>,
    request: Request,
) -> Result<Sheet, Sheet> {
    let (parts, body) = request.into_parts();
    let host = only(&parts.headers, &header::HOST).unwrap_or_default();
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let (true, Some(page)) = (own.iter().any(|own| own == host), inner.page()) else {
        return Err(Sheet::misdirected());
    };
    if parts.method != Method::GET && parts.method != Method::POST {
        return Err(page.wrong_method());
    }
    let path = parts.uri.path().strip_prefix('/').unwrap_or_default();
    let link = page.links().get(path).cloned();
    let link = link.ok_or_else(|| page.unknown())?;
    let challenges = Challenges::from(Arc::clone(&inner));
    let is_form = parts.method == Method::POST;
    let open = match challenges.look(&link.account, &link.id).await {
        Ok(open) if is_form => Some(open),
        Ok(open) => return Ok(page.question(StatusCode::OK, &open)),
        // The device was faster than the person, who is told how it ended.
        Err(TakeError::Refused(Refused::NotPending { by: By::Device })) if is_form => None,
        Err(error) => return Err(page.closed(&challenges, &link, error).await),
    };
    if !from_here(&parts.headers, host) {
        return Err(page.foreign());
    }
    let form = to_bytes(body, FORM_LIMIT).await;
    let form = form.map_err(|_longer| page.too_long())?;
    let answers = match open {
        None => BTreeMap::new(),
        Some(mut open) => answers(&form, &open).ok_or_else(|| {
            open.question.note = Some("请把每一栏都填上。".to_owned());
            page.question(StatusCode::UNPROCESSABLE_ENTITY, &open)
        })?,
    };
    // A task of its own: a browser that is closed must not cut a sign-in in half.
    let going_on = tokio::spawn(page.desk.answer(link.account, link.id.clone(), answers));
    match going_on.await {
        Ok(Shown::Done(said)) => Ok(page.done(&said)),
        Ok(Shown::Failed(said)) => Ok(page.failed(&said)),
        Ok(Shown::Ask(next)) if next.id == link.id => Ok(page.question(StatusCode::OK, &next)),
        Ok(Shown::Ask(next)) => page
            .path_of(&next.id)
            .map(|path| Sheet::see_other(&path))
            .ok_or_else(|| page.broken()),
        Err(_panicked) => Err(page.broken()),
    }
}

/// The value of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

/// Whether a form of our own was sent, as far as the browser tells.
fn from_here(headers: &HeaderMap, host: &str) -> bool {
    let is = |name, allowed: &[&str]| {
        !headers.contains_key(&name)
            || only(headers, &name).is_some_and(|value| allowed.contains(&value))
    };
    is(header::ORIGIN, &[&format!("http://{host}")])
        && is(
            HeaderName::from_static("sec-fetch-site"),
            &["same-origin", "none"],
        )
}

/// What was typed into each field of the question; `None` when one is missing or blank.
fn answers(form: &[u8], open: &Open) -> Option<BTreeMap<String, SecretString>> {
    let mut typed: BTreeMap<String, SecretString> = form_urlencoded::parse(form)
        .map(|(name, value)| (name.into_owned(), SecretString::from(value.into_owned())))
        .collect();
    let fields = open.question.fields.iter();
    fields
        .map(|field| typed.remove_entry(field.name))
        .map(|entry| entry.filter(|(_, value)| !value.expose_secret().trim().is_empty()))
        .collect()
}
