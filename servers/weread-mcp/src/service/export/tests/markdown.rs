//! Markdown of nasty notes, taken apart by parsers that share nothing with the writer: the front matter
//! by one of YAML, the body by a CommonMark parser with all its extensions.

use std::collections::BTreeMap;

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use super::{any::an_export, *};

/// What a reader sees of the body, block by block; of a line with a comment only its first word.
#[derive(Debug, Clone, PartialEq)]
enum Block {
    Heading(usize, String),
    Quote(Vec<String>),
    Item(Vec<String>),
    Paragraph(String),
    Comment,
}

/// What stands between the first line and the next `---`, and what follows.
fn apart(file: &str) -> (&str, &str) {
    let file = file
        .strip_prefix("---\n")
        .expect("front matter at the begin");
    file.split_once("\n---\n")
        .expect("an end of the front matter")
}

/// The fields of each book.
fn books(front: &str) -> Vec<BTreeMap<String, Value>> {
    let read: Value = serde_saphyr::from_str(front).expect("YAML");
    let books = match read.get("books") {
        Some(books) => books.clone(),
        None => json!([read]),
    };
    serde_json::from_value(books).expect("books with fields")
}

fn blocks(body: &str) -> Vec<Block> {
    let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION;
    let (mut blocks, mut paragraphs) = (Vec::new(), Vec::new());
    let (mut text, mut about) = (String::new(), false);
    let mut inside = false;
    for event in Parser::new_ext(body, options) {
        match event {
            Event::Text(piece) => text.push_str(&piece),
            Event::HardBreak => text.push('\n'),
            Event::InlineHtml(html) => {
                check_comment(&html);
                about = true;
            }
            Event::Html(html) => {
                check_comment(html.trim_end());
                blocks.push(Block::Comment);
            }
            Event::Start(Tag::Link { dest_url, .. }) => text.push_str(&format!("<{dest_url}>")),
            Event::Start(Tag::BlockQuote(None) | Tag::Item) => inside = true,
            Event::End(TagEnd::Heading(level)) => {
                blocks.push(Block::Heading(level as usize, std::mem::take(&mut text)));
            }
            Event::End(TagEnd::Paragraph) => {
                let mut text = std::mem::take(&mut text);
                if std::mem::take(&mut about) {
                    text = text.split(' ').next().unwrap_or_default().to_owned();
                }
                if inside {
                    paragraphs.push(text);
                } else {
                    blocks.push(Block::Paragraph(text));
                }
            }
            Event::End(end @ (TagEnd::BlockQuote(_) | TagEnd::Item)) => {
                inside = false;
                let paragraphs = std::mem::take(&mut paragraphs);
                blocks.push(match end {
                    TagEnd::Item => Block::Item(paragraphs),
                    _ => Block::Quote(paragraphs),
                });
            }
            Event::Start(Tag::Heading {
                id: None,
                classes,
                attrs,
                ..
            }) if classes.is_empty() && attrs.is_empty() => {}
            Event::Start(Tag::Paragraph | Tag::List(None) | Tag::HtmlBlock)
            | Event::End(TagEnd::List(false) | TagEnd::HtmlBlock | TagEnd::Link) => {}
            other => panic!("{other:?} in\n{body}"),
        }
    }
    blocks
}

fn check_comment(html: &str) {
    let inner = html
        .strip_prefix("<!-- ")
        .and_then(|rest| rest.strip_suffix(" -->"));
    let inner = inner.unwrap_or_else(|| panic!("{html:?} is no comment of ours"));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.~:%-".contains(&byte);
    assert!(
        inner.bytes().all(plain) && !inner.contains("--"),
        "{html:?}"
    );
}

fn flat(text: &str) -> String {
    text.replace(char::is_control, " ")
        .trim_matches(' ')
        .to_owned()
}

/// The paragraphs of a text as Markdown shows them: no white space at the ends of lines, no empty ones.
fn shown(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(flat).collect();
    let paragraphs = lines
        .split(String::is_empty)
        .filter(|lines| !lines.is_empty());
    let paragraphs: Vec<_> = paragraphs.map(|lines| lines.join("\n")).collect();
    if paragraphs.is_empty() {
        return vec!["（无文字）".to_owned()];
    }
    paragraphs
}

fn is_address(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_graphic() && !r#"<>\()"'`|"#.contains(c);
    (text.starts_with("http://") || text.starts_with("https://")) && text.chars().all(plain)
}

/// The blocks of an export as they ought to be.
fn expected(export: &Export) -> Vec<Block> {
    let mut blocks = Vec::new();
    for book in &export.books {
        let title = if book.title.is_empty() {
            &book.book_id
        } else {
            &book.title
        };
        blocks.push(Block::Heading(1, flat(title)));
        let people: Vec<_> = book
            .author
            .iter()
            .chain(&book.translators)
            .map(|it| flat(it))
            .collect();
        let people = flat(&people.join(" · "));
        if !people.is_empty() {
            blocks.push(Block::Paragraph(people));
        }
        for group in &book.groups {
            let level = usize::from(group.level).clamp(1, 5) + 1;
            blocks.push(Block::Heading(level, flat(&group.title)));
            let link = group.link.as_ref().filter(|link| is_address(link));
            let link = link.map(|link| Block::Paragraph(format!("<{link}>微信读书")));
            blocks.push(link.unwrap_or(Block::Comment));
            blocks.extend(group.passages.iter().flat_map(expected_passage));
        }
    }
    blocks
}

fn expected_passage(passage: &ExportedPassage) -> Vec<Block> {
    let mut blocks = Vec::new();
    if passage.highlight.is_some() || passage.text().is_some() {
        blocks.push(Block::Quote(shown(passage.text().unwrap_or_default())));
    }
    blocks.extend(
        passage
            .highlight
            .iter()
            .map(|_| Block::Paragraph("划线".to_owned())),
    );
    for note in &passage.notes {
        let mut paragraphs = shown(&note.content);
        for (at, image) in note.images.iter().enumerate() {
            if is_address(image) {
                paragraphs.push(format!("<{image}>手写图片 {}", at + 1));
            } else if !flat(image).is_empty() {
                paragraphs.push(flat(image));
            }
        }
        paragraphs.push("想法".to_owned());
        blocks.push(Block::Item(paragraphs));
    }
    blocks
}

#[test]
fn several_books_are_a_list_in_the_front_matter() {
    let (book, notes) = (book(), notes(0));
    let two = Export::of([(&book, &notes), (&book, &notes)], WEB);
    let none = Export::of([], WEB);
    for (export, count) in [(two, 2), (none, 0)] {
        let file = export.render(Format::Markdown).expect("Markdown");
        let (front, body) = apart(&file);
        let expected_fields = BTreeMap::from([
            ("author".to_owned(), json!("大卫·伊格曼")),
            ("book_id".to_owned(), json!("27416212")),
            ("categories".to_owned(), json!(["科学技术-科学科普"])),
            ("highlight_count".to_owned(), json!(2)),
            (
                "link".to_owned(),
                json!(format!("{WEB}/web/reader/eba3273071a25694eba47a5")),
            ),
            ("newest".to_owned(), json!("2026-11-30T14:43:02+08:00")),
            ("note_count".to_owned(), json!(4)),
            ("skipped_count".to_owned(), json!(1)),
            ("title".to_owned(), json!("隐藏的自我")),
            ("translators".to_owned(), json!(["钱静"])),
        ]);
        assert_eq!(books(front), vec![expected_fields; count]);
        assert_eq!(blocks(body), expected(&export));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_notes_are_front_matter_and_a_body_that_shows_them(export in an_export()) {
        let file = export.render(Format::Markdown).expect("Markdown");
        let (front, body) = apart(&file);
        let books = books(front);
        prop_assert_eq!(books.len(), export.books.len());
        for (read, book) in books.iter().zip(&export.books) {
            let texts = [("book_id", Some(&book.book_id)), ("title", Some(&book.title)),
                ("author", book.author.as_ref()), ("publisher", book.publisher.as_ref()),
                ("isbn", book.isbn.as_ref()), ("link", book.link.as_ref())];
            for (name, text) in texts {
                prop_assert_eq!(read.get(name).cloned(), text.map(|text| json!(text)));
            }
            let lists = [("translators", &book.translators), ("categories", &book.categories)];
            for (name, list) in lists {
                prop_assert_eq!(read.get(name).cloned().unwrap_or(json!([])), json!(list));
            }
        }
        prop_assert_eq!(blocks(body), expected(&export), "{}", body);
    }
}
