//! The page as a browser asks for it: questions, answers, and what comes of them.

use std::{sync::Arc, time::Duration};

use challenge::{By, Kind, Open, Picture, Question, Refused, TakeError};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use tokio::{sync::Notify, sync::mpsc, time::timeout};

use crate::{
    captcha_question, field, login_question, sms_question,
    toy::{NOT_YET, Step, TITLE, Toy, answers},
    wire::{get, place, post, sent},
};

fn url(open: &Open) -> &str {
    open.page_url.as_deref().unwrap()
}

#[tokio::test]
async fn each_question_has_an_address_of_its_own_that_nobody_can_guess() {
    let toy = Toy::new();
    let first = toy.ask(captcha_question(), [Step::Done("")]).await;
    let other = toy.challenges.open("two", sms_question(), [].into()).await;
    let (first, other) = (place(url(&first)), place(url(&other.unwrap())));
    assert_eq!(first.0, other.0);
    assert_ne!(first.1, other.1);
    for (_, path) in [first, other] {
        let digits = path.strip_prefix('/').unwrap();
        let is_hex = digits
            .chars()
            .all(|digit| "0123456789abcdef".contains(digit));
        assert!(digits.len() == 32 && is_hex, "{path}");
    }
}

#[tokio::test]
async fn without_a_page_there_is_no_address() {
    let challenges = crate::at::<u8>(None, crate::noon());
    assert!(!challenges.has_page().await);
    let open = challenges.open("one", captcha_question(), 1).await;
    assert_eq!(open.unwrap().page_url, None);
    assert!(Toy::new().challenges.has_page().await);
}

#[tokio::test]
async fn every_answer_has_the_same_strict_headers() {
    let toy = Toy::new();
    let open = toy
        .ask(
            captcha_question(),
            [Step::Ask(sms_question()), Step::Done("")],
        )
        .await;
    let asked = get(url(&open)).await;
    let style = BASE64.encode(&Sha256::digest(asked.element("style")));
    let head = |status: &str, first: &[&str], length: usize| -> Vec<String> {
        let mut lines = vec![
            format!("HTTP/1.1 {status}"),
            "content-type: text/html; charset=utf-8".to_owned(),
        ];
        lines.extend(first.iter().map(|line| (*line).to_owned()));
        lines.push(format!(
            "content-security-policy: default-src 'none'; img-src data:; style-src 'sha256-{style}'; \
             form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ));
        lines.extend(
            [
                "cache-control: no-store",
                "referrer-policy: same-origin",
                "x-content-type-options: nosniff",
            ]
            .map(str::to_owned),
        );
        lines.push(format!("content-length: {length}"));
        lines.push("connection: close".to_owned());
        lines.sort();
        lines
    };
    assert_eq!(asked.head, head("200 OK", &[], asked.body.len()));
    let answered = post(url(&open), "answer=7k2m").await;
    let next = toy.challenges.pending("one").await.unwrap();
    let Some(challenge::Pending::Ours(next)) = next else {
        panic!("{next:?}")
    };
    let location = format!("location: {}", place(url(&next)).1);
    assert_eq!(answered.head, head("303 See Other", &[&location], 0));
    let used = get(url(&open)).await;
    assert_eq!(used.head, head("410 Gone", &[], used.body.len()));
    let missing = get(&url(&open).replace(&place(url(&open)).1, "/")).await;
    assert_eq!(missing.head, head("404 Not Found", &[], missing.body.len()));
}

#[tokio::test]
async fn a_question_shows_all_it_has_and_ties_labels_to_inputs() {
    let toy = Toy::new();
    let mut question = login_question(b"\x00\xffpicture".to_vec());
    question.note = Some("密码不对".to_owned());
    question.phone_hint = Some("138****0000".to_owned());
    let open = toy.ask(question, [Step::Done("")]).await;
    let shown = get(url(&open)).await;
    let main = shown
        .body
        .split_once("<main class=\"question\">\n")
        .unwrap()
        .1;
    let main = main.split_once("</main>").unwrap().0;
    let expected = "\
<p class=\"server\">华中师大图书馆座位</p>
<h1>登录</h1>
<p class=\"prompt\">用统一身份认证的账号登录，助手才能查询和预约座位。</p>
<p class=\"note\" role=\"alert\">密码不对</p>
<p class=\"phone\">手机号 <b>138****0000</b></p>
<form method=\"post\">
<label for=\"username\">学号</label>
<input id=\"username\" name=\"username\" type=\"text\" autocomplete=\"username\" autocapitalize=\"off\" autocorrect=\"off\" spellcheck=\"false\" required autofocus>
<label for=\"password\">密码</label>
<input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" autocapitalize=\"off\" autocorrect=\"off\" spellcheck=\"false\" required>
<label for=\"answer\">验证码</label>
<p class=\"picture\"><img class=\"captcha\" alt=\"验证码图片\" src=\"data:image/png;base64,AP9waWN0dXJl\"></p>
<input id=\"answer\" name=\"answer\" type=\"text\" autocomplete=\"off\" autocapitalize=\"off\" autocorrect=\"off\" spellcheck=\"false\" required>
<button type=\"submit\">登录</button>
</form>
<p class=\"until\">请在 <time datetime=\"20:15+08:00\">20:15</time> 前完成（北京时间）</p>
";
    assert_eq!(main, expected);
    assert_eq!(shown.element("title"), format!("登录 · {TITLE}"));
    assert!(
        shown
            .body
            .starts_with("<!doctype html>\n<html lang=\"zh-CN\">\n")
    );
    assert!(!shown.body.contains("<script"));
}

#[tokio::test]
async fn every_kind_has_its_heading_and_its_button() {
    let sms = "autocomplete=\"one-time-code\" inputmode=\"numeric\"";
    for (kind, heading, button, has) in [
        (Kind::Captcha, "输入验证码", "提交", "autocomplete=\"off\""),
        (Kind::Sms, "输入验证码", "提交", sms),
        (
            Kind::ConfirmSendSms,
            "发送短信验证码",
            "发送验证码",
            "<form method=\"post\">\n<button",
        ),
        (Kind::ManualLogin, "登录", "登录", "autocomplete=\"off\""),
        (
            Kind::QrCode,
            "扫码登录",
            "我已扫码",
            "class=\"code\" alt=\"二维码\"",
        ),
    ] {
        let toy = Toy::new();
        let mut question = Question {
            kind,
            ..captcha_question()
        };
        if kind == Kind::ConfirmSendSms {
            question.picture = None;
        }
        if [Kind::ConfirmSendSms, Kind::QrCode].contains(&kind) {
            question.fields.clear();
        }
        let open = toy.ask(question, [Step::Done("登录好了")]).await;
        let shown = get(url(&open)).await;
        assert_eq!(shown.element("h1"), heading);
        assert!(
            shown
                .body
                .contains(&format!("<button type=\"submit\">{button}</button>"))
        );
        assert!(shown.body.contains(has), "{kind:?}: {}", shown.body);
    }
}

#[tokio::test]
async fn hostile_text_stays_text() {
    const HOSTILE: &str = "\"'><script>alert(1)</script>&amp;";
    const HARMLESS: &str = "&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;";
    let toy = Toy::new();
    let question = Question {
        kind: Kind::Sms,
        prompt: HOSTILE.to_owned(),
        picture: Some(Picture {
            bytes: HOSTILE.into(),
            media_type: HOSTILE.to_owned(),
        }),
        phone_hint: Some(HOSTILE.to_owned()),
        fields: vec![field("answer", HOSTILE, false)],
        note: Some(HOSTILE.to_owned()),
    };
    let open = toy.ask(question, [Step::Failed(HOSTILE)]).await;
    let shown = get(url(&open)).await.body;
    assert_eq!(shown.matches(HARMLESS).count(), 5, "{shown}");
    assert!(
        !shown.contains(HOSTILE) && !shown.contains("<script"),
        "{shown}"
    );
    let failed = post(url(&open), "answer=1").await.body;
    assert_eq!(failed.matches(HARMLESS).count(), 1, "{failed}");
    assert!(!failed.contains("<script"), "{failed}");
}

#[tokio::test]
async fn what_was_typed_reaches_the_desk_and_no_page() {
    let toy = Toy::new();
    let open = toy
        .ask(
            login_question(vec![1]),
            [Step::Ask(sms_question()), Step::Done("登录好了")],
        )
        .await;
    let form = "username=2024%E5%AD%A6+1&password=h%26unter%3D2+&answer=7k2m&extra=1";
    let moved = post(url(&open), form).await;
    assert_eq!(moved.status(), 303);
    let (port, _) = place(url(&open));
    let next = format!(
        "http://127.0.0.1:{port}{}",
        moved.header("location").unwrap()
    );
    let shown = get(&next).await;
    assert_eq!(shown.element("h1"), "输入验证码");
    let done = post(&next, "answer=123456").await;
    assert_eq!((done.status(), done.element("h1")), (200, "完成了"));
    assert!(
        done.body.contains("<p class=\"said\">登录好了</p>"),
        "{}",
        done.body
    );
    let login = [
        ("username", "2024学 1"),
        ("password", "h&unter=2 "),
        ("answer", "7k2m"),
    ];
    assert_eq!(
        toy.seen(),
        [answers(login), answers([("answer", "123456")])]
    );
    for page in [moved, shown, done] {
        assert!(!page.body.contains("unter") && !page.body.contains("7k2m"));
    }
}

#[tokio::test]
async fn an_answer_with_a_blank_is_asked_for_again() {
    let toy = Toy::new();
    let open = toy.ask(login_question(vec![1]), [Step::Done("")]).await;
    for form in [
        "",
        "username=a&password=hunter2",
        "username=a&password=hunter2&answer=+",
    ] {
        let again = post(url(&open), form).await;
        assert_eq!(again.status(), 422);
        let note = "<p class=\"note\" role=\"alert\">请把每一栏都填上。</p>";
        assert!(again.body.contains(note), "{}", again.body);
        assert!(!again.body.contains("hunter2"), "{}", again.body);
    }
    assert!(toy.seen().is_empty());
    let done = post(url(&open), "username=a&password=b&answer=c").await;
    assert_eq!(done.status(), 200);
}

#[tokio::test]
async fn the_same_question_can_be_asked_again() {
    let toy = Toy::new();
    let open = toy.ask(captcha_question(), [Step::Done("")]).await;
    let again = post(url(&open), "answer=not+yet").await;
    assert_eq!((again.status(), again.element("h1")), (200, "输入验证码"));
    assert!(
        again.body.contains("role=\"alert\">还没有完成</p>"),
        "{}",
        again.body
    );
    assert_eq!(
        post(url(&open), "answer=done").await.element("h1"),
        "完成了"
    );
    assert_eq!(
        toy.seen(),
        [
            answers([("answer", NOT_YET)]),
            answers([("answer", "done")])
        ]
    );
}

#[tokio::test]
async fn what_failed_says_what_to_do() {
    for (step, status, heading, said) in [
        (
            Step::Failed("账号被锁定了。"),
            200,
            "没有成功",
            "账号被锁定了。",
        ),
        (
            Step::Panic,
            500,
            "出错了",
            "程序内部出了问题，这一步没有完成。",
        ),
    ] {
        let toy = Toy::new();
        let open = toy.ask(captcha_question(), [step]).await;
        let failed = post(url(&open), "answer=1").await;
        assert_eq!((failed.status(), failed.element("h1")), (status, heading));
        for said in [said, "请回到对话，让助手重新发起。"] {
            let paragraph = format!("<p class=\"said\">{said}</p>");
            assert!(failed.body.contains(&paragraph), "{}", failed.body);
        }
    }
}

#[tokio::test]
async fn page_and_tool_share_one_answer() {
    let toy = Toy::new();
    let open = toy.ask(captcha_question(), [Step::Done("")]).await;
    toy.challenges
        .take("one", &open.id, By::Tool)
        .await
        .unwrap();
    assert_eq!(get(url(&open)).await.element("h1"), "已经回答过了");
    assert_eq!(post(url(&open), "answer=1").await.status(), 410);
    assert!(toy.seen().is_empty());

    let open = toy
        .ask(
            captcha_question(),
            [Step::Ask(sms_question()), Step::Done("")],
        )
        .await;
    assert_eq!(post(url(&open), "answer=1").await.status(), 303);
    match toy
        .challenges
        .take("one", &open.id, By::Tool)
        .await
        .unwrap_err()
    {
        TakeError::Refused(refused) => assert_eq!(refused, Refused::NotPending { by: By::Page }),
        error => panic!("{error:?}"),
    }
    // Who sends a form twice finds the way to the question that it led to.
    let Some(challenge::Pending::Ours(next)) = toy.challenges.pending("one").await.unwrap() else {
        panic!("nothing is asked")
    };
    let twice = post(url(&open), "answer=1").await;
    assert_eq!(twice.status(), 410);
    let way = format!(
        "<a class=\"button\" href=\"{}\">回答下一个问题</a>",
        place(url(&next)).1
    );
    assert!(twice.body.contains(&way), "{}", twice.body);
}

#[tokio::test]
async fn a_browser_that_is_closed_does_not_cut_the_flow() {
    let toy = Toy::new();
    let (say, mut said) = mpsc::unbounded_channel();
    let go_on = Arc::new(Notify::new());
    let open = toy
        .ask(captcha_question(), [Step::Wait(say, go_on.clone())])
        .await;
    let (port, path) = place(url(&open));
    let host = format!("host: 127.0.0.1:{port}");
    let line = format!("POST {path}");
    let browser = sent(port, &line, &[&host], "answer=1").await;
    assert_eq!(said.recv().await, Some("began"));
    drop(browser);
    // Another exchange: by its end the server has heard of the closed connection.
    assert_eq!(get(url(&open)).await.status(), 410);
    go_on.notify_one();
    let ended = timeout(Duration::from_secs(10), said.recv()).await;
    assert_eq!(ended, Ok(Some("ended")));
}

/// Where a device answers, it is as a rule faster than the person who says so.
#[tokio::test]
async fn a_form_that_comes_after_the_device_is_told_how_it_ended() {
    let toy = Toy::new();
    let mut question = sms_question();
    question.kind = Kind::QrCode;
    question.fields = Vec::new();
    let ask = async |question: &Question| toy.ask(question.clone(), [Step::Done("")]).await;
    let open = ask(&question).await;
    toy.challenges
        .take("one", &open.id, By::Device)
        .await
        .unwrap();
    // The desk is asked, though this one has nothing to tell.
    let told = post(url(&open), "").await;
    assert_eq!(told.element("h1"), "没有成功");
    assert_eq!(toy.seen(), [answers([])]);
    let looked_at = get(url(&open)).await;
    assert_eq!(looked_at.element("h1"), "已经回答过了");
    // What the tool has answered is not asked about.
    let open = ask(&question).await;
    toy.challenges
        .take("one", &open.id, By::Tool)
        .await
        .unwrap();
    let told = post(url(&open), "").await;
    assert_eq!(told.element("h1"), "已经回答过了");
    assert_eq!(toy.seen().len(), 1);
}
