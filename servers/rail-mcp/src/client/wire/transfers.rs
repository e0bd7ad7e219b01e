//! The transfer answer: plans of two legs.

use serde::Deserialize;

use super::tickets::Row;

/// `data` of a transfer answer with plans; without any it is an empty text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::client) struct Answer {
    pub(in crate::client) middle_list: Vec<Plan>,
    /// The cursor of the next page.
    #[serde(rename = "result_index")]
    pub(in crate::client) result_index: Option<u32>,
    /// `Y` while there are more pages.
    #[serde(rename = "can_query")]
    pub(in crate::client) can_query: Option<String>,
}

/// One plan. No complete recording is known, so that every member but the legs may be missing.
#[derive(Deserialize)]
pub(in crate::client) struct Plan {
    pub(in crate::client) train_date: Option<String>,
    pub(in crate::client) middle_date: Option<String>,
    pub(in crate::client) arrive_date: Option<String>,
    pub(in crate::client) start_time: Option<String>,
    pub(in crate::client) arrive_time: Option<String>,
    pub(in crate::client) all_lishi_minutes: Option<u32>,
    pub(in crate::client) wait_time_minutes: Option<u32>,
    pub(in crate::client) middle_station_name: Option<String>,
    pub(in crate::client) same_station: Option<String>,
    pub(in crate::client) same_train: Option<String>,
    #[serde(rename = "fullList", alias = "trainList")]
    pub(in crate::client) full_list: Vec<Leg>,
}

/// One train of a plan: a ticket row by names.
#[derive(Deserialize)]
pub(in crate::client) struct Leg {
    train_no: Option<String>,
    station_train_code: Option<String>,
    start_station_telecode: Option<String>,
    start_station_name: Option<String>,
    end_station_telecode: Option<String>,
    end_station_name: Option<String>,
    from_station_telecode: Option<String>,
    from_station_name: Option<String>,
    to_station_telecode: Option<String>,
    to_station_name: Option<String>,
    start_time: Option<String>,
    arrive_time: Option<String>,
    lishi: Option<String>,
    #[serde(rename = "canWebBuy")]
    can_web_buy: Option<String>,
    #[serde(rename = "buttonTextInfo")]
    button_text_info: Option<String>,
    gg_num: Option<String>,
    gr_num: Option<String>,
    qt_num: Option<String>,
    rw_num: Option<String>,
    rz_num: Option<String>,
    tz_num: Option<String>,
    wz_num: Option<String>,
    yb_num: Option<String>,
    yw_num: Option<String>,
    yz_num: Option<String>,
    ze_num: Option<String>,
    zy_num: Option<String>,
    swz_num: Option<String>,
    srrb_num: Option<String>,
    seat_types: Option<String>,
    yp_info: Option<String>,
    dw_flag: Option<String>,
    bed_level_info: Option<String>,
    seat_discount_info: Option<String>,
}

impl Leg {
    /// The leg as a row. No waitlist member is known in legs, so that none is shown.
    pub(in crate::client) fn row(&self) -> Row<'_> {
        let numbers = [
            &self.gg_num,
            &self.gr_num,
            &self.qt_num,
            &self.rw_num,
            &self.rz_num,
            &self.tz_num,
            &self.wz_num,
            &self.yb_num,
            &self.yw_num,
            &self.yz_num,
            &self.ze_num,
            &self.zy_num,
            &self.swz_num,
            &self.srrb_num,
        ];
        Row {
            button_text_info: text(&self.button_text_info),
            train_no: text(&self.train_no),
            station_train_code: text(&self.station_train_code),
            start_station_telecode: text(&self.start_station_telecode),
            end_station_telecode: text(&self.end_station_telecode),
            from_station_telecode: text(&self.from_station_telecode),
            to_station_telecode: text(&self.to_station_telecode),
            start_time: text(&self.start_time),
            arrive_time: text(&self.arrive_time),
            lishi: text(&self.lishi),
            can_web_buy: text(&self.can_web_buy),
            numbers: numbers.map(text),
            seat_types: text(&self.seat_types),
            yp_info: text(&self.yp_info),
            dw_flag: text(&self.dw_flag),
            bed_level_info: text(&self.bed_level_info),
            seat_discount_info: text(&self.seat_discount_info),
            start_station_name: text(&self.start_station_name),
            end_station_name: text(&self.end_station_name),
            from_station_name: text(&self.from_station_name),
            to_station_name: text(&self.to_station_name),
            ..Row::default()
        }
    }
}

fn text(member: &Option<String>) -> &str {
    member.as_deref().unwrap_or_default()
}
