//! The one form that every result of a tool has.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

use crate::recorder::Ending;

/// Gives a result its one form: `ok` first, `isError` to match, the structure again as text.
/// A picture drops the structure, since hosts that are given both show the structure alone. Gives
/// how the call ended, which the structure says, dropped or not.
pub(super) fn dress(result: &mut CallToolResult, has_schema: bool) -> Option<Ending> {
    let mut structure = result
        .structured_content
        .take_if(|structure| structure.is_object())?;
    let fields = structure.as_object_mut()?;
    let failed = result.is_error == Some(true);
    let asks = fields
        .get("code")
        .is_some_and(|code| code == "NEED_CHALLENGE" || code == "CONFIRM_REQUIRED");
    result.is_error = Some(failed && !asks);
    fields.shift_insert(0, "ok".into(), json!(!failed));
    let ending = Ending::of(&structure);
    let text = ContentBlock::text(structure.to_string());
    let pictures: Vec<_> = result
        .content
        .drain(..)
        .filter(|block| block.as_image().is_some())
        .collect();
    if pictures.is_empty() || has_schema {
        result.structured_content = Some(structure);
    }
    result.content = std::iter::once(text).chain(pictures).collect();
    Some(ending)
}
