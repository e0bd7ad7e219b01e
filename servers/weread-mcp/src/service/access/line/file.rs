//! The files of sessions: one for each credential, encrypted.

use std::{fs, sync::Arc};

use http_session::sealed::SessionFile;
use server_kit::Kit;
use state::{StateDir, blocking};

/// The entry of the secret store that the session files are encrypted with.
const SESSION_KEY: &str = "session-key";

/// What the names of session files begin with.
pub(super) const PREFIX: &str = "session-";

/// Forgets the sessions of all lines, and gives how many there were. Running processes notice with their next
/// call.
pub(in crate::service::access) async fn forget_all(kit: &Kit) -> Result<usize, String> {
    let Some(state) = kit.state.clone() else {
        return Ok(0);
    };
    let path = state.path().to_owned();
    let names = blocking(move || -> Vec<String> {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let is_session = |name: &String| name.starts_with(PREFIX) && name.ends_with(".json");
        names.filter(is_session).collect()
    });
    let mut forgotten = 0;
    for name in names.await {
        let Some(file) = session_file(state.clone(), &name, kit) else {
            break;
        };
        let removed = file.remove().await.map_err(|error| error.to_string())?;
        forgotten += usize::from(removed);
    }
    Ok(forgotten)
}

pub(super) fn session_file(folder: StateDir, name: &str, kit: &Kit) -> Option<SessionFile> {
    let secrets = kit.secrets.clone()?;
    let key = Arc::new(move || secrets.key(SESSION_KEY));
    Some(SessionFile::new(folder, name, key))
}
