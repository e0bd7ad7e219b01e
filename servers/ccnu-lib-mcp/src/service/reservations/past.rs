//! Past reservations and breaches, page by page.

use state::StateDir;

use crate::{
    Library, client::Reader, domain::reservations::Records, error::Error, service::readers::User,
    store::pages::FirstPage,
};

/// Which list of the past.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Past {
    Reservations,
    Breaches,
}

impl Past {
    /// A page by the system's own count.
    async fn page(self, reader: &Reader, number: u32, size: u32) -> Result<Records, Error> {
        match self {
            Self::Reservations => reader.history(number, size).await,
            Self::Breaches => reader.breaches(number, size).await,
        }
    }

    /// There are records, and neither first page has any.
    fn contradiction(self) -> Error {
        let path = match self {
            Self::Reservations => "/frontApi/user/history",
            Self::Breaches => "/frontApi/user/breach",
        };
        Error::Changed {
            path: path.to_owned(),
            field: "data.list".to_owned(),
            why: "count 大于 0 而第 0、1 页都没有记录".to_owned(),
        }
    }
}

impl Library {
    /// A page of the past, counted from 1.
    ///
    /// The system counts from 0 at some schools and from 1 at others: that is found out with the
    /// first page that has records, kept for its host, and found out anew when it does not hold.
    pub(crate) async fn past(
        &self,
        user: &User,
        past: Past,
        page: u32,
        size: u32,
    ) -> Result<Records, Error> {
        let ask = |number| user.read(move || past.page(&user.reader, number, size));
        let behind = page.saturating_sub(1);
        let known = self.first_page().await;
        if let Some(first) = known {
            let records = ask(first + behind).await?;
            if behind > 0 || !records.lacks_all() {
                return Ok(records);
            }
        }
        let mut records = ask(0).await?;
        let mut first = 0;
        if records.lacks_all() {
            records = ask(1).await?;
            first = 1;
        }
        if records.lacks_all() {
            return Err(past.contradiction());
        }
        if records.total == 0 {
            return Ok(records);
        }
        self.keep_first_page(first).await;
        match behind {
            0 => Ok(records),
            _ => ask(first + behind).await,
        }
    }

    /// The number of this host's first page, if it was found out before.
    async fn first_page(&self) -> Option<u32> {
        let host = self.config.base.to_string();
        let kept = self.in_folder(|folder| FirstPage::read(&folder)).await??;
        (kept.host == host && kept.number <= 1).then_some(kept.number)
    }

    async fn keep_first_page(&self, number: u32) {
        let host = self.config.base.to_string();
        tracing::info!(
            host,
            number,
            "the number of the first page of records was found out"
        );
        let kept = FirstPage { host, number };
        let kept = self.in_folder(move |folder| kept.keep(&folder)).await;
        if let Some(Err(error)) = kept {
            tracing::warn!(%error, "it will be found out again");
        }
    }

    /// Does something in the state folder, if there is one, beside the runtime.
    async fn in_folder<T: Send + 'static>(
        &self,
        step: impl FnOnce(StateDir) -> T + Send + 'static,
    ) -> Option<T> {
        let folder = self.kit.state.clone()?;
        tokio::task::spawn_blocking(move || step(folder)).await.ok()
    }
}
