//! Standard input as the SDK reads it, with two of its habits mended.

use rmcp::{
    RoleServer,
    model::JsonRpcMessage,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio_util::sync::CancellationToken;

/// The SDK ends with an error when the first message is a notification or a response, and tells
/// nobody of the end of input while a call runs. This lets only a request begin, and tells.
pub(crate) struct Input<T> {
    inner: T,
    ended: CancellationToken,
    begun: bool,
}

impl<T> Input<T> {
    pub(crate) fn new(inner: T, ended: CancellationToken) -> Self {
        Self {
            inner,
            ended,
            begun: false,
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Input<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
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

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}
