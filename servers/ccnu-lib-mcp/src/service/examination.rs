//! The server's own checks for `doctor`: what stands between this machine and a booking.

use server_kit::{Failure, doctor::Finding, outside};

use crate::{
    Library,
    domain::user_key::UserKey,
    error::{CLOCK_TOLERANCE_SECONDS, Error, Place, SignIn, is_off_campus},
    service::sign_in::Standing,
};

/// Checks with a finding each. Without `live` nothing is asked outside.
pub(crate) async fn examine(library: &Library, live: bool) -> Vec<Finding> {
    if !live {
        return Vec::new();
    }
    if let Err(error) = library.client.configuration().await {
        // Nothing further can be told without the configuration.
        return vec![of(&error)];
    }
    let mut findings = vec![
        Finding::ok("图书馆系统", "可以连接，配置与签名密钥可读"),
        clock(library),
        match library.client.reader().go_in().await {
            Ok(_) => Finding::ok("统一身份认证", "经登录网关可以打开登录页"),
            Err(error) => of(&error),
        },
    ];
    let session = session(library).await;
    // A renewal that failed has met what is told already.
    if !findings.contains(&session) {
        findings.push(session);
    }
    findings
}

async fn session(library: &Library) -> Finding {
    let check = "登录态";
    let key = &library.config.default_user;
    let standing = match library.login.standing(key).await {
        Ok(Standing::SignedIn) => used(library, key).await,
        standing => standing,
    };
    match standing {
        Ok(Standing::SignedIn) => Finding::ok(check, "可用（已由图书馆系统证实）"),
        Ok(Standing::SignedOut) => {
            Finding::warning(check, "未登录，或已失效", "用 start_login 登录")
        }
        Ok(Standing::NoAccount) => Finding::warning(
            check,
            "未登录，也没有保存账号",
            "执行 ccnu-lib-mcp login 保存账号，或用 start_login 在登录页登录",
        ),
        Err(error) => of(&error),
    }
}

/// Whether the answers that seats and reservations begin with can still be read.
async fn used(library: &Library, key: &UserKey) -> Result<Standing, Error> {
    let user = library.login.user(key);
    user.read(|| user.reader.library()).await?;
    user.read(|| user.reader.current()).await?;
    Ok(Standing::SignedIn)
}

fn clock(library: &Library) -> Finding {
    let check = "时钟偏差";
    match library.client.skew_seconds() {
        None => Finding::ok(check, "图书馆系统没有给出时间，无从比较"),
        Some(skew) if skew.abs() > CLOCK_TOLERANCE_SECONDS => {
            let way = if skew > 0 { "快" } else { "慢" };
            let found = format!("本机比图书馆系统{way} {} 秒，请求签名会被拒绝", skew.abs());
            Finding::broken(check, found, "校准本机时间")
        }
        Some(skew) => Finding::ok(check, format!("与图书馆系统相差 {} 秒", skew.abs())),
    }
}

/// What a failed check says of the part that failed.
fn of(error: &Error) -> Finding {
    let failure = Failure::from(error.clone());
    let check = match error {
        Error::Way { place, error } if is_off_campus(*place, error) => "校园网",
        Error::Way { place, .. } => match place {
            Place::Configuration | Place::Api => "图书馆系统",
            Place::Gateway => "登录网关",
            Place::Cas | Place::Captcha | Place::Submission => "统一身份认证",
        },
        Error::SignIn(SignIn::NoForm { .. }) => "统一身份认证",
        Error::SignIn(_) => "登录网关",
        Error::Unconfigured { .. } => "签名密钥",
        Error::SignatureRejected { .. } | Error::Unauthorised => "请求签名",
        Error::Changed { .. } => "接口",
        _ => "图书馆系统",
    };
    // What elsewhere sends people here sends them on.
    let next = match error {
        Error::Way { place, error } if is_off_campus(*place, error) => {
            "接入校园网后再检查".to_owned()
        }
        Error::SignIn(SignIn::Unsettled { .. }) => {
            "稍后再检查；若一直如此，请反馈以上地址".to_owned()
        }
        Error::Changed { .. } => "升级 ccnu-lib-mcp；若已是最新，请反馈以上内容".to_owned(),
        Error::Way { .. } => "稍后再检查；若一直如此，在浏览器中打开看是否也不可用".to_owned(),
        Error::SignatureRejected { .. } if failure.code == "SIGNATURE_REJECTED" => {
            "升级 ccnu-lib-mcp；若已是最新，请反馈".to_owned()
        }
        _ => failure.next.unwrap_or_default(),
    };
    let mut found = format!("{}：{}", failure.code, failure.message);
    if let Error::SignIn(SignIn::Unsettled { path, .. }) = error {
        found.push_str(&outside(path));
    }
    Finding::broken(check, found, next)
}
