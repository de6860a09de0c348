//! The UGI engine: lines in, lines out, thinking in slices.
