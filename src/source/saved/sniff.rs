//! What a file is, told by its first bytes.

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing in it.
    Empty,
    /// gzip; what it holds is sniffed again.
    Gzip,
    /// zip.
    Zip,
    /// tar, any flavour.
    Tar,
    /// Starts like JSON.
    Json,
    /// A YAML document that can be a Kubernetes object.
    Yaml,
    /// A table that kubectl printed.
    Table,
    /// Some text that is none of ours: a log, a note.
    Text,
    /// None of ours.
    Binary,
}

/// How many bytes are looked at.
pub(super) const WINDOW: usize = 64 << 10;

/// The form of a file that starts with these bytes (at most [`WINDOW`] of them).
pub(super) fn form(start: &[u8]) -> Form {
    match start {
        [] => return Form::Empty,
        [0x1f, 0x8b, ..] => return Form::Gzip,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => return Form::Zip,
        _ => {}
    }
    if is_tar(start) {
        return Form::Tar;
    }
    let decoded = super::encoding::decode(start);
    match text_form(&decoded.text) {
        // The API writes apiVersion first, everyone else within the first item; logs never do.
        Form::Json if start.len() >= WINDOW && !decoded.text.contains("\"apiVersion\"") => Form::Text,
        form => form,
    }
}

fn text_form(text: &str) -> Form {
    if text.contains('\0') {
        return Form::Binary;
    }
    let mut lines = text.lines().map(|line| line.strip_prefix("---").unwrap_or(line).trim());
    let first = lines.find(|line| !is_skipped(line));
    match first {
        None => Form::Text,
        Some(line) if line.starts_with(['{', '[']) => Form::Json,
        Some(_) if text.lines().any(starts_object) => Form::Yaml,
        Some(_) if super::table::is_table(text) => Form::Table,
        Some(_) => Form::Text,
    }
}

/// Lines that may stand before a document.
fn is_skipped(line: &str) -> bool {
    line.is_empty() || line.starts_with(['#', '%'])
}

/// Whether a line is the first of an object or of a list of objects.
fn starts_object(line: &str) -> bool {
    let line = line.trim_start_matches("---").trim_start_matches(['-', ' ']);
    ["apiVersion:", "\"apiVersion\":", "'apiVersion':"].iter().any(|key| line.starts_with(key))
}

fn is_tar(start: &[u8]) -> bool {
    let Some(block) = start.first_chunk::<512>() else { return false };
    if block.get(257..262) == Some(b"ustar") {
        return true;
    }
    // Old archives have no magic, but a checksum that text cannot have by chance.
    let header = tar::Header::from_byte_slice(block);
    let sum = |block: &[u8]| block.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    let with_blank_checksum = sum(block) - sum(&block[148..156]) + 8 * u32::from(b' ');
    block[0] != 0 && header.cksum().is_ok_and(|stored| stored == with_blank_checksum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (start, want) in [
            (&b""[..], Form::Empty),
            (b"\x1f\x8b\x08\0", Form::Gzip),
            (b"PK\x03\x04rest", Form::Zip),
            (b"{\"kind\":1}", Form::Json),
            (b"\xef\xbb\xbf\r\n # note\n{", Form::Json),
            (b"---\n# note\n---\n[", Form::Json),
            (b"# note\napiVersion: v1\r\nkind: Secret\r\n", Form::Yaml),
            (b"- apiVersion: v1\n", Form::Yaml),
            (b"kind: Secret\n'apiVersion': v1\n", Form::Yaml),
            (b"NAME    DATA\nweb    1\n", Form::Table),
            (b"2026-12-01 apiVersion: is in a log\n", Form::Text),
            (b"replicas: 2\n", Form::Text),
            (b"\x7fELF\0\0\0", Form::Binary),
            (b"\xff\xfe{\0\"\0", Form::Json),
        ] {
            assert_eq!(form(start), want, "{start:?}");
        }
    }

    #[test]
    fn tar_is_told_with_and_without_its_magic() {
        for mut header in [tar::Header::new_gnu(), tar::Header::new_ustar(), tar::Header::new_old()] {
            header.set_path("a").unwrap();
            header.set_size(0);
            header.set_cksum();
            assert_eq!(form(header.as_bytes()), Form::Tar);
        }
    }
}
