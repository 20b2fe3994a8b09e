//! What the program prints, read as its readers read it.

mod contract;
mod hostile;
mod html;
mod human;
mod markdown;
mod samples;
