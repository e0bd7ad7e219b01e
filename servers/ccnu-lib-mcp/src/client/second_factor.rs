//! The second step of a sign-in. Nobody has recorded its page: everything here is ASSUMED
//! (docs/upstreams/ccnu-lib.md, 6), so that a correction stays in this file.

use http_session::{
    Url,
    form::{self, Field, Form},
};
use secrecy::{ExposeSecret, SecretString};
use server_kit::outside;

use super::sign_in::complaint;
use crate::error::SignIn;

/// The field of the code.
const CODE: &str = "smsCode";

/// In name, value or words of a button that has the code sent.
const SENDS: [&str; 4] = ["send", "Send", "发送", "获取"];

/// Most characters of a page's text that are shown.
const SHOWN: usize = 200;

/// The page that asks for a code sent by SMS.
#[derive(Clone)]
pub(crate) struct SmsPage {
    pub(super) form: Form,
    pub(super) address: Url,
    /// The name of the field for the code.
    field: String,
    /// Whether the form's button has the code sent; else it is under way by itself.
    pub(crate) sends: bool,
    /// The end of the telephone number, as the page shows it.
    pub(crate) phone_hint: Option<String>,
    /// The page's complaint about the last step.
    pub(crate) complaint: Option<String>,
}

/// The page, if it asks for a code by SMS: a field `smsCode`, or one whose hint names 短信.
pub(super) fn sms(html: &str, address: &Url) -> Option<SmsPage> {
    let asks = |field: &&Field| field.name == CODE || field.placeholder.contains("短信");
    let forms = Form::all(html, address).into_iter();
    let mut forms = forms.filter(|form| !form.has("password"));
    let (form, field) = forms.find_map(|form| {
        let field = form.fields.iter().find(asks)?.name.clone();
        Some((form, field))
    })?;
    let words = form::text_of(html, "button").unwrap_or_default();
    let named = |word: &str| SENDS.iter().any(|sends| word.contains(sends));
    let mut buttons = form.fields.iter().filter(|field| is_button(field));
    let sends = buttons.any(|button| named(&button.name) || named(&button.value) || named(&words));
    Some(SmsPage {
        form,
        address: address.clone(),
        field,
        sends,
        phone_hint: phone_hint(&form::text_of(html, "body").unwrap_or_default()),
        complaint: complaint(html),
    })
}

/// A page that is neither the form nor a known second step.
pub(super) fn unknown(html: &str) -> SignIn {
    let text = form::text_of(html, "body").map(|text| {
        let text: String = text.chars().take(SHOWN).collect();
        outside(&text)
    });
    SignIn::SecondFactor {
        title: form::title(html).map(|title| outside(&title)),
        text,
    }
}

impl SmsPage {
    /// What is sent with the code: pressing the button would have another one sent.
    pub(super) fn without_button(&self) -> Vec<(&str, &str)> {
        let fields = self.form.fields.iter();
        let fields = fields.filter(|field| !(self.sends && is_button(field)));
        fields
            .map(|field| (field.name.as_str(), field.value.as_str()))
            .collect()
    }

    pub(super) fn with_code(&self, code: &SecretString) -> Self {
        let mut page = self.clone();
        page.form.fill(&self.field, code.expose_secret().trim());
        page
    }
}

fn is_button(field: &Field) -> bool {
    field.kind == "submit"
}

/// The masked number in a text: `138****1234`, or `尾号1234`.
fn phone_hint(text: &str) -> Option<String> {
    let mut words = text.split(|c: char| !c.is_ascii_digit() && c != '*');
    let masked = words.find(|word| {
        let stars = word.bytes().filter(|b| *b == b'*').count();
        stars >= 3 && word.len() > stars && word.len() >= 7
    });
    let tail = || {
        let (_, after) = text.split_once("尾号")?;
        let after = after.trim_start_matches([' ', '为', '：', ':']);
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then(|| format!("尾号{digits}"))
    };
    masked.map(str::to_owned).or_else(tail)
}

#[cfg(test)]
mod tests;
