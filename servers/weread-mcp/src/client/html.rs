//! Formatted text, as the service's editor writes it, without its tags.
//!
//! Not an HTML parser: one takes `a<b` in an unescaped text for a tag and loses what follows.

/// Tags that begin or end a line.
const LINES: [&str; 19] = [
    "blockquote",
    "br",
    "div",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "tr",
    "ul",
];

/// Tags within a line. What else stands between `<` and `>` was written by a person.
const WORDS: [&str; 22] = [
    "a", "b", "code", "del", "em", "font", "i", "img", "ins", "mark", "s", "small", "span",
    "strike", "strong", "sub", "sup", "table", "tbody", "td", "th", "u",
];

/// The text of `html` line by line, `[图片]` for a picture, as the service itself writes in highlights.
pub(super) fn text(html: &str) -> String {
    let mut pieces = html.split('<');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let Some((name, rest)) = tag(piece) else {
            text.push('<');
            text.push_str(piece);
            continue;
        };
        if name == "img" {
            text.push_str("[图片]");
        } else if name == "br" || LINES.contains(&name.as_str()) && !is_at_line_start(&text) {
            text.push('\n');
        }
        text.push_str(rest);
    }
    unescaped(text.trim_end())
}

fn is_at_line_start(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

/// The name of the tag that `piece`, which stood behind a `<`, begins with, and what follows the tag.
fn tag(piece: &str) -> Option<(String, &str)> {
    let (tag, rest) = piece.split_once('>')?;
    let tag = tag.trim_matches('/');
    let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let name = name.to_ascii_lowercase();
    let is_known = LINES.contains(&name.as_str()) || WORDS.contains(&name.as_str());
    let is_tag = is_known && (attributes.trim().is_empty() || attributes.contains('='));
    is_tag.then_some((name, rest))
}

/// `text` with what stands for single characters replaced; what is not known stays.
fn unescaped(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let known = piece.split_once(';');
        match known.and_then(|(name, rest)| Some((character(name)?, rest))) {
            Some((character, rest)) => {
                plain.push(character);
                plain.push_str(rest);
            }
            None => {
                plain.push('&');
                plain.push_str(piece);
            }
        }
    }
    plain
}

fn character(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => {
            let code = name.strip_prefix('#')?;
            let number = match code.strip_prefix(['x', 'X']) {
                Some(code) => u32::from_str_radix(code, 16),
                None => code.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_no_text_does() {
        for (html, expected) in [
            ("<p>一</p>", "一"),
            ("<p>一</p><p>二</p>", "一\n二"),
            ("<P class=\"x\">一<br/>二<br>\n</P>", "一\n二"),
            ("<p>一</p><p><br></p><p>二</p>", "一\n\n二"),
            ("前<div>中</div>后", "前\n中\n后"),
            ("<ul><li>一</li><li><b>二</b>三</li></ul>", "一\n二三"),
            ("一\n二", "一\n二"),
            ("看<img src=\"https://a.example/b.png\">图", "看[图片]图"),
            ("a<b 而 c>d", "a<b 而 c>d"),
            ("a<b", "a<b"),
            ("1 < 2，<书名> 与 <p", "1 < 2，<书名> 与 <p"),
            (
                "&lt;p&gt; &amp;amp; &quot;&#39;&#x4e00;&nbsp;&",
                "<p> &amp; \"'一 &",
            ),
            (
                "a & b; c &mdash; &#xd800; &;",
                "a & b; c &mdash; &#xd800; &;",
            ),
            ("", ""),
            ("<p></p>", ""),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }
}
