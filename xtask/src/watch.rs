//! Detects changed sources.
//!
//! Polling some hundred files takes a few milliseconds, so there is no need for a
//! crate that watches the file system and would have to be compiled first.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::run::root;

/// The sources of the page, with their modification times.
#[derive(Default, Debug)]
pub(crate) struct Sources(BTreeMap<PathBuf, SystemTime>);

impl Sources {
    /// The sources as they are now.
    pub(crate) fn now() -> anyhow::Result<Self> {
        let mut sources = Self::default();
        sources.add(&root().join("Cargo.toml"));
        sources.add(&root().join("Cargo.lock"));
        for folder in fs::read_dir(root().join("crates"))? {
            let folder = folder?.path();
            for name in ["Cargo.toml", "build.rs", "src", "text", "page"] {
                sources.add(&folder.join(name));
            }
        }
        Ok(sources)
    }

    /// Adds a file, or all files in a folder. Missing ones are ignored.
    fn add(&mut self, path: &Path) {
        if let Ok(entries) = fs::read_dir(path) {
            for entry in entries.flatten() {
                self.add(&entry.path());
            }
        } else if let Ok(time) = fs::metadata(path).and_then(|data| data.modified()) {
            self.0.insert(path.to_owned(), time);
        }
    }

    /// A file that was changed, added or removed since `old`.
    pub(crate) fn first_change<'a>(&'a self, old: &'a Self) -> Option<&'a Path> {
        let changed = self
            .0
            .iter()
            .find(|(path, time)| old.0.get(*path) != Some(time));
        let removed = || old.0.iter().find(|(path, _)| !self.0.contains_key(*path));
        let (path, _) = changed.or_else(removed)?;
        Some(path.strip_prefix(root()).unwrap_or(path))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        path::{Path, PathBuf},
        time::{Duration, SystemTime},
    };

    use super::Sources;

    fn sources(files: &[(&str, u64)]) -> Sources {
        let time = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let files = files
            .iter()
            .map(|&(name, n)| (PathBuf::from(name), time(n)));
        Sources(files.collect())
    }

    #[test]
    fn changed_added_and_removed_files_are_found() {
        let old = sources(&[("a", 1), ("b", 2)]);
        for (new, expected) in [
            (sources(&[("a", 1), ("b", 2)]), None),
            (sources(&[("a", 1), ("b", 3)]), Some("b")),
            // An older file may have been restored.
            (sources(&[("a", 0), ("b", 2)]), Some("a")),
            (sources(&[("a", 1), ("b", 2), ("c", 1)]), Some("c")),
            (sources(&[("b", 2)]), Some("a")),
        ] {
            assert_eq!(new.first_change(&old), expected.map(Path::new));
        }
    }

    #[test]
    fn the_page_is_among_the_sources() {
        let sources = Sources::now().expect("the repository can be read");
        for name in [
            "crates/web/src/main.rs",
            "crates/web/page/style.css",
            "Cargo.toml",
        ] {
            let path = crate::run::root().join(name);
            assert!(sources.0.contains_key(&path), "{name}");
        }
    }
}
