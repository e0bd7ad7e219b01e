//! What the sign-in's page says: its form, its refusal, the token it leads to.

use http_session::{
    Url,
    form::{self, Form},
};
use secrecy::{ExposeSecret, SecretString};
use server_kit::outside;
use url::form_urlencoded;

use super::Account;

/// Where a page has its sentence.
const SENTENCES: [&str; 2] = ["#msg", ".errors"];

/// How refusals are worded, for a page without an element for its sentence. No label of the form has
/// one of these.
const REFUSALS: [&str; 9] = [
    "用户名或密码有误",
    "用户名或密码错误",
    "密码错误",
    "认证信息无效",
    "认证失败",
    "验证码错误",
    "验证码不正确",
    "无效的验证码",
    "账号被锁定",
];

/// The sign-in page as it was given: its hidden fields go back unchanged.
#[derive(Clone)]
pub(crate) struct LoginPage {
    form: Form,
    pub(super) address: Url,
}

impl LoginPage {
    /// The page, if it has the form: its mark is a field `execution`, its purpose the account.
    pub(super) fn read(html: &str, address: &Url) -> Option<Self> {
        let form = Form::with_input(html, address, "execution")?;
        let takes_account = form.has("username") && form.has("password");
        takes_account.then(|| Self {
            form,
            address: address.clone(),
        })
    }

    /// Whether a captcha is wanted.
    pub(crate) fn has_captcha(&self) -> bool {
        self.form.has("captcha")
    }

    /// The form with an account typed in, and what a person reads in the picture.
    pub(super) fn filled(&self, account: &Account, captcha: Option<&SecretString>) -> Form {
        let mut form = self.form.clone();
        form.fill("username", &account.username);
        form.fill("password", account.password.expose_secret());
        if let Some(captcha) = captcha {
            form.fill("captcha", captcha.expose_secret().trim());
        }
        form
    }
}

/// What a page complains of, from the element made for it.
pub(in crate::client) fn complaint(html: &str) -> Option<String> {
    let mut said = SENTENCES
        .into_iter()
        .filter_map(|place| form::text_of(html, place));
    said.find(|said| !said.is_empty())
        .map(|said| outside(&said))
}

/// The sentence of a refusal: the page's complaint, else one in known words.
pub(super) fn refusal(html: &str) -> Option<String> {
    complaint(html).or_else(|| {
        let text = form::text_of(html, "body")?;
        let mut sentences = text.split([' ', '。', '！', '!']);
        let known = |sentence: &&str| REFUSALS.iter().any(|words| sentence.contains(words));
        sentences.find(known).map(outside)
    })
}

/// The token in an address: in its query, or behind a `?` in its fragment.
pub(super) fn token(url: &Url) -> Option<SecretString> {
    let in_fragment = url.fragment().and_then(|fragment| fragment.split_once('?'));
    let queries = [url.query(), in_fragment.map(|(_, query)| query)];
    let mut pairs = queries
        .into_iter()
        .flatten()
        .flat_map(|query| form_urlencoded::parse(query.as_bytes()));
    let (_, token) = pairs.find(|(name, value)| name == "token" && is_token(value))?;
    Some(SecretString::from(token.into_owned()))
}

/// It goes into a path, so that nothing else may be in it.
fn is_token(text: &str) -> bool {
    let allowed =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~' | b'=');
    !text.is_empty() && text.bytes().all(allowed) && !text.starts_with('.')
}

#[cfg(test)]
mod tests;
