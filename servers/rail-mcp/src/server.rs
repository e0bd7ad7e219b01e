//! The server: its presentation, its tools, what they share.

use std::{borrow::Cow, sync::Arc};

use futures::future::BoxFuture;
use server_kit::{
    About, Errand, Kit,
    doctor::Finding,
    rmcp::handler::server::router::tool::ToolRouter,
    settings::{Refusal, Settings},
};

use crate::{
    client::Client,
    config::{Config, ToolNames},
    service::{examination, stations::Stations},
};

const INSTRUCTIONS: &str = "\
查询中国铁路 12306 的余票、中转方案、列车经停和车站，匿名，无需账号；不能登录、抢票、下单。
日期用 YYYY-MM-DD、今天、明天、后天或 +N，按中国时间。出发地和目的地可直接写城市或车站，不必先查车站。
常用顺序：12306_query_tickets 查直达；没有合适的再用 12306_query_transfer 查一次换乘；12306_train_route 看某车次停靠；站名不确定时用 12306_search_stations。
写城市（北京）会包含全市各站，写“北京站”只查该站。筛选条件只在用户要求时才加；removed 说明各条件去掉了多少。
结果按页返回：truncated 为 true 时用 next_cursor 续查。请勿高频重复查询；购票请到 12306 官网或 App。";

/// The railway server.
pub struct Rail {
    pub(crate) kit: Kit,
    pub(crate) stations: Stations,
    pub(crate) client: Arc<Client>,
    tool_names: ToolNames,
}

impl Errand for Rail {
    const ABOUT: About = About {
        name: "rail-mcp",
        version: env!("CARGO_PKG_VERSION"),
        title: "12306 火车查询",
        prefix: "RAIL",
        instructions: INSTRUCTIONS,
    };

    fn start(kit: &Kit, settings: &mut Settings) -> Result<Self, Refusal> {
        let config = Config::read(settings)?;
        let client = Arc::new(Client::new(&config, kit));
        Ok(Self {
            kit: kit.clone(),
            stations: Stations::new(Arc::clone(&client), kit.clone(), config.stations_age),
            client,
            tool_names: config.tool_names,
        })
    }

    fn router() -> ToolRouter<Self> {
        Self::tickets_router()
            + Self::transfers_router()
            + Self::routes_router()
            + Self::stations_router()
    }

    fn canonical<'a>(&self, called: &'a str) -> Cow<'a, str> {
        match called.strip_prefix("rail_") {
            Some(rest) => format!("12306_{rest}").into(),
            None => called.into(),
        }
    }

    fn listed(&self) -> Option<fn(&str) -> String> {
        (self.tool_names == ToolNames::Letters).then_some(in_letters as fn(&str) -> String)
    }

    fn setup_variables(host: &str) -> &'static [(&'static str, &'static str)] {
        match host {
            "gemini" => &[("RAIL_TOOL_NAMES", "letters")],
            _ => &[],
        }
    }

    fn answered(&self) {
        self.stations.refresh_if_old();
    }

    fn examine(&self, live: bool) -> BoxFuture<'_, Vec<Finding>> {
        Box::pin(examination::examine(self, live))
    }
}

/// `rail_query_tickets` for `12306_query_tickets`.
fn in_letters(inner: &str) -> String {
    inner.replacen("12306_", "rail_", 1)
}
