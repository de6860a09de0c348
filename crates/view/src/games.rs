//! One file for each game.

mod lilypads;
mod nonaga;
mod simply_go;
mod takeover;
