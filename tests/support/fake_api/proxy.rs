//! A proxy that knows CONNECT and leads everybody to one address.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A running proxy.
pub struct ConnectProxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    _stop: tokio::sync::oneshot::Sender<()>,
}

impl ConnectProxy {
    /// Starts one; wherever a client wants to go, it comes to `target`.
    pub fn to(target: SocketAddr) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a socket");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = asked.clone();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        super::server::in_background(async move {
            let listener = TcpListener::from_std(listener).expect("a listener");
            let serve = async {
                loop {
                    let (stream, _) = listener.accept().await.expect("a connection");
                    tokio::spawn(lead(stream, target, log.clone()));
                }
            };
            tokio::select! { _ = stopped => {} () = serve => {} }
        });
        Self { address, asked, _stop: stop }
    }

    /// For HTTPS_PROXY.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The first lines of the requests.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("a log").clone()
    }
}

async fn lead(stream: TcpStream, target: SocketAddr, log: Arc<Mutex<Vec<String>>>) {
    let mut client = BufReader::new(stream);
    let mut first = String::new();
    let mut line = String::new();
    while client.read_line(&mut line).await.is_ok_and(|length| length > 2) {
        if first.is_empty() {
            first = line.trim().to_owned();
        }
        line.clear();
    }
    log.lock().expect("a log").push(first);
    let mut server = TcpStream::connect(target).await.expect("the target");
    client.get_mut().write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.expect("an answer");
    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
}
