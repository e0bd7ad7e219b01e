//! `export_notes`.

use std::{collections::BTreeMap, ops::Not};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use server_kit::{
    Call, Failure, Limits, Page, Parameters, bad_argument,
    rmcp::{
        self,
        handler::server::{common::Extension, wrapper::Json},
        tool, tool_router,
    },
    time::Moment,
    told,
};

use super::{
    arguments::book,
    problems::{Problem, problems},
};
use crate::{
    WeRead,
    domain::{annotations::Skipped, ids::BookId},
    service::{
        export::{ExportFile, Format, exported},
        notes::Noted,
    },
};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ExportArguments {
    /// 一本书的 id；与 book_ids 只给一种
    #[schemars(length(min = 1, max = 64), example = &"27416212")]
    book_id: Option<String>,
    /// 1 到 20 本书的 id，按此顺序导出
    #[schemars(length(min = 1, max = 20), example = ["27416212", "30000101"])]
    book_ids: Option<Vec<String>>,
    /// markdown（默认）给人看；json 可完整读回；csv 每条一行，给表格软件
    format: Option<FormatName>,
    /// 写入导出目录（由用户用 WEREAD_EXPORT_DIR 指定）中的这个文件；只能是文件名，扩展名可省。不填则在 content 中给出
    #[schemars(length(min = 1, max = 200), example = &"隐藏的自我")]
    file: Option<String>,
    /// 是否覆盖同名文件，默认 false
    overwrite: Option<bool>,
    /// 上次结果的 next_cursor，其余参数须相同；各次 content 首尾相接就是全文
    #[schemars(length(min = 1, max = 60))]
    cursor: Option<String>,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum FormatName {
    Markdown,
    Json,
    Csv,
}

#[derive(Serialize, JsonSchema)]
#[schemars(transform = told(&[
    ("content", "导出的内容；truncated 为 true 时只是一段，接着取下一段"),
    ("path", "写好的文件"),
    ("bytes", "全文的字节数"),
    ("skipped", "没有导出的条数与原因；no_text 是只标位置、没有文字的书签"),
    ("cleaned", "true：从划线或想法里去掉了看不见的字符"),
    ("complete", "false 时章节或书籍信息没有取到，见 problems；划线与想法总是齐全的"),
]))]
pub(crate) struct Exported {
    format: FormatName,
    books: Vec<ExportedBook>,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    skipped: Vec<Skipped>,
    complete: bool,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Not::not")]
    cleaned: bool,
    untrusted: bool,
    as_of: Moment,
}

/// What is in the export of one book.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, transform = told(&[]))]
struct ExportedBook {
    book_id: BookId,
    title: String,
    highlights: usize,
    notes: usize,
}

/// Where an export goes.
enum Way {
    File(ExportFile),
    Result(Limits),
}

#[tool_router(router = export_router, vis = "pub(crate)")]
impl WeRead {
    /// 导出一本或几本书的全部划线、想法与点评，成一份 Markdown、JSON 或 CSV；各条带稳定的 id，同样的笔记每次导出都相同。可在结果里给出（较长时分段，用 next_cursor 接着取），也可写入用户指定目录中的文件。
    /// 只写导出目录，不改动微信读书里的任何东西；不覆盖已有文件，除非 overwrite 为 true。有一本书取不到就整个失败。先用 list_notebooks 取得 book_id。
    #[tool(
        name = "export_notes",
        title = "导出笔记",
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = true
        )
    )]
    async fn export_notes(
        &self,
        Parameters(arguments): Parameters<ExportArguments>,
        Extension(call): Extension<Call>,
    ) -> Result<Json<Exported>, Failure> {
        let ids = asked(&arguments)?;
        let format = arguments.format.unwrap_or(FormatName::Markdown);
        let way = self.way(&arguments, format, call.result_bytes).await?;

        let noted = self.library.notes_of(ids).await;
        let noted = noted.map_err(|(id, error)| Failure::from(error).data("book_id", id))?;
        let text = exported(&noted, &self.config.web.to_string(), form(format, &way))?;
        let mut exported = about(noted, format, text.len(), self.kit.now());
        match way {
            Way::File(file) => {
                let path = file.write(text).await?;
                exported.path = Some(path.display().to_string());
            }
            Way::Result(limits) => {
                let lines: Vec<_> = text.split_inclusive('\n').collect();
                let page = Page::cut(lines, &limits, |line| *line)?;
                exported.truncated = page.truncated;
                exported.content = Some(page.items.concat());
                exported.next_cursor = page.next_cursor;
            }
        }
        Ok(Json(exported))
    }

    /// Where the export goes, found fit before anything is asked of the service.
    async fn way(
        &self,
        arguments: &ExportArguments,
        format: FormatName,
        bytes: usize,
    ) -> Result<Way, Failure> {
        let Some(file) = &arguments.file else {
            let limits = Limits::new(arguments.cursor.as_deref(), usize::MAX, bytes)?;
            return Ok(Way::Result(limits));
        };
        if arguments.cursor.is_some() {
            return Err(bad_argument("cursor", "写入文件时一次写完，不要 cursor"));
        }
        let folder = self.config.export_folder.as_deref();
        let overwrite = arguments.overwrite.unwrap_or(false);
        let file = ExportFile::new(folder, file, plain(format), overwrite).await?;
        Ok(Way::File(file))
    }
}

/// The books in the order that was asked for.
fn asked(arguments: &ExportArguments) -> Result<Vec<BookId>, Failure> {
    let (field, texts) = match (&arguments.book_id, &arguments.book_ids) {
        (Some(id), None) => ("book_id", std::slice::from_ref(id)),
        (None, Some(ids)) => ("book_ids", ids.as_slice()),
        _ => {
            let why = "book_id 与 book_ids 须给其一，例如 27416212";
            return Err(bad_argument("book_id", why));
        }
    };
    let mut ids: Vec<BookId> = Vec::new();
    for text in texts {
        let id = book(field, text)?;
        if ids.contains(&id) {
            return Err(bad_argument(field, format!("{id} 重复")));
        }
        ids.push(id);
    }
    Ok(ids)
}

fn plain(format: FormatName) -> Format {
    match format {
        FormatName::Markdown => Format::Markdown,
        FormatName::Json => Format::Json,
        FormatName::Csv => Format::Csv {
            byte_order_mark: false,
        },
    }
}

/// A file is opened by spreadsheets, which need the mark; a result is read by programs.
fn form(format: FormatName, way: &Way) -> Format {
    match (format, way) {
        (FormatName::Csv, Way::File(_)) => Format::Csv {
            byte_order_mark: true,
        },
        (format, _) => plain(format),
    }
}

/// What is said of an export beside its text.
fn about(noted: Vec<Noted>, format: FormatName, bytes: usize, as_of: Moment) -> Exported {
    let cleaned = noted.iter().any(|one| one.notes.is_cleaned());
    let mut skipped = BTreeMap::new();
    let (mut books, mut missing) = (Vec::new(), Vec::new());
    for Noted {
        book,
        notes,
        missing: of_book,
    } in noted
    {
        for one in notes.skipped {
            *skipped.entry((one.kind, one.reason)).or_default() += one.count;
        }
        let id = &book.book_id;
        missing.extend(
            of_book
                .into_iter()
                .map(|(what, why)| (format!("{id} {what}"), why)),
        );
        books.push(ExportedBook {
            book_id: book.book_id,
            title: book.title,
            highlights: notes.counts.highlights.returned,
            notes: notes.counts.notes.returned,
        });
    }
    let skipped = skipped.into_iter();
    let problems = problems(missing);
    Exported {
        format,
        books,
        bytes,
        content: None,
        path: None,
        truncated: false,
        next_cursor: None,
        skipped: skipped
            .map(|((kind, reason), count)| Skipped {
                kind,
                reason,
                count,
            })
            .collect(),
        complete: problems.is_empty(),
        problems,
        cleaned,
        untrusted: true,
        as_of,
    }
}
