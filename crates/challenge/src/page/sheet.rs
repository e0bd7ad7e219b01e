//! One answer of the page, and the headers that every answer has.

use std::sync::LazyLock;

use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::html::STYLE;

/// A status and a page, or another path to go to.
pub(super) struct Sheet {
    status: StatusCode,
    html: String,
    /// What this status has beyond the others: where to go, what is allowed.
    header: Option<(HeaderName, HeaderValue)>,
}

impl Sheet {
    pub(super) fn new(status: StatusCode, html: String) -> Self {
        let header = None;
        Self {
            status,
            html,
            header,
        }
    }

    /// Nothing is told to who asks for another host.
    pub(super) fn misdirected() -> Self {
        Self::new(StatusCode::MISDIRECTED_REQUEST, String::new())
    }

    /// Asks for `path` of the same origin by a new `GET`.
    pub(super) fn see_other(path: &str) -> Self {
        let to = HeaderValue::try_from(format!("/{path}")).ok();
        Self {
            header: to.map(|to| (header::LOCATION, to)),
            ..Self::new(StatusCode::SEE_OTHER, String::new())
        }
    }

    /// Names the methods that there are.
    pub(super) fn allowing(self, methods: &'static str) -> Self {
        let header = Some((header::ALLOW, HeaderValue::from_static(methods)));
        Self { header, ..self }
    }
}

impl IntoResponse for Sheet {
    fn into_response(self) -> Response {
        let mut response = (self.status, Html(self.html)).into_response();
        let headers = response.headers_mut();
        headers.extend(self.header);
        headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
        for (name, value) in [
            (header::CACHE_CONTROL, "no-store"),
            // Under `no-referrer` browsers send forms with the origin `null`.
            (header::REFERRER_POLICY, "same-origin"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// Nothing is loaded but the page's own style and pictures that stand in it.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let style = BASE64.encode(&Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{style}'; form-action 'self'; \
         frame-ancestors 'none'; base-uri 'none'"
    );
    // It has letters that a header may have only; were it not so, nothing at all would be loaded.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});
