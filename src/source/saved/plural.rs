//! Plurals of kinds whose API is not at hand.

/// The plural that the API most likely uses, lower case: what Kubernetes' `UnsafeGuessKindToResource`
/// (apimachinery, meta/restmapper.go) makes of a kind.
pub(super) fn guess(kind: &str) -> String {
    let singular = kind.to_lowercase();
    match singular.as_str() {
        "endpoints" => singular,
        _ if singular.ends_with('s') || singular.ends_with('x') || singular.ends_with("ch") => {
            singular + "es"
        }
        _ => match singular.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
            _ => singular + "s",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::guess;

    #[test]
    fn plurals_of_the_kinds_at_hand() {
        for resource in crate::source::resources::ALL {
            assert_eq!(guess(&resource.kind), resource.plural, "{}", resource.kind);
        }
        assert_eq!(guess("IngressClass"), "ingressclasses");
        assert_eq!(guess("Gateway"), "gateways");
        assert_eq!(guess("Endpoints"), "endpoints");
    }
}
