//! Names of highlight styles and colours, beside the service's numbers.

/// One of the two things by which highlights differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The wire's `style`: how the line is drawn.
    Style,
    /// The wire's `colorStyle`.
    Color,
}

/// Why a text names no style or colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("应为 {0} 之一，或对应的数字 0 到 {1}")]
pub struct NoSuchLook(String, usize);

impl Look {
    /// Its names by number, the one that results show first (docs/upstreams/weread.md, 6).
    fn names(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Style => &[
                &["直线", "下划线", "straight", "underline"],
                &["背景色", "背景", "马克笔", "background", "marker"],
                &["波浪线", "波浪", "wavy"],
            ],
            Self::Color => &[
                &["默认", "default"],
                &["红色", "红", "red"],
                &["紫色", "紫", "purple"],
                &["蓝色", "蓝", "blue"],
                &["绿色", "绿", "green"],
                &["黄色", "黄", "yellow"],
            ],
        }
    }

    /// What a number is called; `None` for one that is not known, which stays a number.
    pub fn name(self, number: i64) -> Option<&'static str> {
        let names = self.names().get(usize::try_from(number).ok()?)?;
        names.first().copied()
    }

    /// The number that a text means: a number itself, known or not, or a Chinese or English name.
    pub fn number(self, text: &str) -> Result<i64, NoSuchLook> {
        let text = text.trim();
        let names = self.names();
        let named = |names: &&[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(text));
        let by_name = names
            .iter()
            .position(named)
            .and_then(|at| i64::try_from(at).ok());
        let by_digits = || text.parse().ok().filter(|number: &i64| *number >= 0);
        by_name.or_else(by_digits).ok_or_else(|| {
            let shown: Vec<_> = names
                .iter()
                .filter_map(|names| names.first())
                .copied()
                .collect();
            NoSuchLook(shown.join("、"), names.len().saturating_sub(1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_number_has_a_name_and_another_one_none() {
        let names = |look: Look, to| {
            (-1..=to)
                .map(|number| look.name(number))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(Look::Style, 3),
            [None, Some("直线"), Some("背景色"), Some("波浪线"), None]
        );
        assert_eq!(
            names(Look::Color, 6),
            [
                None,
                Some("默认"),
                Some("红色"),
                Some("紫色"),
                Some("蓝色"),
                Some("绿色"),
                Some("黄色"),
                None
            ]
        );
    }

    #[test]
    fn a_number_or_a_name_in_either_language_is_understood() {
        let no_style = NoSuchLook("直线、背景色、波浪线".to_owned(), 2);
        for (look, text, expected) in [
            (Look::Style, "2", Ok(2)),
            (Look::Style, "7", Ok(7)),
            (Look::Style, " 波浪线 ", Ok(2)),
            (Look::Style, "Wavy", Ok(2)),
            (Look::Style, "marker", Ok(1)),
            (Look::Color, "默认", Ok(0)),
            (Look::Color, "红", Ok(1)),
            (Look::Color, "YELLOW", Ok(5)),
            (Look::Style, "红色", Err(no_style.clone())),
            (Look::Style, "-1", Err(no_style.clone())),
            (Look::Style, "", Err(no_style)),
        ] {
            assert_eq!(look.number(text), expected, "{look:?} {text:?}");
        }
    }

    #[test]
    fn every_shown_name_leads_back_to_its_number() {
        for (look, count) in [(Look::Style, 3), (Look::Color, 6)] {
            for number in 0..count {
                let name = look.name(number).expect("a name");
                assert_eq!(look.number(name), Ok(number), "{name}");
            }
        }
        let refused = Look::Color.number("粉").expect_err("no such colour");
        assert_eq!(
            refused.to_string(),
            "应为 默认、红色、紫色、蓝色、绿色、黄色 之一，或对应的数字 0 到 5"
        );
    }
}
