//! What the program prints, read as its readers read it.

mod contract;
mod hostile;
mod human;
mod samples;
