//! An export as CSV after RFC 4180: a header, then a row for each highlight and each thought.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`. Such a cell gets an apostrophe in front,
//! and so does one that begins with an apostrophe: whoever takes one leading apostrophe off every cell has
//! the exact text. So the file is safe to open and nothing is lost. Numbers are left alone.

use super::{ExportedBook, ExportedGroup, ExportedHighlight, ExportedNote, GroupKind};

const HEADER: [&str; 22] = [
    "book_id",
    "book_title",
    "author",
    "group",
    "chapter_id",
    "chapter_idx",
    "article_id",
    "group_title",
    "kind",
    "id",
    "highlight_id",
    "text",
    "note",
    "range",
    "style",
    "style_name",
    "color",
    "color_name",
    "star",
    "private",
    "images",
    "created",
];

const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) fn render(books: &[ExportedBook], byte_order_mark: bool) -> String {
    let mut out = String::new();
    if byte_order_mark {
        out.push(BYTE_ORDER_MARK);
    }
    push(&mut out, HEADER);
    for book in books {
        for group in &book.groups {
            for passage in &group.passages {
                if let Some(highlight) = &passage.highlight {
                    push(&mut out, of_highlight(book, group, highlight));
                }
                for note in &passage.notes {
                    push(&mut out, of_note(book, group, note));
                }
            }
        }
    }
    out
}

fn of_highlight(
    book: &ExportedBook,
    group: &ExportedGroup,
    highlight: &ExportedHighlight,
) -> impl Iterator<Item = String> {
    let own = [
        "highlight".to_owned(),
        text(&highlight.id),
        String::new(),
        text(&highlight.text),
        String::new(),
        text(&highlight.range),
        plain(highlight.style),
        maybe(highlight.style_name.as_deref()),
        plain(highlight.color),
        maybe(highlight.color_name.as_deref()),
        String::new(),
        String::new(),
        String::new(),
        plain(highlight.created),
    ];
    place(book, group).into_iter().chain(own)
}

fn of_note(
    book: &ExportedBook,
    group: &ExportedGroup,
    note: &ExportedNote,
) -> impl Iterator<Item = String> {
    let own = [
        "note".to_owned(),
        text(&note.id),
        maybe(note.highlight_id.as_deref()),
        maybe(note.quote.as_deref()),
        text(&note.content),
        text(&note.range),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        plain(note.star),
        plain(note.private),
        text(&note.images.join(" ")),
        plain(note.created),
    ];
    place(book, group).into_iter().chain(own)
}

fn place(book: &ExportedBook, group: &ExportedGroup) -> [String; 8] {
    let kind = match group.kind {
        GroupKind::Chapter => "chapter",
        GroupKind::Article => "article",
        GroupKind::Book => "book",
        GroupKind::None => "none",
    };
    [
        text(&book.book_id),
        text(&book.title),
        maybe(book.author.as_deref()),
        kind.to_owned(),
        plain(group.chapter_id),
        plain(group.idx),
        maybe(group.article_id.as_deref()),
        text(&group.title),
    ]
}

fn plain(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn maybe(value: Option<&str>) -> String {
    value.map(text).unwrap_or_default()
}

/// A text that no spreadsheet takes for a formula; full-width signs are ones to some of them too.
fn text(value: &str) -> String {
    let formula = [
        '=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n', '\'',
    ];
    if value.starts_with(formula) {
        format!("'{value}")
    } else {
        value.to_owned()
    }
}

fn push(out: &mut String, cells: impl IntoIterator<Item = impl AsRef<str>>) {
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        let cell = cell.as_ref();
        if cell.contains([',', '"', '\r', '\n']) {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(cell);
        }
    }
    out.push_str("\r\n");
}
