//! One request to a page, and its answer exactly as received.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Status line and headers in order of letters, without the date.
    pub(crate) head: Vec<String>,
    pub(crate) body: String,
}

impl Answer {
    /// The number on the status line.
    pub(crate) fn status(&self) -> u16 {
        self.head[0].split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self
            .head
            .iter()
            .filter_map(|line| line.strip_prefix(&format!("{name}: ")));
        values.next()
    }

    /// The text of the first element of that name.
    pub(crate) fn element(&self, name: &str) -> &str {
        let (_, rest) = self.body.split_once(&format!("<{name}>")).unwrap();
        rest.split_once(&format!("</{name}>")).unwrap().0
    }
}

/// Port and path of an address of the page.
pub(crate) fn place(url: &str) -> (u16, String) {
    let rest = url.strip_prefix("http://127.0.0.1:").unwrap();
    let (port, path) = rest.split_once('/').unwrap();
    (port.parse().unwrap(), format!("/{path}"))
}

/// Connects and sends `method path`, then `headers` as they are and `body` with its length.
pub(crate) async fn sent(port: u16, line: &str, headers: &[&str], body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut text = format!("{line} HTTP/1.1\r\nconnection: close\r\n");
    for header in headers {
        text += &format!("{header}\r\n");
    }
    text += &format!("content-length: {}\r\n\r\n{body}", body.len());
    // The server may answer before it has read all.
    let _cut = stream.write_all(text.as_bytes()).await;
    stream
}

/// [`sent`], and what comes back.
pub(crate) async fn exchange(port: u16, line: &str, headers: &[&str], body: &str) -> Answer {
    let mut stream = sent(port, line, headers, body).await;
    let mut text = Vec::new();
    let _cut = stream.read_to_end(&mut text).await;
    let text = String::from_utf8(text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let head = head
        .split("\r\n")
        .filter(|line| !line.starts_with("date: "));
    let mut head: Vec<_> = head.map(str::to_owned).collect();
    head.sort();
    Answer {
        head,
        body: body.to_owned(),
    }
}

/// Opens an address of the page as a link does.
pub(crate) async fn get(url: &str) -> Answer {
    let (port, path) = place(url);
    exchange(
        port,
        &format!("GET {path}"),
        &[&format!("host: 127.0.0.1:{port}")],
        "",
    )
    .await
}

/// Sends a form as the page's own does.
pub(crate) async fn post(url: &str, form: &str) -> Answer {
    let (port, path) = place(url);
    let headers = [
        format!("host: 127.0.0.1:{port}"),
        format!("origin: http://127.0.0.1:{port}"),
        "sec-fetch-site: same-origin".to_owned(),
        "content-type: application/x-www-form-urlencoded".to_owned(),
    ];
    exchange(
        port,
        &format!("POST {path}"),
        &headers.each_ref().map(String::as_str),
        form,
    )
    .await
}
