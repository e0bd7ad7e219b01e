//! The station script: one line of JavaScript with one quoted text of records.

/// One record. Eleven fields are sent; those not listed (short id, sort index, city code, country)
/// have no use here.
pub(in crate::client) struct Record<'a> {
    pub(in crate::client) name: &'a str,
    pub(in crate::client) telecode: &'a str,
    pub(in crate::client) pinyin: &'a str,
    pub(in crate::client) initials: &'a str,
    pub(in crate::client) city: &'a str,
    /// Foreign or alternative spellings, joined by `#`.
    pub(in crate::client) aliases: &'a str,
}

/// The records of `var station_names ='@bjb|北京北|…@…';`, in order; for a record that lacks its
/// city, how many fields it has. None when the script has no quoted text that starts with `@`.
pub(in crate::client) fn records(
    script: &str,
) -> Option<impl Iterator<Item = Result<Record<'_>, usize>>> {
    let (_, quoted) = script.split_once('\'')?;
    let (text, _) = quoted.rsplit_once('\'')?;
    Some(text.strip_prefix('@')?.split('@').map(record))
}

fn record(text: &str) -> Result<Record<'_>, usize> {
    let fields: Vec<&str> = text.split('|').collect();
    let at = |index: usize| fields.get(index).copied().unwrap_or_default();
    if fields.len() < 8 {
        return Err(fields.len());
    }
    Ok(Record {
        name: at(1),
        telecode: at(2),
        pinyin: at(3),
        initials: at(4),
        city: at(7),
        aliases: at(10),
    })
}
