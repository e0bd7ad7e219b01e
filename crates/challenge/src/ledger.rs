//! Which questions were asked and how they ended, in a file that several processes share.
//!
//! The file is read and written under one lock. A process that asks holds a lock of its own for as
//! long as it lives, so that another can tell a question that waits from one whose process is gone.

use std::{
    collections::BTreeSet,
    fs,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use state::{Clock, Lock, StateDir};

use crate::{By, Error, Kind, Lost, Open, Refused, random};

const FILE: &str = "challenges.json";

/// How long after its time an id is still known.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24);

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Records {
    /// Processes that asked and were alive when last looked at.
    owners: BTreeSet<String>,
    challenges: Vec<Record>,
}

/// One question: no prompt, no picture, no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) id: String,
    account: String,
    kind: Kind,
    #[serde(flatten)]
    standing: Standing,
    owner: String,
    opened_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
enum Standing {
    Pending,
    Answered { by: By },
    Expired,
    Restarted,
    Withdrawn,
}

/// The records of one state folder, or of this process alone where there is none.
pub(crate) struct Ledger {
    folder: Option<StateDir>,
    own: Mutex<Own>,
}

#[derive(Default)]
struct Own {
    /// This process among the owners, and the lock that shows it alive; made at the first question.
    owner: Option<(String, Option<Lock>)>,
    /// The records where there is no folder.
    records: Records,
}

/// The records while nobody else can change them.
pub(crate) struct Turn<'a> {
    folder: Option<&'a StateDir>,
    own: MutexGuard<'a, Own>,
    now: Timestamp,
    records: Records,
    _lock: Option<Lock>,
}

impl Ledger {
    pub(crate) fn new(folder: Option<StateDir>) -> Self {
        let own = Mutex::default();
        Self { folder, own }
    }

    /// Waits for its turn and brings the records up to now: what ran out, whose process is gone,
    /// and what is too old to be remembered.
    pub(crate) fn turn(&self, clock: Clock) -> Result<Turn<'_>, state::Error> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = self.folder.as_ref();
        let lock = folder.map(|folder| folder.lock(FILE)).transpose()?;
        let records = match folder {
            Some(folder) => read(folder)?,
            None => own.records.clone(),
        };
        let before = records.clone();
        let mut turn = Turn {
            folder,
            own,
            now: clock.now(),
            records,
            _lock: lock,
        };
        turn.settle()?;
        if turn.records != before {
            turn.save()?;
        }
        Ok(turn)
    }
}

/// A damaged file is begun anew: it would keep its user from signing in, and all it can cost is that
/// old ids are unknown.
fn read(folder: &StateDir) -> Result<Records, state::Error> {
    match folder.read(FILE) {
        Err(error @ state::Error::Malformed { .. }) => {
            tracing::warn!(%error, "the list of challenges is begun anew");
            Ok(Records::default())
        }
        read => Ok(read?.unwrap_or_default()),
    }
}

impl Turn<'_> {
    /// When it began.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    /// The question that `account` waits with.
    pub(crate) fn pending(&self, account: &str) -> Option<&Record> {
        self.records
            .challenges
            .iter()
            .find(|record| record.account == account && record.standing == Standing::Pending)
    }

    /// Whether the question `id` of `account` can be answered here.
    pub(crate) fn answerable(&self, account: &str, id: &str) -> Result<(), Refused> {
        let mut challenges = self.records.challenges.iter();
        let record = challenges
            .find(|record| record.id == id && record.account == account)
            .ok_or(Refused::NotFound)?;
        match record.standing {
            Standing::Pending if self.own.owner_id() == Some(&record.owner) => Ok(()),
            Standing::Pending => Err(Refused::Elsewhere),
            Standing::Answered { by } => Err(Refused::NotPending { by }),
            Standing::Expired => Err(Refused::Lost(Lost::Expired)),
            Standing::Restarted => Err(Refused::Lost(Lost::Restarted)),
            Standing::Withdrawn => Err(Refused::Lost(Lost::Withdrawn)),
        }
    }

    /// Records a question of this process.
    pub(crate) fn add(&mut self, open: &Open) -> Result<(), Error> {
        let owner = self.owner()?;
        self.records.owners.insert(owner.clone());
        self.records.challenges.push(Record {
            id: open.id.clone(),
            account: open.account.clone(),
            kind: open.question.kind,
            standing: Standing::Pending,
            owner,
            opened_at: self.now,
            expires_at: open.expires_at,
        });
        Ok(self.save()?)
    }

    /// Records that the question `id` has its answer.
    pub(crate) fn answered(&mut self, id: &str, by: By) -> Result<(), state::Error> {
        for record in &mut self.records.challenges {
            if record.id == id {
                record.standing = Standing::Answered { by };
            }
        }
        self.save()
    }

    /// Ends the pending questions of `account`, or of all, and gives their ids.
    pub(crate) fn withdraw(&mut self, account: Option<&str>) -> Result<Vec<String>, state::Error> {
        let mut ended = Vec::new();
        for record in &mut self.records.challenges {
            let is_meant = account.is_none_or(|account| record.account == account);
            if is_meant && record.standing == Standing::Pending {
                record.standing = Standing::Withdrawn;
                ended.push(record.id.clone());
            }
        }
        if !ended.is_empty() {
            self.save()?;
        }
        Ok(ended)
    }

    /// Drops the owners that are gone, then sorts every pending question.
    fn settle(&mut self) -> Result<(), state::Error> {
        for owner in self.records.owners.clone() {
            if self.own.owner_id() != Some(&owner) && self.is_gone(&owner)? {
                self.records.owners.remove(&owner);
            }
        }
        let Records { owners, challenges } = &mut self.records;
        challenges.retain(|record| self.now.duration_since(record.expires_at) < REMEMBERED);
        for record in challenges {
            if record.standing != Standing::Pending {
                continue;
            }
            if record.expires_at <= self.now {
                record.standing = Standing::Expired;
            } else if !owners.contains(&record.owner) {
                record.standing = Standing::Restarted;
            }
        }
        Ok(())
    }

    /// Whether nobody holds the owner's lock. Then its file is removed: the name is never used again,
    /// and all who ask hold the lock on the records.
    fn is_gone(&self, owner: &str) -> Result<bool, state::Error> {
        let Some(folder) = self.folder else {
            return Ok(false);
        };
        let name = owner_lock(owner);
        let held = folder.try_lock(&name)?;
        if held.is_some() {
            // One that stays is an empty file in a private folder.
            let _stays = fs::remove_file(folder.file(&format!("{name}.lock")));
        }
        Ok(held.is_some())
    }

    /// This process among the owners.
    fn owner(&mut self) -> Result<String, Error> {
        if let Some(owner) = self.own.owner_id() {
            return Ok(owner.clone());
        }
        let owner = random::name::<8>()?;
        let lock = self
            .folder
            .map(|folder| folder.lock(&owner_lock(&owner)))
            .transpose()?;
        self.own.owner = Some((owner.clone(), lock));
        Ok(owner)
    }

    fn save(&mut self) -> Result<(), state::Error> {
        match self.folder {
            Some(folder) => folder.write(FILE, &self.records),
            None => {
                self.own.records.clone_from(&self.records);
                Ok(())
            }
        }
    }
}

impl Own {
    fn owner_id(&self) -> Option<&String> {
        self.owner.as_ref().map(|(owner, _lock)| owner)
    }
}

fn owner_lock(owner: &str) -> String {
    format!("challenge-{owner}")
}
