//! The page of a server's tools, in Chinese, for the people who decide what an agent may do.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::process::text;

/// The page of a server for the result of its `tools/list`, and for that under `--read-only`.
pub(super) fn render(server: &str, list: &Value, read_only: &Value) -> String {
    let tools = list["tools"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let mut page = format!(
        "# {server} 的工具\n\n<!-- 由 `cargo xtask schema` 生成，请勿手改。 -->\n\n\
         共 {} 个工具；`tools/list` 的结果为 {} 字节。\n\n\
         | 工具 | 标题 | 读写 |\n| --- | --- | --- |\n",
        tools.len(),
        list.to_string().len(),
    );
    let kept = read_only["tools"].as_array();
    let is_kept = |tool: &Value| {
        let mut kept = kept.into_iter().flatten();
        kept.any(|other| other["name"] == tool["name"])
    };
    for tool in tools {
        let what = match (reads(tool), is_kept(tool)) {
            (true, _) => "读",
            (false, true) => "只改本机",
            (false, false) => "写",
        };
        page += &row(&[&code(&tool["name"]), &text(&tool["title"]), what]);
    }
    tools.iter().for_each(|tool| page += &section(tool));
    page + &writes(tools.iter().filter(|tool| !is_kept(tool)))
}

/// Whether a tool says of itself that it only reads.
fn reads(tool: &Value) -> bool {
    tool["annotations"]["readOnlyHint"] == true
}

/// One tool: what it does, its arguments, the fields of its result.
fn section(tool: &Value) -> String {
    let mut page = format!(
        "\n## {} {}\n\n{}\n\n### 参数\n\n",
        code(&tool["name"]),
        text(&tool["title"]),
        prose(tool)
    );
    let arguments = fields(&tool["inputSchema"], "");
    if arguments.is_empty() {
        page += "没有参数。\n";
    } else {
        page += "| 参数 | 类型 | 必填 | 范围 | 说明 |\n| --- | --- | --- | --- | --- |\n";
    }
    for Field {
        name,
        schema,
        required,
    } in arguments
    {
        let required = if required { "是" } else { "否" };
        page += &row(&[
            &format!("`{name}`"),
            &kind(schema),
            required,
            &range(schema),
            &prose(schema),
        ]);
    }
    page += "\n### 结果\n\n";
    if tool["outputSchema"].is_null() {
        return page + "没有声明结构：结果可能是一张图片。\n";
    }
    page += "| 字段 | 类型 | 说明 |\n| --- | --- | --- |\n";
    for Field { name, schema, .. } in fields(&tool["outputSchema"], "") {
        let about = [prose(schema), range(schema)]
            .into_iter()
            .filter(|part| !part.is_empty());
        page += &row(&[
            &format!("`{name}`"),
            &kind(schema),
            &about.collect::<Vec<_>>().join(" "),
        ]);
    }
    page
}

/// The tools that change something that another person or the service can notice.
fn writes<'a>(writing: impl Iterator<Item = &'a Value>) -> String {
    let mut page = "\n## 会写的工具\n\n".to_owned();
    let mut writing = writing.peekable();
    if writing.peek().is_none() {
        return page + "没有。\n";
    }
    page += "`--read-only` 会去掉这些工具。\n\n| 工具 | 会破坏 | 可重复 | 触及外部 |\n| --- | --- | --- | --- |\n";
    for tool in writing {
        let hint = |name: &str| match tool["annotations"][name].as_bool() {
            Some(true) => "是",
            Some(false) => "否",
            None => "未声明",
        };
        let hints = [
            hint("destructiveHint"),
            hint("idempotentHint"),
            hint("openWorldHint"),
        ];
        page += &row(&[&code(&tool["name"]), hints[0], hints[1], hints[2]]);
    }
    page
}

/// One argument or field, under its path from the root: `trains[].seats[].price_yuan`.
struct Field<'a> {
    name: String,
    schema: &'a Value,
    required: bool,
}

/// The fields of an object, each followed by those inside it.
fn fields<'a>(schema: &'a Value, inside: &str) -> Vec<Field<'a>> {
    let mut found = Vec::new();
    let properties = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::iter);
    for (key, value) in properties {
        let required = schema["required"]
            .as_array()
            .is_some_and(|names| names.iter().any(|name| name == key));
        let (mut name, mut inner) = (format!("{inside}{key}"), value);
        found.push(Field {
            name: name.clone(),
            schema: value,
            required,
        });
        while inner["items"].is_object() {
            name += "[]";
            inner = &inner["items"];
        }
        found.extend(fields(inner, &format!("{name}.")));
    }
    found
}

/// The type in words of JSON Schema, an array with that of its items.
fn kind(schema: &Value) -> String {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" / "),
        Value::String(kind) if kind == "array" => {
            format!("array of {}", kind_or_any(&schema["items"]))
        }
        _ => kind_or_any(schema),
    }
}

fn kind_or_any(schema: &Value) -> String {
    schema["type"].as_str().unwrap_or("any").to_owned()
}

/// What values are allowed, and which one an absent argument stands for.
fn range(schema: &Value) -> String {
    let mut parts = Vec::new();
    for holder in [schema, &schema["items"]] {
        if let Some(values) = holder["enum"].as_array() {
            parts.push(values.iter().map(code).collect::<Vec<_>>().join(" "));
        }
    }
    for (low, high, unit) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " 字"),
        ("minItems", "maxItems", " 项"),
    ] {
        match (&schema[low], &schema[high]) {
            (Value::Null, Value::Null) => {}
            (low, Value::Null) => parts.push(format!("≥ {low}{unit}")),
            (Value::Null, high) => parts.push(format!("≤ {high}{unit}")),
            (low, high) if low == high => parts.push(format!("{low}{unit}")),
            (low, high) => parts.push(format!("{low}–{high}{unit}")),
        }
    }
    for (key, word) in [("format", "格式"), ("pattern", "样式"), ("default", "默认")] {
        if !schema[key].is_null() {
            parts.push(format!("{word} {}", code(&schema[key])));
        }
    }
    parts.join("；")
}

fn prose(schema: &Value) -> String {
    schema["description"]
        .as_str()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

fn code(value: &Value) -> String {
    format!("`{}`", text(value))
}

/// A row of a table; line breaks and bars would end a cell.
fn row(cells: &[&str]) -> String {
    let mut line = String::from("|");
    for cell in cells {
        let cell = cell
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace('|', "\\|");
        let _infallible = write!(line, " {cell} |");
    }
    line + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::render;

    const PAGE: &str = "\
# rail-mcp 的工具

<!-- 由 `cargo xtask schema` 生成，请勿手改。 -->

共 2 个工具；`tools/list` 的结果为 SIZE 字节。

| 工具 | 标题 | 读写 |
| --- | --- | --- |
| `find` | 查询 | 读 |
| `book` | 预订 | 写 |

## `find` 查询

查车票。

### 参数

| 参数 | 类型 | 必填 | 范围 | 说明 |
| --- | --- | --- | --- | --- |
| `date` | string | 是 | 10 字 | 日期 甲\\|乙 |
| `kinds` | array of string | 否 | `G` `D`；≤ 2 项 |  |
| `limit` | integer | 否 | 1–100；默认 `20` |  |

### 结果

| 字段 | 类型 | 说明 |
| --- | --- | --- |
| `ok` | boolean |  |
| `trains` | array of object |  |
| `trains[].price` | number / null | 元 ≥ 0 |

## `book` 预订



### 参数

没有参数。

### 结果

没有声明结构：结果可能是一张图片。

## 会写的工具

`--read-only` 会去掉这些工具。

| 工具 | 会破坏 | 可重复 | 触及外部 |
| --- | --- | --- | --- |
| `book` | 是 | 否 | 未声明 |
";

    fn list() -> serde_json::Value {
        json!({ "tools": [
            {
                "name": "find", "title": "查询", "description": "查车票。",
                "annotations": { "readOnlyHint": true },
                "inputSchema": { "type": "object", "required": ["date"], "properties": {
                    "date": { "type": "string", "description": "日期\n甲|乙", "minLength": 10, "maxLength": 10 },
                    "kinds": { "type": "array", "items": { "type": "string", "enum": ["G", "D"] }, "maxItems": 2 },
                    "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": 20 },
                } },
                "outputSchema": { "type": "object", "required": ["ok"], "properties": {
                    "ok": { "type": "boolean" },
                    "trains": { "type": "array", "items": { "type": "object", "properties": {
                        "price": { "type": ["number", "null"], "description": "元", "minimum": 0 },
                    } } },
                } },
            },
            {
                "name": "book", "title": "预订",
                "annotations": { "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false },
                "inputSchema": { "type": "object" },
            },
        ] })
    }

    #[test]
    fn the_page_tells_all_that_the_schemas_say() {
        let page = PAGE.replace("SIZE", &list().to_string().len().to_string());
        let mut read_only = list();
        read_only["tools"].as_array_mut().unwrap().truncate(1);
        assert_eq!(render("rail-mcp", &list(), &read_only), page);
    }

    #[test]
    fn a_tool_that_stays_when_nothing_may_be_written_changes_this_machine_only() {
        let page = render("rail-mcp", &list(), &list());
        assert!(page.contains("| `book` | 预订 | 只改本机 |"), "{page}");
        assert!(page.ends_with("没有。\n"), "{page}");
    }
}
