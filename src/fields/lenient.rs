//! JSON that should be a map or a list and may turn out to be anything: read in one pass, never refused.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What to make of a JSON value. Whatever is not overridden is skipped and makes what [`Reader::other`] makes.
pub(super) trait Reader<'de>: Sized {
    type Out;

    /// The value is something else than expected.
    fn other(self) -> Self::Out;

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Out, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self.other())
    }

    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Out, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.other())
    }
}

/// Reads any JSON value by a [`Reader`].
pub(super) struct Lenient<R>(pub(super) R);

impl<'de, R: Reader<'de>> DeserializeSeed<'de> for Lenient<R> {
    type Value = R::Out;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<R::Out, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Reader<'de>> Visitor<'de> for Lenient<R> {
    type Value = R::Out;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<R::Out, A::Error> {
        self.0.map(map)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<R::Out, A::Error> {
        self.0.list(list)
    }

    fn visit_bool<E>(self, _: bool) -> Result<R::Out, E> {
        Ok(self.0.other())
    }

    fn visit_i64<E>(self, _: i64) -> Result<R::Out, E> {
        Ok(self.0.other())
    }

    fn visit_u64<E>(self, _: u64) -> Result<R::Out, E> {
        Ok(self.0.other())
    }

    fn visit_f64<E>(self, _: f64) -> Result<R::Out, E> {
        Ok(self.0.other())
    }

    fn visit_str<E>(self, _: &str) -> Result<R::Out, E> {
        Ok(self.0.other())
    }

    fn visit_unit<E>(self) -> Result<R::Out, E> {
        Ok(self.0.other())
    }
}
