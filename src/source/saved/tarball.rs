//! The members of a tar archive, in one pass.

use std::io::Read;

use super::scan::{Place, Scanner};
use super::trouble::Matter;

/// Scans every regular file of the archive. Nothing is written anywhere.
pub(super) fn scan(scanner: &mut Scanner, reader: &mut dyn Read, place: &Place) {
    let mut archive = tar::Archive::new(reader);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return scanner.interrupted(&error, place),
    };
    for (count, entry) in entries.enumerate() {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => return scanner.interrupted(&error, place),
        };
        if count >= scanner.limits.files {
            let what = format!("it has more than {} members", scanner.limits.files);
            return scanner.trouble(place, Matter::TooMuch { what });
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let Some(inside) = inside(&name) else {
            scanner.trouble(&place.member(&name), Matter::Escape);
            continue;
        };
        let member = place.member(&inside);
        let kind = entry.header().entry_type();
        if kind.is_symlink() || kind.is_hard_link() {
            scanner.trouble(&member, Matter::Link);
        } else if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
            scanner.stream(&mut entry, &member);
        } else if kind.is_character_special() || kind.is_block_special() || kind.is_fifo() {
            scanner.trouble(&member, Matter::Device);
        }
    }
}

/// The member's path below the archive's root, or `None` if it points elsewhere.
pub(super) fn inside(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.contains(&"..")).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn members_stay_inside() {
        for (name, want) in [
            ("./a/b.json", Some("a/b.json")),
            ("/etc/passwd", Some("etc/passwd")),
            ("a/../../b", None),
            ("..\\b", None),
            ("a/..b/c", Some("a/..b/c")),
        ] {
            assert_eq!(inside(name).as_deref(), want, "{name}");
        }
    }
}
