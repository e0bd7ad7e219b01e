//! Names that nobody can guess.

use data_encoding::HEXLOWER;

use crate::Error;

/// `BYTES` random bytes in hexadecimal digits.
pub(crate) fn name<const BYTES: usize>() -> Result<String, Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(HEXLOWER.encode(&bytes))
}
