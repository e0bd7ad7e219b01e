//! An export as Markdown: front matter, then chapters as headings, highlights as quotes, thoughts under them.
//!
//! Whatever a note holds is shown as the text that it is: it opens or closes no front matter, heading, list,
//! quote, table, code, link or HTML. White space at both ends of a line is not kept, as Markdown shows none, and
//! several empty lines look like one; JSON has the exact text.

mod escape;
mod front_matter;

use server_kit::time::Moment;

use self::escape::{comment, destination, line, lines, title};
use super::{
    ExportedBook, ExportedGroup, ExportedHighlight, ExportedNote, ExportedPassage, GroupKind,
};

pub(super) fn render(books: &[ExportedBook]) -> String {
    let mut blocks = vec![front_matter::of(books)];
    for book in books {
        let name = if book.title.is_empty() {
            &book.book_id
        } else {
            &book.title
        };
        blocks.push(format!("# {}", title(name)));
        let people = book.author.iter().chain(&book.translators);
        let people: Vec<_> = people.map(|name| line(name)).collect();
        if !people.is_empty() {
            blocks.push(people.join(" · "));
        }
        for group in &book.groups {
            blocks.extend(heading(group));
            blocks.extend(group.passages.iter().flat_map(passage));
        }
    }
    blocks.join("\n\n") + "\n"
}

/// The title one level below the book's, and a line that says which group it is.
fn heading(group: &ExportedGroup) -> [String; 2] {
    let depth = usize::from(group.level.clamp(1, 5)) + 1;
    let link = group.link.as_deref().and_then(destination);
    let link = link
        .map(|link| format!("[微信读书]({link}) "))
        .unwrap_or_default();
    let id = match group.kind {
        GroupKind::Chapter => comment("chapter", &group.chapter_id.unwrap_or_default().to_string()),
        GroupKind::Article => comment("article", group.article_id.as_deref().unwrap_or_default()),
        GroupKind::Book => comment("group", "book"),
        GroupKind::None => comment("group", "none"),
    };
    [
        format!("{} {}", "#".repeat(depth), title(&group.title)),
        format!("{link}{id}"),
    ]
}

fn passage(passage: &ExportedPassage) -> Vec<String> {
    let mut blocks = Vec::new();
    match (&passage.highlight, passage.text()) {
        (None, None) => {}
        (_, text) => blocks.push(prefixed(text.unwrap_or_default(), "> ", "> ")),
    }
    blocks.extend(passage.highlight.as_ref().map(about_highlight));
    blocks.extend(passage.notes.iter().map(item));
    blocks
}

fn about_highlight(highlight: &ExportedHighlight) -> String {
    let look = |number: Option<i64>, name: &Option<String>, word| {
        let number = number?;
        Some(name.clone().unwrap_or_else(|| format!("{word} {number}")))
    };
    // 0 is the colour of a reader who chose none.
    let color = highlight.color.filter(|color| *color != 0);
    let parts = [
        Some("划线".to_owned()),
        highlight.created.map(minute),
        look(highlight.style, &highlight.style_name, "样式"),
        look(color, &highlight.color_name, "颜色"),
    ];
    about(parts, &comment("highlight", &highlight.id))
}

/// A thought as an item of a list.
fn item(note: &ExportedNote) -> String {
    let images = note.images.iter().enumerate().map(|(at, image)| {
        let (number, shown) = (at + 1, line(image));
        destination(image).map_or(shown, |link| format!("[手写图片 {number}]({link})"))
    });
    let parts = [
        Some("想法".to_owned()),
        note.created.map(minute),
        note.star
            .map(|star| "★".repeat(usize::from(star.div_ceil(20)))),
        note.handwritten.then(|| "手写".to_owned()),
        note.private
            .and_then(|private| private.then(|| "仅自己可见".to_owned())),
    ];
    let mut blocks = vec![prefixed(&note.content, "- ", "  ")];
    blocks.extend(images.map(|image| format!("  {image}")));
    blocks.push(format!("  {}", about(parts, &comment("note", &note.id))));
    blocks.join("\n\n")
}

fn about<const N: usize>(parts: [Option<String>; N], id: &str) -> String {
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!("{} {id}", parts.join(" · "))
}

fn minute(moment: Moment) -> String {
    moment.local().strftime("%Y-%m-%d %H:%M").to_string()
}

/// A text of several lines, with what stands before the first and before each other one.
fn prefixed(text: &str, first: &str, others: &str) -> String {
    let mut out = String::new();
    for (at, line) in lines(text).iter().enumerate() {
        let prefix = if at == 0 { first } else { others };
        if at > 0 {
            out.push('\n');
        }
        if line.is_empty() {
            out.push_str(prefix.trim_end());
        } else {
            out.push_str(prefix);
            out.push_str(line);
        }
    }
    out
}
