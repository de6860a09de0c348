/// A file of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// Its content.
    pub whole: &'static [u8],
    /// Its content, compressed with Brotli.
    pub small: &'static [u8],
}

/// The page that was built into this program; empty if none was.
#[must_use]
pub fn files() -> &'static [File] {
    include!(concat!(env!("OUT_DIR"), "/files.rs"))
}

impl File {
    /// The kind of content, as HTTP names it.
    pub(crate) fn kind(&self) -> &'static str {
        match self.name.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "wasm")) => "application/wasm",
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "png")) => "image/png",
            _ => "application/octet-stream",
        }
    }

    /// Whether its name tells its content, so that it never changes.
    pub(crate) fn is_lasting(&self) -> bool {
        self.name != "index.html"
    }

    /// Tells this content from any other.
    pub(crate) fn tag(&self) -> String {
        let hash = self
            .whole
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        format!("\"{hash:016x}\"")
    }
}
