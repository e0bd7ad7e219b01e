//! The version of folding and tokens, and what happens when it changes.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::{
    Error, Index,
    index::{Entry, overwrite_what_goes},
};

/// The number of the rules in `fold` and `tokens` and of the table of tokens: raise it with any change.
const RULES: u32 = 1;

/// What the tokens of a text depend on: the rules, and the tables of characters they look into.
pub(crate) fn version() -> String {
    let (forms, letters) = (
        unicode_normalization::UNICODE_VERSION,
        char::UNICODE_VERSION,
    );
    format!("{RULES} {forms:?} {letters:?}")
}

impl Index {
    /// Builds the index anew from the stored texts if another version of the program has built it, and
    /// gives whether it did. Call it after opening the database.
    ///
    /// One transaction, within which nobody else can write; about a second for 10,000 short texts. Other
    /// processes of the other version get [`Error::OtherVersion`] afterwards.
    pub fn bring_up_to_date(self, connection: &mut Connection) -> Result<bool, Error> {
        if self.is_current(connection)? {
            return Ok(false);
        }
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if self.is_current(&tx)? {
            return Ok(false); // Another process has just done it.
        }
        self.rebuild(&tx)?;
        tx.commit()?;
        Ok(true)
    }

    /// Fails with [`Error::OtherVersion`] when the stored tokens are not those of this program.
    pub(crate) fn check_version(self, connection: &Connection) -> Result<(), Error> {
        if self.is_current(connection)? {
            return Ok(());
        }
        Err(Error::OtherVersion)
    }

    fn is_current(self, connection: &Connection) -> rusqlite::Result<bool> {
        let select = format!("SELECT version = ?1 FROM {}_version", self.name);
        connection
            .prepare_cached(&select)?
            .query_row([version()], |row| row.get(0))
    }

    fn rebuild(self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let Self { name } = self;
        overwrite_what_goes(tx)?;
        tx.execute_batch(&format!("DROP TABLE {name}_tokens"))?;
        self.create_tokens(tx)?;
        let mut statement = tx.prepare(&format!(
            "SELECT row, text, tags FROM {name}_text ORDER BY row"
        ))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let entry = Entry {
                text: row.get(1)?,
                tags: row.get(2)?,
            };
            self.add_tokens(tx, row.get(0)?, &entry.tokens())?;
        }
        let update = format!("UPDATE {name}_version SET version = ?1");
        tx.execute(&update, [version()])?;
        Ok(())
    }
}
