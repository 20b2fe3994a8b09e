//! Rancher's proxy URLs: `https://HOST/k8s/clusters/ID` is the API server of cluster ID.

/// The server's own URL, and the path that leads from there to one cluster (`""` where there is none).
pub(in crate::source) fn split(url: &str) -> (&str, &str) {
    match url.find("/k8s/clusters/") {
        Some(at) => {
            let (root, path) = url.split_at(at);
            (root, path.trim_end_matches('/'))
        }
        None => (url, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proxys_path_is_split_off() {
        let cases = [
            ("https://r.test/k8s/clusters/local", ("https://r.test", "/k8s/clusters/local")),
            ("https://r.test:8443/sub/k8s/clusters/c-1/", ("https://r.test:8443/sub", "/k8s/clusters/c-1")),
            ("https://k.test:6443", ("https://k.test:6443", "")),
        ];
        for (url, parts) in cases {
            assert_eq!(split(url), parts);
        }
    }
}
