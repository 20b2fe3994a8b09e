//! A certificate authority, and the good and bad certificates that servers and people get from it.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// Signs the certificates of one test.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: rcgen::Certificate,
}

/// What the server's certificate is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaf {
    /// For 127.0.0.1, localhost and k.test, signed by the authority.
    #[default]
    Good,
    /// It ended in 2021.
    Expired,
    /// For another host.
    OtherName,
    /// Signed by an authority that nobody knows.
    OtherAuthority,
}

impl Default for Authority {
    fn default() -> Self {
        Self::named("the test's CA")
    }
}

impl Authority {
    fn named(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a CA's certificate");
        Self { issuer: Issuer::new(params, key), certificate }
    }

    /// The CA's certificate, for kubeconfigs.
    pub fn pem(&self) -> String {
        self.certificate.pem()
    }

    /// Certificate and key of a person, PEM.
    pub fn client(&self, name: &str) -> (String, String) {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        params.extended_key_usages = vec![rcgen::ExtendedKeyUsagePurpose::ClientAuth];
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("a client's certificate");
        (certificate.pem(), key.serialize_pem())
    }

    /// What a server shows, and whether it wants to see its clients' certificates.
    pub fn server_config(&self, leaf: Leaf, wants_clients: bool) -> ServerConfig {
        let names = match leaf {
            Leaf::OtherName => vec!["elsewhere.test".to_owned()],
            _ => vec!["127.0.0.1".to_owned(), "localhost".to_owned(), "k.test".to_owned()],
        };
        let mut params = CertificateParams::new(names).expect("names");
        if leaf == Leaf::Expired {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        }
        let other = Self::named("another CA");
        let issuer = if leaf == Leaf::OtherAuthority { &other.issuer } else { &self.issuer };
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, issuer).expect("a server's certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let chain = vec![certificate.der().clone()];
        let builder = ServerConfig::builder();
        let builder = if wants_clients {
            let mut roots = RootCertStore::empty();
            roots.add(self.certificate.der().clone()).expect("a root");
            let verifier = WebPkiClientVerifier::builder(Arc::new(roots)).build().expect("a verifier");
            builder.with_client_cert_verifier(verifier)
        } else {
            builder.with_no_client_auth()
        };
        builder.with_single_cert(chain, key).expect("a server's TLS")
    }
}
