//! The command line that all servers share.

mod audit;
mod call;
mod doctor;
#[cfg(feature = "account")]
mod login;
mod setup;
mod tools;

#[cfg(feature = "account")]
pub use login::tell;

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing::Level;

use crate::{
    Caller, Errand, Kit, log,
    serve::{self, Door},
    served::Served,
    settings::{Refusal, Settings},
};

/// The command did it.
const DONE: u8 = 0;
/// The tool or the check said no.
const SAID_NO: u8 = 1;
/// The command line does not parse; clap uses it too.
const USAGE: u8 = 2;
/// A setting stops the start.
const CONFIGURATION: u8 = 3;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Args)]
struct Common {
    /// 状态目录（默认为系统的用户数据目录）
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// 只读：不列出也不执行写工具
    #[arg(long, global = true)]
    read_only: bool,
    /// 日志级别（error、warn、info、debug、trace），写到 stderr
    #[arg(long, global = true, value_name = "LEVEL", default_value = "info")]
    log: Level,
}

#[derive(Args, Default)]
struct ServeOptions {
    /// 改用 Streamable HTTP，端点为 /mcp；不写地址则取 MCP_HOST 与 MCP_PORT，默认 127.0.0.1:8010
    #[cfg(feature = "http")]
    #[arg(long, value_name = "IP:PORT", num_args = 0..=1)]
    http: Option<Option<std::net::SocketAddr>>,
}

impl Default for Command {
    fn default() -> Self {
        Self::Serve(ServeOptions::default())
    }
}

#[derive(Subcommand)]
enum Command {
    /// 在标准输入输出上提供 MCP 服务（默认）
    Serve(ServeOptions),
    /// 调用一次工具，结果 JSON 写到标准输出
    Call(call::Options),
    /// 列出工具
    Tools(tools::Options),
    /// 检查设置、状态目录与时钟；--live 另查网络
    Doctor(doctor::Options),
    /// 在终端输入账号并保存（密码不回显）
    #[cfg(feature = "account")]
    Login(login::LoginOptions),
    /// 删除保存的账号与登录态
    #[cfg(feature = "account")]
    Logout(login::LogoutOptions),
    /// 打印或写入某个 MCP 客户端的配置
    Setup(setup::Options),
    /// 查看审计记录，或校验其哈希链
    Audit(audit::Options),
}

/// Everything a `main` does: reads the command line and the settings, then serves or runs a command.
pub fn main<S: Errand>() -> ExitCode {
    // Asked first: a parent that vanishes from here on is missed.
    let parent = state::platform::parent_id();
    let line = parse::<S>();
    log::to_stderr(line.common.log, S::ABOUT.name);
    log::panics_by_place();
    let runtime = runtime();
    let code = match &runtime {
        Ok(runtime) => runtime.block_on(run::<S>(line, parent)),
        Err(error) => {
            tracing::error!(%error, "the runtime did not start");
            SAID_NO
        }
    };
    // The runtime is never dropped: that would wait for a read of standard input that is no pipe.
    std::process::exit(i32::from(code))
}

fn parse<S: Errand>() -> Line {
    let about = S::ABOUT;
    let version = format!("{} ({})", about.version, env!("ERRANDS_COMMIT"));
    // clap keeps the version for the life of the process.
    let version: &'static str = version.leak();
    let matches = Line::command()
        .name(about.name)
        .about(about.title)
        .version(version)
        .get_matches();
    Line::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// One thread: a server waits for its upstream, and what blocks goes to threads of its own.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

async fn run<S: Errand>(line: Line, parent: Option<u32>) -> u8 {
    let mut settings = Settings::of_process(S::ABOUT.prefix);
    let command = line.command.unwrap_or_default();
    let started = start::<S>(&line.common, &command, &mut settings);
    if let Ok(ready) = &started {
        warn_of_slips(&settings, &ready.kit);
    }
    match (command, started) {
        // A host's entry needs no setting.
        (Command::Setup(options), _) => setup::run::<S>(options),
        (Command::Doctor(options), Err(refusal)) => doctor::refused::<S>(&refusal, &options),
        (_, Err(refusal)) => {
            tracing::error!("{refusal}");
            CONFIGURATION
        }
        (Command::Serve(_), Ok(ready)) => {
            let served = Arc::new(Served::new(ready.server, ready.kit));
            match serve::serve(served, ready.door, parent).await {
                Ok(()) => DONE,
                Err(error) => {
                    tracing::error!(%error, "serving ended");
                    SAID_NO
                }
            }
        }
        (Command::Call(options), Ok(ready)) => {
            call::run(Served::new(ready.server, ready.kit), options).await
        }
        (Command::Tools(options), Ok(ready)) => {
            tools::run(&Served::new(ready.server, ready.kit), options)
        }
        (Command::Doctor(options), Ok(ready)) => {
            doctor::run(&ready.server, &ready.kit, &settings, &options).await
        }
        #[cfg(feature = "account")]
        (Command::Login(options), Ok(ready)) => {
            login::login(&ready.server, &ready.kit, options).await
        }
        #[cfg(feature = "account")]
        (Command::Logout(options), Ok(ready)) => {
            login::logout(&ready.server, &ready.kit, options).await
        }
        (Command::Audit(options), Ok(ready)) => audit::run(&ready.kit, options),
    }
}

/// A server whose settings hold.
struct Ready<S> {
    server: S,
    kit: Kit,
    /// Where callers come in, when it is not standard input.
    door: Option<Door>,
}

fn start<S: Errand>(
    common: &Common,
    command: &Command,
    settings: &mut Settings,
) -> Result<Ready<S>, Refusal> {
    let prefix = settings.prefix();
    settings.flag(crate::kit::DATA_DIR_FLAG, common.data_dir.as_ref())?;
    settings.flag(
        &format!("{prefix}_READ_ONLY"),
        common.read_only.then_some("1"),
    )?;
    let mut kit = Kit::read(S::ABOUT.name, S::FOLDER_VARIABLE, settings)?;
    let door = door(command, settings)?;
    kit.caller = caller(command, door.as_ref());
    let server = S::start(&kit, settings)?;
    kit.deny_only_tools(&server, prefix)?;
    settings.readable()?;
    Ok(Ready { server, kit, door })
}

/// The way in that was asked for. Its settings are read in any case, so that they are known, and
/// hold nothing up when nobody comes in that way.
#[cfg(feature = "http")]
fn door(command: &Command, settings: &mut Settings) -> Result<Option<Door>, Refusal> {
    let asked = match command {
        Command::Serve(ServeOptions { http }) => *http,
        _ => None,
    };
    let door = Door::read(asked.flatten(), settings);
    asked.map(|_| door).transpose()
}

#[cfg(not(feature = "http"))]
fn door(_: &Command, _: &mut Settings) -> Result<Option<Door>, Refusal> {
    Ok(None)
}

fn caller(command: &Command, door: Option<&Door>) -> Caller {
    match (command, door) {
        (Command::Call(_), _) => Caller::Command,
        #[cfg(feature = "http")]
        (_, Some(door)) if door.is_remote() => Caller::Remote,
        _ => Caller::Local,
    }
}

fn warn_of_slips(settings: &Settings, kit: &Kit) {
    for (name, near) in settings.unknown() {
        let near = near
            .map(|near| format!("；是否想写 {near}"))
            .unwrap_or_default();
        tracing::warn!("不认识的环境变量 {name}，已忽略{near}");
    }
    if kit.clock.is_fixed() {
        tracing::warn!("时钟固定在 {}，仅供测试", kit.now());
    }
}

/// Prints whole lines. A reader that is gone, such as `head`, is no fault of the command.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
}

/// JSON for a person when the output is a terminal, for a program otherwise.
fn print_json(value: &impl serde::Serialize) {
    let text = if std::io::stdout().is_terminal() {
        serde_json::to_string_pretty(value)
    } else {
        serde_json::to_string(value)
    };
    match text {
        Ok(text) => print(&text),
        Err(error) => tracing::error!(%error, "the result cannot be written"),
    }
}
