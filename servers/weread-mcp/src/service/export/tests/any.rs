//! Any text in JSON and CSV, read back by another program than the one that wrote it.

use proptest::{collection::vec, option, prelude::*};

use super::*;

/// Texts that some form could take for more than text.
pub(super) fn nasty() -> impl Strategy<Value = String> {
    let pieces = vec![
        "---",
        "+++",
        "===",
        "- ",
        "+ ",
        "* ",
        "***",
        "_a_",
        "__",
        "# ",
        "## a",
        "#tag",
        "> ",
        "```",
        "~~~",
        "`a`",
        "    a",
        "\t",
        "1. ",
        "2) ",
        "[a](b)",
        "![a](b)",
        "[a]: b",
        "[^1]",
        "[^1]: ",
        "[[a]]",
        "[x] ",
        "[ ] ",
        "[!NOTE]",
        "<b>",
        "</p>",
        "<!-- a",
        "-->",
        "<a@b.c>",
        "<https://a.b>",
        "<?",
        "<![CDATA[",
        "]]>",
        "<script>",
        "&lt;",
        "&#35;",
        "\\",
        "\\\\",
        "|a|b|",
        "|-|-|",
        ":-:",
        ": ",
        ":::",
        "$a$",
        "$$",
        "==a==",
        "%%",
        "~a~",
        "~~a~~",
        "^a^",
        "{#a}",
        "{{ a }}",
        "[插图]",
        "[图片]",
        "[插图](b)",
        "[图片]: b",
        "![插图]",
        "\n",
        "\n\n",
        "\r\n",
        "  \n",
        "=1+1",
        "@a",
        "-2",
        "＝a",
        "'",
        "\"",
        "\"\"",
        ",",
        ";",
        ": a",
        "a: b",
        "\u{2028}",
        "\u{85}",
        "\u{feff}",
        "\u{0}",
        "\u{3000}",
        "书",
        "a",
        " ",
        ". ",
        "!",
        "\u{1f4d6}",
        "https://a.b/c_d_e",
        "title: x",
        "...",
    ];
    let piece = prop_oneof![4 => prop::sample::select(pieces).prop_map(str::to_owned), 1 => any::<String>()];
    vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

prop_compose! {
    fn a_highlight()(
        id in nasty(), text in nasty(), range in nasty(), style in option::of(-1..4_i64),
        color in option::of(-1..7_i64), created in option::of((0..60_i8).prop_map(moment)),
    ) -> ExportedHighlight {
        ExportedHighlight { id, text, range, style, style_name: None, color, color_name: None, created }
    }
}

prop_compose! {
    fn a_note()(
        id in nasty(), content in nasty(), quote in option::of(nasty()), highlight_id in option::of(nasty()),
        range in nasty(), star in option::of(0..=100_u8), private in option::of(any::<bool>()),
        handwritten in any::<bool>(), images in vec(nasty(), 0..2), created in option::of((0..60_i8).prop_map(moment)),
    ) -> ExportedNote {
        ExportedNote { id, content, quote, highlight_id, range, star, private, handwritten, images, created }
    }
}

prop_compose! {
    fn a_group()(
        kind in prop::sample::select(vec![GroupKind::Chapter, GroupKind::Article, GroupKind::Book, GroupKind::None]),
        chapter_id in option::of(any::<i64>()), article_id in option::of(nasty()), idx in option::of(any::<i64>()),
        title in nasty(), level in 0..8_u8, known in any::<bool>(), link in option::of(nasty()),
        passages in vec((option::of(a_highlight()), vec(a_note(), 0..3)), 0..3),
    ) -> ExportedGroup {
        let passages = passages.into_iter().map(|(highlight, notes)| ExportedPassage { highlight, notes }).collect();
        ExportedGroup { kind, chapter_id, article_id, idx, title, level, known, link, passages }
    }
}

prop_compose! {
    fn a_book()(
        texts in (nasty(), nasty()), maybe in vec(option::of(nasty()), 4), lists in vec(vec(nasty(), 0..3), 2),
        counts in (0..9_usize, 0..9_usize), newest in option::of((0..60_i8).prop_map(moment)),
        groups in vec(a_group(), 0..3), skipped in 0..3_usize,
    ) -> ExportedBook {
        let [author, publisher, isbn, link] = maybe.try_into().expect("four");
        let [translators, categories] = lists.try_into().expect("two");
        let skipped = Skipped { kind: Kind::Highlight, reason: Reason::Duplicate, count: skipped };
        ExportedBook {
            book_id: texts.0, title: texts.1, author, translators, publisher, isbn, categories, link,
            highlight_count: counts.0, note_count: counts.1, skipped: vec![skipped], newest, groups,
        }
    }
}

pub(super) fn an_export() -> impl Strategy<Value = Export> {
    let books = vec(a_book(), 0..3);
    books.prop_map(|books| Export {
        format: FormatName::One,
        books,
    })
}

/// What a reader of the CSV makes of a cell: one leading apostrophe is not of the text.
fn exact(cell: &str) -> &str {
    cell.strip_prefix('\'').unwrap_or(cell)
}

/// The texts of all notes, in the order of the file: kind, id, text, note, title.
fn texts(export: &Export) -> Vec<[String; 5]> {
    let mut texts = Vec::new();
    for group in export.books.iter().flat_map(|book| &book.groups) {
        for passage in &group.passages {
            let row = |kind: &str, id: &str, text: &str, note: &str| {
                [kind, id, text, note, &group.title].map(str::to_owned)
            };
            texts.extend(
                passage
                    .highlight
                    .iter()
                    .map(|it| row("highlight", &it.id, &it.text, "")),
            );
            let quote = |it: &ExportedNote| it.quote.clone().unwrap_or_default();
            texts.extend(
                passage
                    .notes
                    .iter()
                    .map(|it| row("note", &it.id, &quote(it), &it.content)),
            );
        }
    }
    texts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn json_read_back_is_what_was_exported(export in an_export()) {
        let json = export.render(Format::Json).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Export>(&json).expect("the shape"), export);
    }

    #[test]
    fn csv_read_back_has_the_exact_texts_and_no_formula(export in an_export(), byte_order_mark in any::<bool>()) {
        let file = export.render(Format::Csv { byte_order_mark }).expect("CSV");
        prop_assert_eq!(file.starts_with('\u{feff}'), byte_order_mark);
        let mut reader = ::csv::Reader::from_reader(file.trim_start_matches('\u{feff}').as_bytes());
        let mut read = Vec::new();
        for record in reader.records() {
            let record = record.expect("as many cells as the header");
            let texts = [0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 20];
            prop_assert!(texts.iter().all(|at| !record[*at].starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])));
            read.push([8, 9, 11, 12, 7].map(|at| exact(&record[at]).to_owned()));
        }
        prop_assert_eq!(read, texts(&export));
    }
}
