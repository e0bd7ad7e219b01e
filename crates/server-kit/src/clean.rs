//! Text from outside, made harmless to show.

/// Most characters of one outside sentence that a result repeats.
const LONGEST: usize = 500;

/// `text` without control, zero-width and bidirectional characters and cut to 500 characters.
/// Such characters hide words from a person that a model reads.
pub fn outside(text: &str) -> String {
    let shown = text.chars().filter(|c| !hidden(*c));
    let mut clean: String = shown.clone().take(LONGEST).collect();
    if shown.count() > LONGEST {
        clean.push('…');
    }
    clean
}

/// `text` of several lines without hidden characters, in full: line breaks and tabs stay, each break as
/// `\n`. For what was written or quoted by a person, which must not be cut.
pub fn passage(text: &str) -> String {
    let one_break = |c| match c {
        '\r' | '\u{2028}' | '\u{2029}' => '\n',
        c => c,
    };
    let lines = text.replace("\r\n", "\n");
    let shown = lines.chars().map(one_break);
    shown
        .filter(|c| matches!(c, '\n' | '\t') || !hidden(*c))
        .collect()
}

/// Whether `text` holds what [`passage`] takes out of it.
pub fn is_hiding(text: &str) -> bool {
    let breaks = ['\n', '\r', '\t', '\u{2028}', '\u{2029}'];
    text.chars().any(|c| hidden(c) && !breaks.contains(&c))
}

fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_go_and_length_is_capped() {
        for (text, expected) in [
            (
                "选择的查询日期不在预售日期范围内",
                "选择的查询日期不在预售日期范围内".to_owned(),
            ),
            (
                "a\u{202e}b\u{200b}c\u{feff}\u{e0041}\r\nd\u{1b}[31m",
                "abcd[31m".to_owned(),
            ),
            (&"长".repeat(501), format!("{}…", "长".repeat(500))),
        ] {
            assert_eq!(outside(text), expected);
        }
    }

    #[test]
    fn a_passage_keeps_its_lines_and_its_length() {
        for (text, expected) in [
            (
                "一\r\n二\r三\n\n四\u{2028}五\u{2029}六\t七",
                "一\n二\n三\n\n四\n五\n六\t七",
            ),
            (
                "a\u{202e}b\u{200b}c\u{feff}\u{e0041}\u{1b}[31m\u{0}",
                "abc[31m",
            ),
            ("　全角空格　", "　全角空格　"),
        ] {
            assert_eq!(passage(text), expected);
            let shown = text.contains('一') || text == expected;
            assert_eq!(is_hiding(text), !shown, "{text}");
        }
        let long = "长".repeat(5000);
        assert_eq!(passage(&long), long);
    }
}
