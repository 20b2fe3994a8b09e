//! Whether a server is reached through an HTTP or SOCKS proxy, as kubectl decides it.
//!
//! kube 5.0 matches NO_PROXY against the proxy's own host, and sends loopback through HTTPS_PROXY;
//! client-go (Go's `net/http`, `ProxyFromEnvironment`) does neither.

use http::Uri;
use hyper_util::client::proxy::matcher::Matcher;

/// The proxy variables of the environment, capital letters first.
#[derive(Clone, Debug, Default)]
pub(super) struct ProxyVariables {
    http: String,
    https: String,
    none_for: String,
}

impl ProxyVariables {
    /// Reads them through `variable`, in Go's order.
    pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let either = |name: &str| {
            let found = variable(name).filter(|value| !value.is_empty());
            found.or_else(|| variable(&name.to_ascii_lowercase())).unwrap_or_default()
        };
        Self { http: either("HTTP_PROXY"), https: either("HTTPS_PROXY"), none_for: either("NO_PROXY") }
    }

    /// The proxy to reach `server` with, `None` for the straight way.
    fn intercepting(&self, server: &Uri) -> Option<&str> {
        let host = server.host()?.trim_matches(['[', ']']);
        let is_loopback = host.eq_ignore_ascii_case("localhost")
            || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        if is_loopback {
            return None;
        }
        let matcher = Matcher::builder()
            .http(self.http.clone())
            .https(self.https.clone())
            .no(self.without_for(server))
            .build();
        matcher.intercept(server)?;
        Some(if server.scheme_str() == Some("http") { &self.http } else { &self.https })
    }

    /// NO_PROXY's entries that may concern this server: Go also takes `host:port`, hyper does not.
    fn without_for(&self, server: &Uri) -> String {
        let port = server.port_u16().unwrap_or(if server.scheme_str() == Some("http") { 80 } else { 443 });
        let entries =
            self.none_for.split(',').map(str::trim).filter_map(|entry| match entry.rsplit_once(':') {
                Some((host, digits)) if !host.contains(':') => match digits.parse::<u16>() {
                    Ok(own_port) => (own_port == port).then_some(host),
                    Err(_) => Some(entry),
                },
                _ => Some(entry),
            });
        entries
            .map(|entry| entry.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(entry))
            .collect::<Vec<_>>()
            .join(",")
    }
}

/// The proxy for `server`: the kubeconfig's `proxy-url`, else the environment's.
///
/// # Errors
/// The proxy's address is not a URL that can be used; the text names the address without its password.
pub(super) fn proxy_for(
    server: &Uri,
    proxy_url: Option<&str>,
    variables: &ProxyVariables,
) -> Result<Option<Uri>, String> {
    let Some(text) = proxy_url.filter(|url| !url.is_empty()).or_else(|| variables.intercepting(server))
    else {
        return Ok(None);
    };
    // Go takes a bare `host:port` as HTTP, and `socks5h` is what hyper's SOCKS connector does anyway.
    let text = match text.split_once("://") {
        None => format!("http://{text}"),
        Some(("socks5h", rest)) => format!("socks5://{rest}"),
        Some(_) => text.to_owned(),
    };
    let proxy = text.parse::<Uri>().map_err(|error| format!("the proxy's address is not a URL: {error}"))?;
    match proxy.scheme_str() {
        Some("http" | "https" | "socks5") => Ok(Some(proxy)),
        other => Err(format!(
            "proxy {} speaks {}; http, https and socks5 are known",
            proxy.host().unwrap_or_default(),
            other.unwrap_or("nothing known")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(server: &str, own: Option<&str>, variables: &[(&str, &str)]) -> Option<String> {
        let variables = ProxyVariables::read(|name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        });
        proxy_for(&server.parse().unwrap(), own, &variables).unwrap().map(|uri| uri.to_string())
    }

    /// Server, the kubeconfig's proxy-url, the environment, the proxy that is taken.
    type Case<'a> = (&'a str, Option<&'a str>, &'a [(&'a str, &'a str)], Option<&'a str>);

    #[test]
    fn the_proxy_is_chosen_as_go_does() {
        let both = [("HTTPS_PROXY", "http://p:1"), ("HTTP_PROXY", "http://q:2")];
        let cases: &[Case<'_>] = &[
            ("https://k.test", None, &[], None),
            ("https://k.test", None, &both, Some("http://p:1/")),
            ("http://k.test", None, &both, Some("http://q:2/")),
            ("https://127.0.0.1:6443", None, &both, None),
            ("https://[::1]:6443", None, &both, None),
            ("https://localhost:6443", None, &both, None),
            ("https://k.test", None, &[("https_proxy", "p:3128")], Some("http://p:3128/")),
            ("https://k.test", None, &[("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", "a,k.test")], None),
            ("https://api.k.test", None, &[("HTTPS_PROXY", "http://p:1"), ("no_proxy", ".k.test")], None),
            ("https://api.k.test", None, &[("HTTPS_PROXY", "http://p:1"), ("no_proxy", "*.k.test")], None),
            ("https://10.1.2.3", None, &[("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", "10.0.0.0/8")], None),
            (
                "https://k.test:6443",
                None,
                &[("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", "k.test:6443")],
                None,
            ),
            (
                "https://k.test:6443",
                None,
                &[("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", "k.test:443")],
                Some("http://p:1/"),
            ),
            // The proxy's own name in NO_PROXY says nothing about the server.
            (
                "https://k.test",
                None,
                &[("HTTPS_PROXY", "http://p.test:1"), ("NO_PROXY", "p.test")],
                Some("http://p.test:1/"),
            ),
            ("https://127.0.0.1", Some("socks5h://s:9"), &[("NO_PROXY", "*")], Some("socks5://s:9/")),
        ];
        for (server, own, variables, wanted) in cases {
            assert_eq!(proxy(server, *own, variables).as_deref(), *wanted, "{server} {own:?} {variables:?}");
        }
    }

    #[test]
    fn a_bad_proxy_is_named_without_its_password() {
        let server = "https://k.test".parse().unwrap();
        let error = proxy_for(&server, Some("ftp://u:s3cr3t@p"), &ProxyVariables::default()).unwrap_err();
        assert_eq!(error, "proxy p speaks ftp; http, https and socks5 are known");
    }
}
