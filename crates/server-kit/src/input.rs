//! Standard input as the SDK reads it, with two of its habits mended.

use std::io;

use rmcp::{
    RoleServer,
    model::JsonRpcMessage,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// The SDK ends with an error when the first message is a notification or a response, and tells
/// nobody of the end of input while a call runs. This lets only a request begin, and tells.
pub(crate) struct Input {
    inner: AsyncRwTransport<RoleServer, Reader, Writer>,
    ended: CancellationToken,
    begun: bool,
}

/// One type for pipes and for the command line's own channel: the SDK's loop is compiled for each.
type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

impl Input {
    pub(crate) fn new(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        ended: CancellationToken,
    ) -> Self {
        let (read, write): (Reader, Writer) = (Box::new(read), Box::new(write));
        Self {
            inner: AsyncRwTransport::new(read, write),
            ended,
            begun: false,
        }
    }
}

impl Transport<RoleServer> for Input {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.inner.receive().await else {
                self.ended.cancel();
                return None;
            };
            self.begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.inner.close().await
    }
}
