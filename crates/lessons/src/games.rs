//! What the games teach, one file each.

mod lilypads;
mod nonaga;
mod simply_go;
mod takeover;
