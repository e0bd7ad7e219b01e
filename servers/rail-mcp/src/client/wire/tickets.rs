//! The ticket answer: rows of fields joined by `|`, and the names of their stations.

use std::collections::HashMap;

use serde::Deserialize;

/// `data` of a ticket answer.
#[derive(Deserialize)]
pub(in crate::client) struct Answer {
    pub(in crate::client) result: Vec<String>,
    /// Names by telecode, for the stations of the rows.
    #[serde(default)]
    pub(in crate::client) map: HashMap<String, String>,
}

/// A seat column, by the page's name for it (`gg_num` and so on), in the row's order from index 20.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::client) enum Column {
    Gg,
    Gr,
    Qt,
    Rw,
    Rz,
    Tz,
    Wz,
    #[expect(dead_code, reason = "keeps the place of a column that is not used")]
    Yb,
    Yw,
    Yz,
    Ze,
    Zy,
    Swz,
    Srrb,
}

/// A train of a ticket row or of a transfer's leg. What is not sent is empty.
///
/// Neither token (index 0 and 12) is kept.
#[derive(Default)]
pub(in crate::client) struct Row<'a> {
    /// Whether index 0 holds a booking token.
    pub(in crate::client) sellable: bool,
    pub(in crate::client) button_text_info: &'a str,
    pub(in crate::client) train_no: &'a str,
    pub(in crate::client) station_train_code: &'a str,
    pub(in crate::client) start_station_telecode: &'a str,
    pub(in crate::client) end_station_telecode: &'a str,
    pub(in crate::client) from_station_telecode: &'a str,
    pub(in crate::client) to_station_telecode: &'a str,
    pub(in crate::client) start_time: &'a str,
    pub(in crate::client) arrive_time: &'a str,
    pub(in crate::client) lishi: &'a str,
    pub(in crate::client) can_web_buy: &'a str,
    /// The text of each `Column`.
    pub(in crate::client) numbers: [&'a str; 14],
    pub(in crate::client) yp_ex: &'a str,
    pub(in crate::client) seat_types: &'a str,
    pub(in crate::client) houbu_train_flag: &'a str,
    pub(in crate::client) houbu_seat_limit: &'a str,
    pub(in crate::client) yp_info: &'a str,
    pub(in crate::client) dw_flag: &'a str,
    pub(in crate::client) bed_level_info: &'a str,
    pub(in crate::client) seat_discount_info: &'a str,
    pub(in crate::client) sale_time: &'a str,
    /// Sent with a leg; for a row looked up in `Answer::map`.
    pub(in crate::client) start_station_name: &'a str,
    pub(in crate::client) end_station_name: &'a str,
    pub(in crate::client) from_station_name: &'a str,
    pub(in crate::client) to_station_name: &'a str,
}

/// The page's names of the fields that every row has; later ones came over the years.
const FIELDS: [&str; 34] = [
    "secretStr",
    "buttonTextInfo",
    "train_no",
    "station_train_code",
    "start_station_telecode",
    "end_station_telecode",
    "from_station_telecode",
    "to_station_telecode",
    "start_time",
    "arrive_time",
    "lishi",
    "canWebBuy",
    "yp_info",
    "start_train_date",
    "train_seat_feature",
    "location_code",
    "from_station_no",
    "to_station_no",
    "is_support_card",
    "controlled_train_flag",
    "gg_num",
    "gr_num",
    "qt_num",
    "rw_num",
    "rz_num",
    "tz_num",
    "wz_num",
    "yb_num",
    "yw_num",
    "yz_num",
    "ze_num",
    "zy_num",
    "swz_num",
    "srrb_num",
];

impl<'a> Row<'a> {
    /// The fields of a row, or the name of the first that it lacks. Only index 0 is
    /// percent-encoded, so `|` separates before anything is decoded.
    pub(in crate::client) fn split(row: &'a str) -> Result<Self, &'static str> {
        let fields: Vec<&str> = row.split('|').collect();
        if let Some(missing) = FIELDS.get(fields.len()) {
            return Err(missing);
        }
        let at = |index: usize| fields.get(index).copied().unwrap_or_default();
        Ok(Self {
            sellable: !matches!(at(0), "" | "null"),
            button_text_info: at(1),
            train_no: at(2),
            station_train_code: at(3),
            start_station_telecode: at(4),
            end_station_telecode: at(5),
            from_station_telecode: at(6),
            to_station_telecode: at(7),
            start_time: at(8),
            arrive_time: at(9),
            lishi: at(10),
            can_web_buy: at(11),
            numbers: std::array::from_fn(|column| at(20 + column)),
            yp_ex: at(34),
            seat_types: at(35),
            houbu_train_flag: at(37),
            houbu_seat_limit: at(38),
            yp_info: at(39),
            dw_flag: at(46),
            bed_level_info: at(53),
            seat_discount_info: at(54),
            sale_time: at(55),
            ..Self::default()
        })
    }

    /// The text of a seat column.
    pub(in crate::client) fn number(&self, column: Column) -> &'a str {
        let text = self.numbers.get(column as usize);
        text.copied().unwrap_or_default()
    }
}
