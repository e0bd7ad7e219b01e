//! The index itself: its tables, and how a row comes and goes.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use rusqlite_migration::M;

use crate::{Error, Tag, fold::Folded, rebuild, tokens};

/// A text index in the caller's database, in tables whose names begin with the index's name.
///
/// Several indexes with different names may be in one database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index {
    pub(crate) name: &'static str,
}

/// Text and tags as they are stored.
#[derive(PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) text: String,
    /// Their tokens between spaces: sorted, each once.
    pub(crate) tags: String,
}

impl Index {
    /// The index of that name, of `a` to `z` and `_`; panics on any other, so make it a constant.
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        assert!(!name.is_empty(), "an index has a name");
        let mut rest = name.as_bytes();
        while let [first, others @ ..] = rest {
            let is_plain = first.is_ascii_lowercase() || *first == b'_';
            assert!(is_plain, "an index is named by a to z and _");
            rest = others;
        }
        Self { name }
    }

    /// Makes the tables; one of the caller's own migrations.
    pub fn migration(self) -> M<'static> {
        M::up_with_hook("", move |tx: &Transaction<'_>| Ok(self.create(tx)?))
            .comment("tables of the text index")
    }

    fn create(self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let Self { name } = self;
        tx.execute_batch(&format!(
            "CREATE TABLE {name}_text (
               row INTEGER PRIMARY KEY,
               text TEXT NOT NULL,
               tags TEXT NOT NULL
             ) STRICT;
             CREATE TABLE {name}_version (version TEXT NOT NULL) STRICT;"
        ))?;
        self.create_tokens(tx)?;
        let insert = format!("INSERT INTO {name}_version VALUES (?1)");
        tx.execute(&insert, [rebuild::version()])?;
        Ok(())
    }

    /// Makes the table of tokens, which takes them as they are, without places, counts or a copy.
    pub(crate) fn create_tokens(self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let Self { name } = self;
        tx.execute_batch(&format!(
            "CREATE VIRTUAL TABLE {name}_tokens USING fts5 (
               tokens, content = '', detail = none, columnsize = 0,
               tokenize = \"ascii tokenchars '_'\"
             );
             INSERT INTO {name}_tokens ({name}_tokens, rank) VALUES ('secure-delete', 1);"
        ))
    }

    /// Puts text and tags under a row number, in the place of what was there.
    ///
    /// A row that has both already costs next to nothing. Many rows in one transaction go quickest in
    /// rising order of their numbers.
    ///
    /// Fails with [`Error::OtherVersion`] when the index has to be brought up to date first.
    pub fn put(
        self,
        tx: &Transaction<'_>,
        row: i64,
        text: &str,
        tags: &[Tag],
    ) -> Result<(), Error> {
        self.begin(tx)?;
        let new = Entry::new(text, tags);
        match self.entry(tx, row)? {
            Some(old) if old == new => return Ok(()),
            Some(old) => self.replace_tokens(tx, row, &old.tokens(), &new.tokens())?,
            None => self.add_tokens(tx, row, &new.tokens())?,
        }
        let upsert = format!(
            "INSERT INTO {}_text VALUES (?1, ?2, ?3)
             ON CONFLICT (row) DO UPDATE SET text = ?2, tags = ?3",
            self.name
        );
        tx.prepare_cached(&upsert)?
            .execute(params![row, new.text, new.tags])?;
        Ok(())
    }

    /// Removes a row; gives whether it was there. Its text and tokens are overwritten in the file, which
    /// takes a millisecond or two for 40 characters: ten times what it took to add them.
    ///
    /// Fails with [`Error::OtherVersion`] when the index has to be brought up to date first.
    pub fn remove(self, tx: &Transaction<'_>, row: i64) -> Result<bool, Error> {
        self.begin(tx)?;
        let Some(old) = self.entry(tx, row)? else {
            return Ok(false);
        };
        self.replace_tokens(tx, row, &old.tokens(), &BTreeSet::new())?;
        let delete = format!("DELETE FROM {}_text WHERE row = ?1", self.name);
        tx.prepare_cached(&delete)?.execute([row])?;
        Ok(true)
    }

    /// Makes sure, before a change, that the old tokens are known and that nothing old stays in the file.
    fn begin(self, tx: &Transaction<'_>) -> Result<(), Error> {
        self.check_version(tx)?;
        overwrite_what_goes(tx)?;
        Ok(())
    }

    fn entry(self, connection: &Connection, row: i64) -> rusqlite::Result<Option<Entry>> {
        let select = format!("SELECT text, tags FROM {}_text WHERE row = ?1", self.name);
        let mut statement = connection.prepare_cached(&select)?;
        statement
            .query_row([row], |row| {
                Ok(Entry {
                    text: row.get(0)?,
                    tags: row.get(1)?,
                })
            })
            .optional()
    }

    pub(crate) fn add_tokens(
        self,
        tx: &Transaction<'_>,
        row: i64,
        tokens: &BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        let Self { name } = self;
        let insert = format!("INSERT INTO {name}_tokens (rowid, tokens) VALUES (?1, ?2)");
        tx.prepare_cached(&insert)?
            .execute(params![row, joined(tokens)])?;
        Ok(())
    }

    /// Needs the very tokens that were added: the index has no copy.
    ///
    /// Only what differs is touched, and each removal is followed by an addition, be it of nothing. For
    /// SQLite (3.53, with `secure-delete` and `detail=none`) gathers changes, and when it writes a token
    /// that was both removed from a row and added to it, it loses that token's later rows. After an
    /// addition it writes what it has gathered before it takes another change of the same row.
    fn replace_tokens(
        self,
        tx: &Transaction<'_>,
        row: i64,
        old: &BTreeSet<String>,
        new: &BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        let Self { name } = self;
        let delete = format!(
            "INSERT INTO {name}_tokens ({name}_tokens, rowid, tokens) VALUES ('delete', ?1, ?2)"
        );
        tx.prepare_cached(&delete)?
            .execute(params![row, joined(&(old - new))])?;
        self.add_tokens(tx, row, &(new - old))
    }
}

impl Entry {
    fn new(text: &str, tags: &[Tag]) -> Self {
        let mut tags = tags.to_vec();
        tags.sort_unstable();
        tags.dedup();
        let tags: Vec<_> = tags.iter().map(Tag::token).collect();
        Self {
            text: text.to_owned(),
            tags: tags.join(" "),
        }
    }

    /// All that the index is to hold of the row.
    pub(crate) fn tokens(&self) -> BTreeSet<String> {
        let folded = Folded::of(&self.text);
        let mut tokens = tokens::of_text(&folded.text);
        tokens.extend(self.tags.split_whitespace().map(str::to_owned));
        tokens
    }
}

fn joined(tokens: &BTreeSet<String>) -> String {
    let tokens: Vec<_> = tokens.iter().map(String::as_str).collect();
    tokens.join(" ")
}

/// Has SQLite overwrite what this connection removes from now on.
pub(crate) fn overwrite_what_goes(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "secure_delete", true)
}
