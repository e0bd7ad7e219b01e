//! What `doctor` looks at here: the catalogue and, live, every host.

use server_kit::{Failure, doctor::Finding};

use crate::{
    Rail,
    domain::{catalogue::Source, tickets::TrainCode},
    error::Error,
};

/// The findings about this server.
pub(crate) async fn examine(rail: &Rail, live: bool) -> Vec<Finding> {
    let mut findings = vec![stations(rail).await];
    if live {
        let paths = rail.client.learn_paths().await;
        findings.push(host(
            "余票与中转",
            paths.map(|paths| format!("查询路径 {}", paths.join("、"))),
        ));
        findings.push(host("车次检索", search(rail).await));
        findings.push(host(
            "车站目录",
            rail.client.script().await.map(|(path, _)| path),
        ));
    }
    findings
}

async fn stations(rail: &Rail) -> Finding {
    let catalogue = rail.stations.catalogue().await;
    let source = match catalogue.source {
        Source::Bundled => "随程序附带",
        Source::Downloaded => "取自官网",
    };
    let (count, day) = (catalogue.stations().len(), catalogue.as_of.day());
    Finding::ok("车站", format!("{count} 个，{source}，日期 {day}"))
}

/// Asks for a train that has run every day for years; that it is not found is an answer as well.
async fn search(rail: &Rail) -> Result<String, Error> {
    let code = TrainCode::parse("G1").ok_or_else(|| Error::Argument {
        field: "train_code",
        why: "G1".to_owned(),
    })?;
    match rail.client.train(&code, rail.kit.today()).await {
        Ok(_) | Err(Error::TrainNotFound { .. }) => Ok("有答复".to_owned()),
        Err(error) => Err(error),
    }
}

fn host(check: &str, answered: Result<String, Error>) -> Finding {
    match answered {
        Ok(found) => Finding::ok(check, found),
        Err(error) => {
            let failure = Failure::from(error);
            Finding::broken(check, failure.message, failure.next.unwrap_or_default())
        }
    }
}
