//! Thoughts and reviews.

use serde::Deserialize;

use super::{
    notes::Removed,
    scalar::{Flag, Number, Text},
};

/// Reviews: the reader's own, or a page of public ones.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Reviews {
    pub(in crate::client) synckey: Number,
    pub(in crate::client) reviews: Option<Vec<Review>>,
    pub(in crate::client) removed: Option<Vec<Removed>>,
    /// Of the reader's own.
    pub(in crate::client) total_count: Number,
    pub(in crate::client) has_more: Flag,
    /// Of public ones.
    pub(in crate::client) reviews_cnt: Number,
    pub(in crate::client) reviews_has_more: Flag,
    #[serde(rename = "deepVRecommendValue")]
    pub(in crate::client) deep_v_recommend_value: Number,
}

/// A review, at any depth: its parts are spread over one to three objects, each in the one before.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct Review {
    pub(in crate::client) review: Option<Box<Review>>,
    pub(in crate::client) idx: Number,
    pub(in crate::client) review_id: Text,
    pub(in crate::client) likes_count: Number,
    pub(in crate::client) comments_count: Number,
    #[serde(rename = "type")]
    pub(in crate::client) kind: Number,
    pub(in crate::client) content: Text,
    pub(in crate::client) html_content: Text,
    /// The passage it hangs on.
    #[serde(rename = "abstract")]
    pub(in crate::client) quote: Text,
    pub(in crate::client) range: Text,
    pub(in crate::client) chapter_uid: Number,
    pub(in crate::client) chapter_idx: Number,
    /// By the gateway.
    pub(in crate::client) chapter_name: Text,
    /// By the web surface.
    pub(in crate::client) chapter_title: Text,
    pub(in crate::client) create_time: Number,
    pub(in crate::client) star: Number,
    pub(in crate::client) is_finish: Flag,
    pub(in crate::client) is_private: Flag,
    pub(in crate::client) pencil_note: Option<PencilNote>,
    pub(in crate::client) author: Option<Author>,
    pub(in crate::client) ref_mp_review_id: Text,
}

impl Review {
    /// The innermost object, with what only those around it have.
    pub(in crate::client) fn gathered(mut self) -> Self {
        while let Some(inner) = self.review.take() {
            let outer = std::mem::replace(&mut self, *inner);
            self.idx = self.idx.or(outer.idx);
            self.review_id = self.review_id.or(outer.review_id);
            self.likes_count = self.likes_count.or(outer.likes_count);
            self.comments_count = self.comments_count.or(outer.comments_count);
        }
        self
    }
}

/// Handwriting. Its own place is none, and its time is in thousandths of a second.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in crate::client) struct PencilNote {
    pub(in crate::client) image_url: Text,
    pub(in crate::client) drawing_url: Text,
    pub(in crate::client) doddle_drawing_url: Text,
    pub(in crate::client) and_drawing_url: Text,
    pub(in crate::client) update_time: Number,
}

/// Who wrote a review.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::client) struct Author {
    pub(in crate::client) name: Text,
}
