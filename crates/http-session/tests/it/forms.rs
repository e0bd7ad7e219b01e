//! Forms are read as a browser reads them, and every hidden field goes back as it came.

use http_session::Url;
use http_session::form::{Form, text_of, title};
use proptest::prelude::*;

fn base() -> Url {
    Url::parse("https://cas.example/cas/login?service=x").unwrap()
}

/// The only form of a page: its address and pairs.
fn only(html: &str) -> (String, Vec<(String, String)>) {
    let forms = Form::all(html, &base());
    let [form] = forms.as_slice() else {
        panic!("{forms:?}")
    };
    let pairs = form.pairs().into_iter();
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    (form.action.to_string(), pairs.collect())
}

fn check(html: &str, expected: &[(&str, &str)]) {
    let pairs = only(&format!("<form>{html}</form>")).1;
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(pairs, expected, "{html}");
}

#[test]
fn a_login_form_is_filled_and_nothing_is_made_up() {
    let html = r#"<form id=search action=/find><input name=q></form>
        <form method=post action="/cas/login;jsessionid=0A?service=a&amp;b=1">
          <table><tr><td><input value="" type="text" id="username" name="username" placeholder="学号"></td></tr>
          <tr><td><input name='password' type='PASSWORD'></table>
          <input type="hidden" name="lt" value="LT-1&quot;2"><input type=hidden value=e1s1 name=execution>
          <input type="hidden" name="visitorId">
          <input type="hidden" name="_eventId" value="submit" />
          <button name="submit" value="LOGIN">登录</button><button name=other>x</button></form>"#;
    let mut form = Form::with_input(html, &base(), "execution").unwrap();
    assert_eq!(
        form.action.as_str(),
        "https://cas.example/cas/login;jsessionid=0A?service=a&b=1"
    );
    let filled = [
        ("username", "2026000001"),
        ("password", "pw"),
        ("captcha", "7k3p"),
    ];
    let known = filled.map(|(name, value)| form.fill(name, value));
    assert_eq!(known, [true, true, false]);
    let expected = [
        ("username", "2026000001"),
        ("password", "pw"),
        ("lt", "LT-1\"2"),
        ("execution", "e1s1"),
        ("visitorId", ""),
        ("_eventId", "submit"),
        ("submit", "LOGIN"),
    ];
    assert_eq!(form.pairs(), expected);
    assert_eq!(form.fields[0].placeholder, "学号");
    assert!(form.has("lt") && !form.has("other"));
    assert_eq!(
        format!("{form:?}"),
        "[username (text), password (password), lt (hidden), execution (hidden), \
         visitorId (hidden), _eventId (hidden), submit (submit)]"
    );
    assert_eq!(Form::with_input(html, &base(), "captcha"), None);
}

#[test]
fn each_control_sends_what_a_browser_would() {
    let cases: [(&str, &[(&str, &str)]); 14] = [
        ("<input name=a>", &[("a", "")]),
        ("<input value=1><input name='' value=2>", &[]),
        ("<input name=a disabled value=1>", &[]),
        (
            "<fieldset disabled><legend><input name=a></legend><input name=b></fieldset>",
            &[("a", "")],
        ),
        ("<datalist><input name=a></datalist>", &[]),
        ("<template><input name=a></template>", &[]),
        (
            "<input type=checkbox name=a><input type=radio name=b checked><input type=checkbox name=c value=1 checked>",
            &[("b", "on"), ("c", "1")],
        ),
        (
            "<input type=file name=a><input type=reset name=b><input type=button name=c><button type=button name=d></button>",
            &[],
        ),
        (
            "<button type=button name=a></button><input type=submit name=b value=1><input type=submit name=c>",
            &[("b", "1")],
        ),
        ("<button></button><input type=submit name=b value=1>", &[]),
        (
            "<button disabled name=a></button><button name=b value=2>x</button>",
            &[("b", "2")],
        ),
        (
            "<textarea name=a>\n1 &amp;\n2</textarea>",
            &[("a", "1 &\n2")],
        ),
        (
            "<select name=a><option disabled>0<option value=1>x<option>2</select><select name=b><option>1<option selected> 2  3 </select>",
            &[("a", "1"), ("b", "2 3")],
        ),
        (
            "<select name=a multiple><option selected>1<option>2<option selected>3</select>",
            &[("a", "1"), ("a", "3")],
        ),
    ];
    for (html, expected) in cases {
        check(html, expected);
    }
}

#[test]
fn the_address_of_a_form_is_read_as_the_page_says() {
    let cases = [
        ("<form>", "https://cas.example/cas/login?service=x"),
        (
            "<form action=' '>",
            "https://cas.example/cas/login?service=x",
        ),
        ("<form action=check>", "https://cas.example/cas/check"),
        ("<form action=//other.example/a>", "https://other.example/a"),
        (
            "<base target=x><base href=/sso/><form action=check>",
            "https://cas.example/sso/check",
        ),
    ];
    for (html, address) in cases {
        assert_eq!(only(html).0, address, "{html}");
    }
    assert_eq!(Form::all("<form action='https://['>", &base()), []);
}

#[test]
fn a_field_belongs_to_the_form_it_names_and_else_to_that_around_it() {
    let html = "<input name=x form=b><input name=loose><form id=a><input name=y form=none>
        <input name=z></form><form id=b><input name=w></form>
        <table><form id=c><tr><td><input name=v></td></tr></form></table><input name=later>";
    let forms = Form::all(html, &base());
    let names: Vec<Vec<_>> = forms
        .iter()
        .map(|form| form.pairs().into_iter().map(|(name, _)| name).collect())
        .collect();
    assert_eq!(names, [vec!["z"], vec!["x", "w"], vec!["v"]]);
}

#[test]
fn visible_text_is_read_and_hidden_text_is_not() {
    let html = "<title> 统一\n身份认证 </title><div id=msg class='errors x'> 您输入的<b>用户名</b>或密码有误
        <span hidden>a</span><script>b</script></div><div class=errors>later</div>
        <main><p>一</p><p>二<br>三</p><i style='color:red; DISPLAY : none'>x</i></main>
        <div hidden><p id=away>c</p></div>";
    let cases = [
        (".errors", Some("您输入的用户名或密码有误")),
        ("#msg", Some("您输入的用户名或密码有误")),
        ("main", Some("一 二 三")),
        ("#away", Some("")),
        ("#none", None),
        ("[[", None),
    ];
    for (selector, text) in cases {
        assert_eq!(text_of(html, selector).as_deref(), text, "{selector}");
    }
    assert_eq!(title(html).as_deref(), Some("统一 身份认证"));
    assert_eq!(title("<title> </title>"), None);
    assert_eq!(title("<p>"), None);
}

/// One control as written, and what it sends.
#[derive(Debug, Clone)]
struct Control {
    html: String,
    sends: Option<(String, String, String)>,
}

fn escaped(text: &str, with_numbers: bool) -> String {
    let escape = |letter| match letter {
        '&' if with_numbers => "&#38;".to_owned(),
        '&' => "&amp;".to_owned(),
        '"' => "&quot;".to_owned(),
        '<' => "&lt;".to_owned(),
        letter if with_numbers && !letter.is_ascii() => format!("&#x{:x};", u32::from(letter)),
        letter => letter.to_string(),
    };
    text.chars().map(escape).collect()
}

fn control() -> impl Strategy<Value = Control> {
    let kinds = prop_oneof![
        3 => Just("hidden"),
        1 => prop_oneof![Just("text"), Just("password"), Just("HIDDEN"), Just("checkbox"), Just("submit")],
    ];
    let value = prop::collection::vec(
        prop::sample::select(vec![
            "&", "&amp;", "\"", "'", "<", ">", "=", " ", "\n", "/", "中", "e1s1", "&copy", "-->",
        ]),
        0..6,
    );
    let order = Just([0, 1, 2, 3, 4]).prop_shuffle();
    (
        kinds,
        "[a-zA-Z_][a-zA-Z0-9_.]{0,8}",
        value,
        order,
        prop::array::uniform3(any::<bool>()),
    )
        .prop_map(
            |(kind, name, value, order, [is_off, is_ticked, with_numbers])| {
                let value = value.concat();
                let attributes = [
                    format!("type={kind}"),
                    format!("name=\"{name}\""),
                    format!("vAlue = \"{}\"", escaped(&value, with_numbers)),
                    if is_off { "disabled" } else { "id=x" }.to_owned(),
                    if is_ticked { "checked" } else { "class='a b'" }.to_owned(),
                ];
                let attributes = order.map(|at| attributes[at].as_str()).join(" ");
                let is_sent = !is_off && (kind != "checkbox" || is_ticked);
                Control {
                    html: format!("<input {attributes}>"),
                    sends: is_sent.then(|| (name, kind.to_ascii_lowercase(), value)),
                }
            },
        )
}

/// A form in one of the ways in which pages are laid out.
fn laid_out(layout: usize, number: usize, controls: &[Control]) -> String {
    let cells: String = controls
        .iter()
        .map(|control| format!("<tr><td>{}</td></tr>", control.html))
        .collect();
    let plain: String = controls
        .iter()
        .map(|control| control.html.as_str())
        .collect();
    let form = format!("<form action='/{number}'>");
    match layout {
        0 => format!("{form}{plain}</form>"),
        1 => format!("<div>{form}<p>{plain}</p></form></div>"),
        2 => format!("{form}<table>{cells}</table></form>"),
        3 => format!("<table>{form}{cells}</form></table>"),
        _ => format!(
            "<table><tr><td><table><tbody>{form}<tr><td><table>{cells}</table></td></tr></form></table></td></tr></table>"
        ),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_form_sends_its_own_fields_unchanged(
        forms in prop::collection::vec((0_usize..5, prop::collection::vec(control(), 0..7)), 1..4)
    ) {
        let mut html = "<!doctype html><input type=hidden name=loose>".to_owned();
        let mut expected = Vec::new();
        for (number, (layout, controls)) in forms.iter().enumerate() {
            html += &laid_out(*layout, number, controls);
            html += "<input type=hidden name=loose>";
            let mut is_pressed = false;
            let mut sends: Vec<_> = controls.iter().filter_map(|control| control.sends.clone()).collect();
            sends.retain(|(_, kind, _)| kind != "submit" || !std::mem::replace(&mut is_pressed, true));
            expected.push((format!("/{number}"), sends));
        }
        let read: Vec<_> = Form::all(&html, &base())
            .into_iter()
            .map(|form| {
                let fields = form.fields.into_iter();
                let fields = fields.map(|field| (field.name, field.kind, field.value)).collect();
                (form.action.path().to_owned(), fields)
            })
            .collect();
        prop_assert_eq!(read, expected, "{}", html);
    }
}
