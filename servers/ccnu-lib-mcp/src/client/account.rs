//! The reader behind a session, and the token that admits one.

use http_session::drift::{Drift, read};
use secrecy::SecretString;
use serde_json::Value;

use super::{
    clock,
    envelope::{Rejected, data, shown},
    wire::{
        account::{self as wire, Sent},
        scalar::{Count, Text},
    },
};
use crate::domain::{
    account::{Blacklist, LikedSeat, Reader},
    ids::SeatId,
};

/// The reader's rights and breaches, from `user/getUserInfo`.
///
/// What is missing is unknown, and nothing at all is `Drift`. A blacklist time in a form that is not known leaves the blacklist
/// unknown too, since the sentence beside it still tells.
pub fn reader(answer: Value) -> Result<Reader, Rejected> {
    let user: wire::User = data(answer)?;
    if user.says_nothing() {
        return Err(Drift::new("data", "没有一个已知的字段").into());
    }
    let count = |count: Option<Count>| count.map(|Count(count)| count);
    Ok(Reader {
        kind: shown(user.flag_name),
        max_minute: count(user.max_minute),
        step_minute: count(user.step_minute),
        breaches: count(user.breach_num),
        score: count(user.score_num),
        blacklist: match user.black_time {
            Sent::Missing => Blacklist::Unknown,
            Sent::Empty => Blacklist::Off,
            Sent::Value(Text(until)) => {
                clock::moment(&until).map_or(Blacklist::Unknown, Blacklist::Until)
            }
        },
        blacklist_message: shown(user.black_message),
        cycle: shown(user.cycle_time_name),
    })
}

/// The seats the reader takes most often, those first; from the same answer.
///
/// They come as JSON inside a text; an empty text or none is no seat.
pub fn liked_seats(answer: Value) -> Result<Vec<LikedSeat>, Rejected> {
    const FIELD: &str = "data.likeSeats";
    let likes: wire::Likes = data(answer)?;
    let text = likes.like_seats.unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let inside = serde_json::from_str(&text).map_err(|_| Drift::new(FIELD, "不是 JSON"))?;
    let likes: Vec<wire::Like> = read(FIELD, inside)?;
    let liked = likes.into_iter().enumerate().map(|(number, like)| {
        let form = || Drift::form(&format!("{FIELD}[{number}]"), "seatId");
        Ok(LikedSeat {
            seat_id: SeatId::parse(&like.seat_id.0).ok_or_else(form)?,
            times: like.num.map_or(0, |Count(times)| times),
        })
    });
    let mut liked = liked.collect::<Result<Vec<LikedSeat>, Drift>>()?;
    liked.sort_by_key(|seat| std::cmp::Reverse(seat.times));
    Ok(liked)
}

/// The token of the session that `public/auth/cas/{JWT}` opens: an object with it, or itself.
pub fn app_token(answer: Value) -> Result<SecretString, Rejected> {
    let (wire::Admission::Token(token) | wire::Admission::Object { token }) = data(answer)?;
    if token.is_empty() {
        return Err(Drift::new("data.token", "为空").into());
    }
    Ok(SecretString::from(token))
}
