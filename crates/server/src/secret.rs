//! Random ids and tokens, and their hashes.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// Random bytes.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has randomness");
    bytes
}

/// A token of 128 random bits, which can't be guessed.
pub(crate) fn token() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes::<16>())
}

/// An id of 72 random bits, which does not collide.
pub(crate) fn id() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes::<9>())
}

/// A random number.
pub(crate) fn number() -> u64 {
    u64::from_le_bytes(bytes())
}

/// A code to be written down: `k3vd-29qx-m8tr`.
pub(crate) fn recovery_code() -> String {
    // Without letters and digits that look alike.
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let letters = bytes::<12>().map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    let part = |n: usize| letters[4 * n..4 * n + 4].iter().collect::<String>();
    format!("{}-{}-{}", part(0), part(1), part(2))
}

/// The hash of a token, which is stored instead of it.
pub(crate) fn hash(token: &str) -> String {
    let digest = Sha256::digest(token.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
