//! The members of a zip archive.

use std::io::{Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

use super::scan::{Place, Scanner};
use super::tarball::inside;
use super::trouble::Matter;

/// Scans every regular file of the archive. Nothing is written anywhere.
pub(super) fn scan(scanner: &mut Scanner, reader: impl Read + Seek, place: &Place) {
    let mut archive = match ZipArchive::new(reader) {
        Ok(archive) => archive,
        Err(error) => {
            let why = error.to_string();
            return scanner.trouble(place, Matter::Damaged { why });
        }
    };
    let mut room = scanner.limits.archive_bytes;
    let mut packed = 0;
    let mut unpacked = 0;
    for index in 0..archive.len() {
        if index >= scanner.limits.files {
            let what = format!("it has more than {} members", scanner.limits.files);
            return scanner.trouble(place, Matter::TooMuch { what });
        }
        let (name, is_link, is_locked, length) = match archive.by_index_raw(index) {
            Ok(file) => {
                packed += file.compressed_size();
                (
                    String::from_utf8_lossy(file.name_raw()).into_owned(),
                    file.is_symlink(),
                    file.encrypted(),
                    file.size(),
                )
            }
            Err(error) => {
                scanner.trouble(place, Matter::Damaged { why: error.to_string() });
                continue;
            }
        };
        if name.ends_with('/') {
            continue;
        }
        let Some(inside) = inside(&name) else {
            scanner.trouble(&place.member(&name), Matter::Escape);
            continue;
        };
        let member = place.member(&inside);
        if is_link {
            scanner.trouble(&member, Matter::Link);
            continue;
        }
        if is_locked {
            scanner.trouble(&member, Matter::Encrypted);
            continue;
        }
        unpacked += length;
        let limits = scanner.limits;
        if unpacked > limits.ratio_from && unpacked / limits.ratio > packed {
            let what = format!("it unpacks to more than {} times its size", limits.ratio);
            return scanner.trouble(place, Matter::TooMuch { what });
        }
        let file = match archive.by_index(index) {
            Ok(file) => file,
            Err(ZipError::UnsupportedArchive(why)) => {
                scanner.trouble(&member, Matter::Damaged { why: why.to_owned() });
                continue;
            }
            Err(error) => {
                scanner.trouble(&member, Matter::Damaged { why: error.to_string() });
                continue;
            }
        };
        let mut file = file.take(room);
        scanner.stream(&mut file, &member);
        room = file.limit();
        if room == 0 {
            let what = format!("it unpacks to more than {} bytes", limits.archive_bytes);
            return scanner.trouble(place, Matter::TooMuch { what });
        }
    }
}
