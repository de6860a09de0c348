//! Reads files of phrases, and the source code that uses them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The names and phrases of a file, in their order.
pub(crate) fn lines(file: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, phrase) = line.split_once(" = ").unwrap();
            (name.to_owned(), phrase.to_owned())
        })
        .collect()
}

/// The values in a phrase: `{n}`, or `{n?one|many}`, which other languages may omit.
pub(crate) fn places(phrase: &str) -> BTreeSet<&str> {
    let places = phrase.split('{').skip(1);
    places
        .map(|place| &place[..place.find(['?', '}']).unwrap()])
        .collect()
}

/// Everything that is written in a folder and those in it.
pub(crate) fn sources(folder: &Path) -> String {
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let read = |path: PathBuf| {
        if path.is_dir() {
            sources(&path)
        } else {
            fs::read_to_string(path).unwrap()
        }
    };
    paths.map(read).collect()
}
