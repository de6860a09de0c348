use std::borrow::Cow;

/// A file of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its content.
    pub whole: Cow<'static, [u8]>,
    /// Its content compressed with Brotli, if it was.
    pub small: Option<Cow<'static, [u8]>>,
}

/// The page embedded in this program; empty if there is none.
#[must_use]
pub fn files() -> &'static [File] {
    include!(concat!(env!("OUT_DIR"), "/files.rs"))
}

impl File {
    /// A file that is part of the program.
    #[must_use]
    pub const fn embedded(name: &'static str, whole: &'static [u8], small: &'static [u8]) -> Self {
        Self {
            name: Cow::Borrowed(name),
            whole: Cow::Borrowed(whole),
            small: Some(Cow::Borrowed(small)),
        }
    }

    /// Its media type.
    pub(crate) fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "wasm")) => "application/wasm",
            Some((_, "webmanifest")) => "application/manifest+json",
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "png")) => "image/png",
            _ => "application/octet-stream",
        }
    }

    /// Whether its name contains a hash of its content, so that it never changes.
    pub(crate) fn is_immutable(&self) -> bool {
        let stem = self.name.split('.').next().unwrap_or_default();
        stem.contains('-')
    }

    /// A strong entity tag.
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
