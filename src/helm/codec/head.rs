//! The beginning of a release record: enough to say what it is, without reading the bulk.
//!
//! Helm writes `name, info, chart` first, and `metadata` first in `chart`. A record in another order is
//! read on until all three were met; what a damaged record told before its damage is kept.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::helm::release::{self, ChartMetadata, Info};

/// What the beginning of a record tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The release's name; empty only in a damaged record.
    pub name: String,
    /// When, what state, why.
    pub info: Info,
    /// Chart name, version, Fleet's annotations.
    pub chart: ChartMetadata,
    /// The revision's number. Helm writes it behind the bulk, so mostly `None`: the label `version` and
    /// the object's name have it.
    pub version: Option<u32>,
    /// As `version`.
    pub namespace: Option<String>,
    /// As `version`.
    pub apply_method: Option<String>,
}

/// Reads from the beginning of `json`; whether name, info and chart metadata were all met whole, and
/// whether the record ended.
pub(super) fn read(json: &[u8]) -> Reading {
    let mut reading = Reading::default();
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    reading.ended = Object(&mut reading).deserialize(&mut deserializer).is_ok();
    reading
}

#[derive(Default)]
pub(super) struct Reading {
    pub(super) head: Head,
    pub(super) ended: bool,
    has_name: bool,
    has_info: bool,
    has_chart: bool,
}

impl Reading {
    pub(super) fn is_complete(&self) -> bool {
        self.has_name && self.has_info && self.has_chart
    }

    pub(super) fn has_anything(&self) -> bool {
        self.head != Head::default()
    }

    fn stop_if_complete<E: Error>(&self) -> Result<(), E> {
        if self.is_complete() { Err(E::custom("enough was read")) } else { Ok(()) }
    }
}

/// A JSON object whose keys go to a record one by one, so that what was read survives an error.
trait Fill {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;
}

struct Object<'f, F>(&'f mut F);

impl<'de, F: Fill> DeserializeSeed<'de> for Object<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: Fill> Visitor<'de> for Object<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            self.0.field(&key, &mut map)?;
        }
        Ok(())
    }
}

impl Fill for Reading {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "name" => {
                self.head.name = text(map)?;
                self.has_name = true;
            }
            "info" => {
                map.next_value_seed(Object(&mut self.head.info))?;
                self.has_info = true;
            }
            "chart" => map.next_value_seed(Object(&mut ChartOf(self)))?,
            "version" => self.head.version = map.next_value()?,
            "namespace" => self.head.namespace = map.next_value()?,
            "apply_method" => self.head.apply_method = map.next_value()?,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        self.stop_if_complete()
    }
}

struct ChartOf<'r>(&'r mut Reading);

impl Fill for ChartOf<'_> {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != "metadata" {
            map.next_value::<IgnoredAny>()?;
            return Ok(());
        }
        map.next_value_seed(Object(&mut self.0.head.chart))?;
        self.0.has_chart = true;
        self.0.stop_if_complete()
    }
}

impl Fill for Info {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "first_deployed" => self.first_deployed = release::time(&text(map)?),
            "last_deployed" => self.last_deployed = release::time(&text(map)?),
            "deleted" => self.deleted = release::time(&text(map)?),
            "description" => self.description = text(map)?,
            "status" => self.status = text(map)?.as_str().into(),
            "rollback_revision" => self.rollback_revision = map.next_value()?,
            "notes" => self.notes = text(map)?,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

impl Fill for ChartMetadata {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "name" => self.name = text(map)?,
            "version" => self.version = text(map)?,
            "appVersion" => self.app_version = text(map)?,
            "annotations" => self.annotations = map.next_value::<Option<_>>()?.unwrap_or_default(),
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<String, A::Error> {
    Ok(map.next_value::<Option<String>>()?.unwrap_or_default())
}
