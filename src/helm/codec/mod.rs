//! From the text in a Secret or ConfigMap to a release, at three levels:
//!
//! - head ([`Payload::head`]): name, info and chart metadata from the first bytes, about 10 µs at any size;
//! - full ([`Decoder::view`], [`Payload::release`]): everything but the chart's templates and files;
//! - detail ([`Payload::json`]): the whole record as stored.
//!
//! A payload is base64 (Kubernetes', in Secrets only) of base64 (Helm's) of gzip of JSON; without the
//! gzip magic it is plain JSON (Helm 3 and 4, `pkg/storage/driver/util.go`). A gzip stream may have
//! several members. Sizes are bounded by a [`Limit`]; nothing foreign is trusted.

mod base64;
mod decoder;
mod error;
mod head;
mod inflate;
mod limit;
mod payload;
mod prefix;
mod view;

pub use decoder::{Decoder, Sizes};
pub use error::{DecodeError, Fault, Layer};
pub use head::Head;
pub use limit::Limit;
pub use payload::{Payload, Wrapping, decode, decode_head};
pub use view::{ChartView, InfoView, MetadataView, ReleaseView, Text};
