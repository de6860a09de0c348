//! The checksum of files of weights. The build script uses it as well.

/// FNV-1a, the same on every machine and in every version. The page's files have it in
/// their names.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
