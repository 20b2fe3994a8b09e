//! Why a request got no answer, in words for the person on call.

use std::error::Error;
use std::io;

/// A request that got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// No connection stands; another request would fare no better.
    Connect(String),
    /// The connection broke under the answer; the next one may hold.
    Cut(String),
    /// Nothing came for too long.
    Silence,
    /// The client itself could not be made: a certificate, a key, a plugin, a proxy.
    Setup(String),
}

/// What causes mean and what helps, by words of the libraries' texts (rustls 0.23, hyper-util 0.1, std).
const EXPLANATIONS: &[(&str, &str)] = &[
    ("dns error", "its host name does not resolve"),
    ("failed to lookup address", "its host name does not resolve"),
    ("onnection refused", "nothing listens at its address"),
    ("etwork is unreachable", "there is no route to its network"),
    ("o route to host", "there is no route to its host"),
    ("certificate expired", "its server certificate has expired"),
    ("not valid yet", "its server certificate is not valid yet; is this machine's clock right?"),
    (
        "not valid for name",
        "its server certificate is for another name; --tls-server-name sets the one to expect",
    ),
    (
        "UnknownIssuer",
        "its server certificate is not signed by the certificate-authority of the kubeconfig; that has to be \
         the CA's certificate, not the server's own",
    ),
    ("CaUsedAsEndEntity", "its server shows a CA's certificate as its own; give it one signed by that CA"),
    ("UnsupportedCertVersion", "its certificate is X.509 version 1; issue one of version 3"),
    ("alert: CertificateExpired", "the client certificate of the kubeconfig has expired"),
    ("alert: BadCertificate", "it does not accept the client certificate of the kubeconfig"),
    ("alert: UnknownCA", "it does not know the CA that signed the client certificate of the kubeconfig"),
    ("alert: ProtocolVersion", "it speaks no TLS newer than 1.1"),
    ("InvalidContentType", "it does not speak TLS there; is the URL http://?"),
    ("tunnel error", "the proxy does not let us through"),
    ("BadSignature", "its server certificate is signed by another CA of the same name as the kubeconfig's"),
    ("missing a private key", "the client certificate of the kubeconfig has no usable key"),
    ("identity PEM", "the client certificate or key of the kubeconfig is damaged"),
];

impl Trouble {
    /// Sorts an error of the client by its causes.
    pub(super) fn of(error: &(dyn Error + 'static)) -> Self {
        let causes = causes(error);
        let is_silence = causes.iter().any(|cause| {
            cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
        });
        let texts: Vec<String> = causes.iter().map(ToString::to_string).collect();
        let says = readable(&texts);
        let is_connect = causes.iter().any(|cause| {
            cause
                .downcast_ref::<hyper_util::client::legacy::Error>()
                .is_some_and(hyper_util::client::legacy::Error::is_connect)
        });
        let is_setup = matches!(
            causes.first().and_then(|first| first.downcast_ref::<kube::Error>()),
            Some(
                kube::Error::RustlsTls(_)
                    | kube::Error::Auth(_)
                    | kube::Error::InferKubeconfig(_)
                    | kube::Error::HttpError(_)
                    | kube::Error::ProxyProtocolUnsupported { .. }
            )
        );
        match (is_silence, is_connect, is_setup) {
            (true, true, _) => Self::Connect("no connection stood in time".into()),
            (true, false, _) => Self::Silence,
            (_, true, _) => Self::Connect(says),
            (_, _, true) => Self::Setup(says),
            _ => Self::Cut(says),
        }
    }
}

/// The error and all that caused it, outermost first. `io::Error` hides the error that it wraps from
/// `source()`, and rustls' stands there.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    let mut found = Vec::new();
    let mut next = Some(error);
    while let Some(cause) = next.filter(|_| found.len() < 16) {
        found.push(cause);
        next = match cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => cause.source(),
        };
    }
    found
}

/// What the innermost cause says, with its meaning in front where it is known.
fn readable(texts: &[String]) -> String {
    let innermost = texts.last().map(String::as_str).unwrap_or_default();
    let meaning = EXPLANATIONS
        .iter()
        .find(|(needle, _)| texts.iter().rev().any(|text| text.contains(needle)))
        .map(|(_, meaning)| *meaning);
    match meaning {
        Some(meaning) => format!("{meaning} ({innermost})"),
        None => innermost.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("client error")]
    struct Outer(#[source] io::Error);

    #[derive(Debug, thiserror::Error)]
    #[error("invalid peer certificate: UnknownIssuer")]
    struct Tls;

    #[test]
    fn the_cause_inside_an_io_error_is_found() {
        let error = Outer(io::Error::other(Tls));
        let Trouble::Cut(text) = Trouble::of(&error) else { panic!("{:?}", Trouble::of(&error)) };
        assert!(text.starts_with("its server certificate is not signed by"), "{text}");
        assert!(text.ends_with("(invalid peer certificate: UnknownIssuer)"), "{text}");
    }

    #[test]
    fn silence_is_no_cut() {
        let error = Outer(io::Error::new(io::ErrorKind::TimedOut, "read"));
        assert_eq!(Trouble::of(&error), Trouble::Silence);
    }
}
