//! One file for each game, and code that some of them share.

mod lattice;
mod lilypads;
mod nonaga;
mod simply_go;
mod takeover;
