//! Tokens by which a caller names its write.

use uuid::Uuid;

/// Whether a text may be a token: 8 to 128 of `[A-Za-z0-9._:-]`.
pub fn is_token(text: &str) -> bool {
    (8..=128).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte))
}

/// A token for a write whose caller gave none: a UUID of version 7.
pub fn new_token() -> String {
    Uuid::now_v7().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_and_characters_make_a_token() {
        let cases = [
            ("1234567", false),
            ("12345678", true),
            ("aZ09._:-", true),
            (&"x".repeat(128), true),
            (&"x".repeat(129), false),
            ("with space", false),
            ("slash/slash", false),
            ("line\nbreak", false),
            ("座位座位", false),
            ("", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_token(text), expected, "{text:?}");
        }
    }

    #[test]
    fn made_tokens_are_tokens_and_differ() {
        let (one, other) = (new_token(), new_token());
        assert!(is_token(&one) && one != other, "{one} {other}");
        assert_eq!(Uuid::parse_str(&one).unwrap().get_version_num(), 7);
    }
}
