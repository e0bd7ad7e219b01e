//! The front matter: YAML whose texts are all in double quotes on one line.

use crate::service::export::ExportedBook;

/// One book's fields, or a list of several books' fields.
pub(super) fn of(books: &[ExportedBook]) -> String {
    let mut lines = vec!["---".to_owned()];
    match books {
        [] => lines.push("books: []".to_owned()),
        [book] => lines.extend(fields(book)),
        books => {
            lines.push("books:".to_owned());
            for book in books {
                let indented = fields(book).into_iter().enumerate();
                lines.extend(indented.map(|(at, field)| {
                    let indent = if at == 0 { "  - " } else { "    " };
                    format!("{indent}{field}")
                }));
            }
        }
    }
    lines.push("---".to_owned());
    lines.join("\n")
}

fn fields(book: &ExportedBook) -> Vec<String> {
    let skipped: usize = book.skipped.iter().map(|skipped| skipped.count).sum();
    let text = |name: &str, value: Option<&str>| Some(format!("{name}: {}", quoted(value?)));
    let list = |name: &str, values: &[String]| {
        let quoted: Vec<_> = values.iter().map(|value| quoted(value)).collect();
        (!values.is_empty()).then(|| format!("{name}: [{}]", quoted.join(", ")))
    };
    let newest = book.newest.map(|newest| newest.to_string());
    let fields = [
        text("book_id", Some(&book.book_id)),
        text("title", Some(&book.title)),
        text("author", book.author.as_deref()),
        list("translators", &book.translators),
        text("publisher", book.publisher.as_deref()),
        text("isbn", book.isbn.as_deref()),
        list("categories", &book.categories),
        text("link", book.link.as_deref()),
        Some(format!("highlight_count: {}", book.highlight_count)),
        Some(format!("note_count: {}", book.note_count)),
        Some(format!("skipped_count: {skipped}")),
        text("newest", newest.as_deref()),
    ];
    fields.into_iter().flatten().collect()
}

/// A scalar of YAML in double quotes. What YAML does not print, or takes for a line break, is escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            control if control.is_control() => {
                out.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            shown => out.push(shown),
        }
    }
    out.push('"');
    out
}
