//! The page's HTML. Every text goes through [`escaped`], and there is no script.

use data_encoding::BASE64;
use jiff::{
    Timestamp,
    tz::{Offset, TimeZone},
};

use crate::{Field, Kind, Open, Picture};

/// The page's only style; the policy that is sent along names its digest.
pub(super) const STYLE: &str = include_str!("style.css");

/// The people who are asked live by this time.
const CHINA: Offset = Offset::constant(8);

/// How a notice looks.
#[derive(Clone, Copy)]
pub(super) enum Tone {
    /// It worked.
    Good,
    /// It did not.
    Bad,
    /// There is nothing to do here.
    Calm,
}

/// A page that asks nothing.
pub(super) struct Notice<'a> {
    pub(super) title: &'a str,
    pub(super) tone: Tone,
    pub(super) heading: &'a str,
    /// Paragraphs.
    pub(super) said: &'a [&'a str],
    /// The path of another question.
    pub(super) next: Option<&'a str>,
}

pub(super) fn notice(notice: &Notice<'_>) -> String {
    let (class, mark) = match notice.tone {
        Tone::Good => ("good", "✓"),
        Tone::Bad => ("bad", "!"),
        Tone::Calm => ("calm", "i"),
    };
    let heading = escaped(notice.heading);
    let said: String = notice
        .said
        .iter()
        .map(|said| paragraph("said", said))
        .collect();
    let next = notice.next.map_or_else(String::new, |path| {
        format!(
            "<a class=\"button\" href=\"/{}\">回答下一个问题</a>\n",
            escaped(path)
        )
    });
    let main = format!(
        "<p class=\"mark {class}\" aria-hidden=\"true\">{mark}</p>\n<h1>{heading}</h1>\n{said}{next}"
    );
    document(notice.title, notice.heading, "notice", &main)
}

pub(super) fn question(title: &str, open: &Open) -> String {
    let question = &open.question;
    let (heading, button) = match question.kind {
        Kind::Captcha | Kind::Sms => ("输入验证码", "提交"),
        Kind::ConfirmSendSms => ("发送短信验证码", "发送验证码"),
        Kind::ManualLogin => ("登录", "登录"),
        Kind::QrCode => ("扫码登录", "我已扫码"),
    };
    let note = question.note.as_deref().map_or_else(String::new, |note| {
        format!("<p class=\"note\" role=\"alert\">{}</p>\n", escaped(note))
    });
    let phone = question
        .phone_hint
        .as_deref()
        .map_or_else(String::new, |phone| {
            format!("<p class=\"phone\">手机号 <b>{}</b></p>\n", escaped(phone))
        });
    let main = format!(
        "<h1>{heading}</h1>\n{prompt}{note}{phone}<form method=\"post\">\n{inputs}\
         <button type=\"submit\">{button}</button>\n</form>\n{until}",
        prompt = paragraph("prompt", &question.prompt),
        inputs = inputs(open),
        until = until(open.expires_at),
    );
    document(title, heading, "question", &main)
}

/// The fields in their order, the picture inside the one it belongs to.
fn inputs(open: &Open) -> String {
    let question = &open.question;
    let shown = question.picture.as_ref();
    let mut shown = shown.map_or_else(String::new, |shown| picture(question.kind, shown));
    let mut html = String::new();
    for (index, field) in question.fields.iter().enumerate() {
        let belongs = ![Field::USERNAME, Field::PASSWORD].contains(&field.name);
        let shown = if belongs {
            std::mem::take(&mut shown)
        } else {
            String::new()
        };
        html += &input(question.kind, field, index == 0, &shown);
    }
    html + &shown
}

/// One field; `shown` is HTML between its label and its input.
fn input(kind: Kind, field: &Field, first: bool, shown: &str) -> String {
    let (name, label) = (escaped(field.name), escaped(&field.label));
    let purpose = match (field.name, kind) {
        (Field::USERNAME, _) => "autocomplete=\"username\"",
        (Field::PASSWORD, _) => "autocomplete=\"current-password\"",
        (_, Kind::Sms) => "autocomplete=\"one-time-code\" inputmode=\"numeric\"",
        _ => "autocomplete=\"off\"",
    };
    let kind = if field.secret { "password" } else { "text" };
    let focus = if first { " autofocus" } else { "" };
    format!(
        "<label for=\"{name}\">{label}</label>\n{shown}<input id=\"{name}\" name=\"{name}\" \
         type=\"{kind}\" {purpose} autocapitalize=\"off\" autocorrect=\"off\" \
         spellcheck=\"false\" required{focus}>\n"
    )
}

fn picture(kind: Kind, picture: &Picture) -> String {
    let (class, text) = match kind {
        Kind::QrCode => ("code", "二维码"),
        _ => ("captcha", "验证码图片"),
    };
    let (media_type, data) = (escaped(&picture.media_type), BASE64.encode(&picture.bytes));
    format!(
        "<p class=\"picture\"><img class=\"{class}\" alt=\"{text}\" \
         src=\"data:{media_type};base64,{data}\"></p>\n"
    )
}

fn until(expires_at: Timestamp) -> String {
    let local = TimeZone::fixed(CHINA).to_datetime(expires_at);
    let time = local.strftime("%H:%M");
    format!(
        "<p class=\"until\">请在 <time datetime=\"{time}+08:00\">{time}</time> 前完成（北京时间）</p>\n"
    )
}

fn paragraph(class: &str, text: &str) -> String {
    format!("<p class=\"{class}\">{}</p>\n", escaped(text))
}

/// The whole page. `main` is HTML, the rest is text.
fn document(title: &str, heading: &str, class: &str, main: &str) -> String {
    let (title, heading) = (escaped(title), escaped(heading));
    format!(
        "<!doctype html>\n<html lang=\"zh-CN\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{heading} · {title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <main class=\"{class}\">\n<p class=\"server\">{title}</p>\n{main}</main>\n\
         <footer>这个页面由您电脑上的程序提供，<wbr>填写的内容不会出现在&nbsp;AI&nbsp;对话里。</footer>\n\
         </body>\n</html>\n"
    )
}

/// Text as it may stand between tags and in quoted attributes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html += "&amp;",
            '<' => html += "&lt;",
            '>' => html += "&gt;",
            '"' => html += "&quot;",
            '\'' => html += "&#39;",
            other => html.push(other),
        }
    }
    html
}
