//! One file to the objects in it, whatever form it has.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use super::body::Body;
use super::compact::compact;
use super::found::Found;
use super::gzip::Unpacked;
use super::head::Head;
use super::manifest::CaptureManifest;
use super::sniff::{self, Form};
use super::trouble::{Matter, Trouble};
use super::walk::unreadable;
use super::{Limits, block, encoding, json, layout, yaml, zipped};
use crate::source::Resource;

/// Where a file stands, which tells what it is of.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// What reports call it: its path below what the user gave.
    pub origin: String,
    /// The cluster that it is of, unless it stands below `clusters/NAME/`.
    pub cluster: String,
    /// Archives around it.
    pub nesting: u32,
}

impl Place {
    /// A member of the archive that stands here.
    pub fn member(&self, name: &str) -> Self {
        let origin = match self.nesting {
            0 if self.origin.is_empty() => name.to_owned(),
            _ => format!("{}/{name}", self.origin),
        };
        Self { origin, cluster: self.cluster.clone(), nesting: self.nesting + 1 }
    }

    fn cluster(&self) -> &str {
        layout::cluster_of(&self.origin).unwrap_or(&self.cluster)
    }
}

/// Scans files and gathers what they yield.
#[derive(Debug)]
pub(super) struct Scanner {
    pub limits: Limits,
    pub found: Vec<Found>,
    /// Bytes of texts that are held unpacked.
    held: usize,
}

/// Texts beyond this are packed: small dumps are answered from memory as they are.
const HELD: usize = 48 << 20;

impl Scanner {
    pub fn new(limits: Limits) -> Self {
        Self { limits, found: Vec::new(), held: 0 }
    }

    /// Scans a file on disk.
    pub fn file(&mut self, path: &Path, place: &Place) {
        if let Err(error) = self.open(path, place) {
            self.trouble(place, unreadable(&error));
        }
    }

    fn open(&mut self, path: &Path, place: &Place) -> io::Result<()> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            self.stream(&mut file, place);
            return Ok(());
        }
        let mut start = Vec::with_capacity(sniff::WINDOW);
        file.by_ref().take(sniff::WINDOW as u64).read_to_end(&mut start)?;
        match sniff::form(&start) {
            Form::Zip => {
                file.seek(SeekFrom::Start(0))?;
                zipped::scan(self, file, place);
            }
            Form::Json | Form::Yaml => {
                let text = self.rest(start, &mut file, place);
                self.document(&text, place, Some(path));
            }
            _ => {
                file.seek(SeekFrom::Start(0))?;
                self.stream(&mut file, place);
            }
        }
        Ok(())
    }

    /// Scans what can be read only once: standard input, a member of an archive.
    pub fn stream(&mut self, reader: &mut dyn Read, place: &Place) {
        let mut start = Vec::new();
        if let Err(error) = reader.take(sniff::WINDOW as u64).read_to_end(&mut start) {
            self.interrupted(&error, place);
        }
        match sniff::form(&start) {
            Form::Empty if layout::promises_objects(&place.origin) || place.nesting == 0 => {
                self.trouble(place, Matter::Empty);
            }
            Form::Gzip if place.nesting > self.limits.nesting => self.trouble(place, Matter::Nested),
            Form::Gzip => {
                let mut unpacked = Unpacked::new(Cursor::new(start).chain(reader), self.limits);
                self.unpacked(&mut unpacked, place);
            }
            Form::Zip | Form::Tar if place.nesting > self.limits.nesting => {
                self.trouble(place, Matter::Nested);
            }
            Form::Tar => super::tarball::scan(self, &mut Cursor::new(start).chain(reader), place),
            Form::Zip => {
                let bytes = self.rest(start, reader, place);
                zipped::scan(self, Cursor::new(bytes), place);
            }
            Form::Json | Form::Yaml => {
                let text = self.rest(start, reader, place);
                self.document(&text, place, None);
            }
            Form::Table => {
                let resource = layout::resource_of(&place.origin).map(ToString::to_string);
                self.trouble(place, Matter::Table { resource });
            }
            Form::Binary if layout::promises_objects(&place.origin) => self.trouble(place, Matter::Binary),
            Form::Text if layout::promises_objects(&place.origin) => self.text_without_objects(&start, place),
            Form::Empty | Form::Binary | Form::Text => {}
        }
    }

    /// What a gzip stream holds: an archive, or one file.
    fn unpacked(&mut self, reader: &mut dyn Read, place: &Place) {
        let mut start = Vec::new();
        if let Err(error) = reader.take(sniff::WINDOW as u64).read_to_end(&mut start) {
            self.interrupted(&error, place);
        }
        match sniff::form(&start) {
            Form::Gzip => self.trouble(place, Matter::Nested),
            _ => self.stream(&mut Cursor::new(start).chain(reader), place),
        }
    }

    /// The whole file, of which `start` is read already. What cannot be read is said and left out.
    fn rest(&mut self, mut start: Vec<u8>, reader: &mut dyn Read, place: &Place) -> Vec<u8> {
        let room = self.limits.file_bytes.saturating_sub(start.len() as u64);
        match reader.take(room + 1).read_to_end(&mut start) {
            Err(error) => self.interrupted(&error, place),
            Ok(length) if length as u64 > room => {
                start.pop();
                let what = format!("it is larger than {} bytes", self.limits.file_bytes);
                self.trouble(place, Matter::TooMuch { what });
            }
            Ok(_) => {}
        }
        start
    }

    /// Objects of a JSON or YAML text; `path` is the file on disk that holds exactly these bytes.
    fn document(&mut self, bytes: &[u8], place: &Place, path: Option<&Path>) {
        let decoded = encoding::decode(bytes);
        let hint = layout::resource_of(&place.origin);
        if let Some(capture) = CaptureManifest::parse(&decoded.text) {
            let (origin, cluster) = (place.origin.clone(), place.cluster().to_owned());
            self.found.push(Found { origin, cluster, capture: Some(capture), ..Found::default() });
            return;
        }
        let is_likely = hint.is_some() || layout::promises_objects(&place.origin);
        if !is_likely && memchr::memmem::find(decoded.text.as_bytes(), b"apiVersion").is_none() {
            return;
        }
        let mut found = Found {
            origin: place.origin.clone(),
            cluster: place.cluster().to_owned(),
            path: path.map(Path::to_path_buf),
            ..Found::default()
        };
        let mut matters = Vec::new();
        if decoded.is_lossy {
            matters.push(Matter::InvalidText);
        }
        let on_disk = match (&decoded.text, path) {
            (Cow::Borrowed(text), Some(_)) => Some((text.as_ptr() as usize, decoded.offset as u64)),
            _ => None,
        };
        let is_json = sniff::form(bytes.get(..sniff::WINDOW).unwrap_or(bytes)) == Form::Json;
        let fault = if is_json {
            let documents = json::read(&decoded.text, hint);
            let is_flow_yaml = documents.objects.is_empty()
                && documents.fault.as_ref().is_some_and(|fault| !fault.is_cut_off);
            if is_flow_yaml {
                let again = self.yaml(&decoded.text, hint, &mut found, &mut matters);
                if found.objects.is_empty() { documents.fault } else { again }
            } else {
                take(documents, on_disk, hint, &mut found, &mut matters)
            }
        } else {
            self.yaml(&decoded.text, hint, &mut found, &mut matters)
        };
        let is_wanted = !found.objects.is_empty()
            || !found.empty_lists.is_empty()
            || layout::promises_objects(&place.origin)
            || place.nesting == 0;
        match fault {
            Some(fault) if is_wanted => {
                let objects = found.objects.len();
                matters.push(match fault.is_cut_off {
                    true => Matter::CutOff { objects },
                    false => Matter::Broken { line: fault.line, why: fault.why },
                });
            }
            _ => {}
        }
        let trouble = |matter| Trouble { origin: place.origin.clone(), matter };
        found.troubles.extend(matters.into_iter().map(trouble));
        if path.is_none() {
            let length: usize = found.objects.iter().map(|(_, body)| body.len()).sum();
            if self.held + length > HELD {
                block::pack(&mut found);
            } else {
                self.held += length;
            }
        }
        self.found.push(found);
    }

    fn yaml(
        &mut self,
        text: &str,
        hint: Option<&Resource>,
        found: &mut Found,
        matters: &mut Vec<Matter>,
    ) -> Option<json::Fault> {
        let documents = yaml::read(text);
        for value in &documents.values {
            take(json::read(value, hint), None, hint, found, matters);
        }
        match documents.fault {
            Some(fault) if documents.is_tab => {
                matters.push(Matter::Tab { line: fault.line });
                None
            }
            fault => fault,
        }
    }

    fn text_without_objects(&mut self, start: &[u8], place: &Place) {
        let decoded = encoding::decode(start);
        let trimmed = decoded.text.trim_start();
        // What kubectl prints where it is refused lands in files when both outputs are redirected.
        if trimmed.starts_with("Error from server") || trimmed.starts_with("error: ") {
            let message = trimmed.lines().next().unwrap_or_default().to_owned();
            self.trouble(place, Matter::ServerError { message });
        }
    }

    /// Reading stopped: what came before is used.
    pub fn interrupted(&mut self, error: &io::Error, place: &Place) {
        let matter = match error.kind() {
            io::ErrorKind::QuotaExceeded => Matter::TooMuch { what: error.to_string() },
            io::ErrorKind::UnexpectedEof => Matter::ArchiveCutOff,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                Matter::Damaged { why: error.to_string() }
            }
            _ => unreadable(error),
        };
        self.trouble(place, matter);
    }

    pub fn trouble(&mut self, place: &Place, matter: Matter) {
        let origin = if place.origin.is_empty() { "the archive".to_owned() } else { place.origin.clone() };
        let trouble = Trouble { origin, matter };
        if let Some(found) = self.found.last_mut().filter(|found| found.origin == place.origin) {
            found.troubles.push(trouble);
            return;
        }
        self.found.push(Found {
            origin: place.origin.clone(),
            cluster: place.cluster().to_owned(),
            troubles: vec![trouble],
            ..Found::default()
        });
    }
}

/// Moves documents into what was found; `on_disk` is the text's address and its place in the file.
fn take(
    documents: json::Documents<'_>,
    on_disk: Option<(usize, u64)>,
    hint: Option<&Resource>,
    found: &mut Found,
    matters: &mut Vec<Matter>,
) -> Option<json::Fault> {
    let body = |text: Cow<'_, str>| match (text, on_disk) {
        (Cow::Borrowed(text), Some((start, offset))) => match u32::try_from(text.len()) {
            Ok(length) => Body::InFile { start: (text.as_ptr() as usize - start) as u64 + offset, length },
            Err(_) => Body::Text(compact(text).into()),
        },
        (text, _) => Body::Text(compact(&text).into()),
    };
    let objects = documents.objects.into_iter().map(|(head, text): (Head, _)| (head, body(text)));
    found.objects.extend(objects);
    for (api_version, kind) in documents.empty_lists {
        let kind = kind.strip_suffix("List").unwrap_or_default();
        if kind.is_empty() {
            found.empty_lists.extend(hint.map(|hint| (hint.group.to_string(), hint.kind.to_string())));
        } else {
            let group = api_version.split_once('/').map_or("", |(group, _)| group);
            found.empty_lists.push((group.to_owned(), kind.to_owned()));
        }
    }
    matters.extend(documents.server_errors.into_iter().map(|message| Matter::ServerError { message }));
    documents.fault
}
