//! Free loopback ports.

use std::io;
use std::net::TcpListener;

#[derive(Clone, Copy, Debug)]
pub struct Ports {
    pub etcd: u16,
    pub etcd_peer: u16,
    pub apiserver: u16,
    pub controller_manager: u16,
}

impl Ports {
    /// Free at the time of asking: nothing keeps them free until the servers take them.
    pub fn free() -> io::Result<Self> {
        // All four are held at once, else the system may give the same one twice.
        let held = [(); 4].map(|()| TcpListener::bind(("127.0.0.1", 0)));
        let [etcd, etcd_peer, apiserver, controller_manager] =
            held.map(|listener| listener.and_then(|listener| Ok(listener.local_addr()?.port())));
        Ok(Self {
            etcd: etcd?,
            etcd_peer: etcd_peer?,
            apiserver: apiserver?,
            controller_manager: controller_manager?,
        })
    }
}
