//! Questions as servers meet them: asked, answered by tool or page, lost, and in a real browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod browser;
mod captcha;
mod expiry;
mod page;
mod processes;
mod refusals;
mod rules;
mod toy;
mod wire;

use std::time::Duration;

use challenge::{Challenges, Field, Kind, Picture, Question};
use jiff::Timestamp;
use state::{Clock, StateDir};

/// How long a question waits.
const TTL: Duration = Duration::from_secs(240);

/// The moment of the fixed clock: 20:11 in China.
fn noon() -> Timestamp {
    "2026-12-01T12:11:00Z".parse().unwrap()
}

/// So many seconds after [`noon`].
fn after(seconds: i64) -> Timestamp {
    Timestamp::from_second(noon().as_second() + seconds).unwrap()
}

/// Questions on a folder, or in memory, at a fixed moment.
fn at<T: Send + 'static>(folder: Option<&StateDir>, moment: Timestamp) -> Challenges<T> {
    Challenges::new(folder.cloned(), Clock::fixed(moment), TTL)
}

/// A state folder that vanishes with the test.
fn folder() -> (tempfile::TempDir, StateDir) {
    let root = tempfile::tempdir().unwrap();
    let folder = StateDir::at(root.path().join("state"));
    (root, folder)
}

fn field(name: &'static str, label: &str, secret: bool) -> Field {
    Field {
        name,
        label: label.to_owned(),
        secret,
    }
}

fn captcha_question() -> Question {
    Question {
        kind: Kind::Captcha,
        prompt: "请输入图片里的四个字符。".to_owned(),
        picture: Some(Picture {
            bytes: b"picture".to_vec(),
            media_type: "image/png".to_owned(),
        }),
        phone_hint: None,
        fields: vec![field(Field::ANSWER, "验证码", false)],
        note: None,
    }
}

fn sms_question() -> Question {
    Question {
        kind: Kind::Sms,
        prompt: "学校发来了一条短信，请输入里面的验证码。".to_owned(),
        picture: None,
        phone_hint: Some("138****0000".to_owned()),
        fields: vec![field(Field::ANSWER, "短信验证码", false)],
        note: None,
    }
}

fn login_question(picture: Vec<u8>) -> Question {
    Question {
        kind: Kind::ManualLogin,
        prompt: "用统一身份认证的账号登录，助手才能查询和预约座位。".to_owned(),
        picture: Some(Picture {
            bytes: picture,
            media_type: "image/png".to_owned(),
        }),
        phone_hint: None,
        fields: vec![
            field(Field::USERNAME, "学号", false),
            field(Field::PASSWORD, "密码", true),
            field(Field::ANSWER, "验证码", false),
        ],
        note: None,
    }
}
