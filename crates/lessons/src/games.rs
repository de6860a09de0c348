//! The lessons of the games, one file each.

mod lilypads;
mod nonaga;
mod simply_go;
mod takeover;
