//! Tags of rows, and what a search is narrowed down to.

/// What a tag says of a row, named by one letter: its book, its sender, its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagKind(char);

impl TagKind {
    /// The kind named by `letter`, `a` to `z`; panics on any other, so make it a constant.
    #[must_use]
    pub const fn named(letter: char) -> Self {
        assert!(
            letter.is_ascii_lowercase(),
            "a kind of tag is named by a to z"
        );
        Self(letter)
    }

    /// The tag of this kind with `number`, such as the caller's number of a book.
    #[must_use]
    pub const fn tag(self, number: u64) -> Tag {
        Tag { kind: self, number }
    }
}

/// A mark of a row that searches can be narrowed down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    kind: TagKind,
    number: u64,
}

impl Tag {
    /// Its token, which begins as no token of a text does.
    pub(crate) fn token(&self) -> String {
        format!("_{}{}", self.kind.0, self.number)
    }
}

/// What rows a search looks at, and how many it gives. The default looks at all and gives 20.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The row has each of these.
    pub tags_all: Vec<Tag>,
    /// The row has at least one of each group: `[[book 1, book 2], [highlight]]`. An empty group lets
    /// no row through.
    pub tags_any: Vec<Vec<Tag>>,
    /// Only rows from this number on.
    pub from: Option<i64>,
    /// Only rows below this number. The last row of a page, put here, gives the next page.
    pub before: Option<i64>,
    /// How many rows are given or counted at most.
    pub limit: usize,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            tags_all: Vec::new(),
            tags_any: Vec::new(),
            from: None,
            before: None,
            limit: 20,
        }
    }
}

impl Filter {
    /// What the tags ask of the index, as clauses that must all hold; none when no row can meet them.
    pub(crate) fn clauses(&self) -> Option<Vec<String>> {
        if self.tags_any.iter().any(Vec::is_empty) {
            return None;
        }
        let all = self.tags_all.iter().map(quoted);
        let any = self.tags_any.iter().map(|group| {
            let choices: Vec<_> = group.iter().map(quoted).collect();
            format!("({})", choices.join(" OR "))
        });
        Some(all.chain(any).collect())
    }

    /// The first and the last row number that may be given; none when there is no such.
    pub(crate) fn rows(&self) -> Option<(i64, i64)> {
        let last = self.before.map_or(Some(i64::MAX), |row| row.checked_sub(1));
        Some((self.from.unwrap_or(i64::MIN), last?))
    }
}

fn quoted(tag: &Tag) -> String {
    format!("\"{}\"", tag.token())
}
