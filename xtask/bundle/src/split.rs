//! A program in parts: what it marks as needed later becomes modules of their own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use wasm_split_cli_support::Options;

use crate::{program::Part, slim::without_unused_classes};

/// What the page's module calls the script that fetches its parts.
const LOADER: &str = "./loader.js";

/// A program that has been split.
pub(crate) struct Split {
    /// The module that is left, for wasm-bindgen.
    pub(crate) main: PathBuf,
    pub(crate) parts: Vec<Part>,
    /// The script that fetches the parts.
    loader: String,
}

impl Split {
    /// Splits the program `wasm` into files in the folder `scratch`.
    pub(crate) fn new(wasm: &Path, scratch: &Path) -> anyhow::Result<Self> {
        let input = fs::read(wasm).with_context(|| format!("can't read {}", wasm.display()))?;
        let input = without_unused_classes(&input)?;
        fs::create_dir_all(scratch)?;
        let main = scratch.join("main.wasm");
        let mut options = Options::new(&input);
        options.output_dir = scratch;
        options.main_out_path = &main;
        options.link_name = LOADER;
        let split = wasm_split_cli_support::transform(options)
            .map_err(|error| anyhow::anyhow!("can't split {}: {error:#}", wasm.display()))?;
        let part = |path: &PathBuf| {
            let name = path.file_name().context("parts have names")?;
            let stem = path
                .file_stem()
                .context("parts have names")?
                .to_string_lossy();
            let users = split.prefetch_map.iter();
            let users = users.filter(|(_, files)| files.iter().any(|file| *file == stem));
            Ok(Part {
                name: name.to_string_lossy().into_owned(),
                module: without_names(&fs::read(path)?)?,
                users: users.map(|(user, _)| user.clone()).collect(),
            })
        };
        let parts = split.split_modules.iter().map(part);
        Ok(Self {
            parts: parts.collect::<anyhow::Result<_>>()?,
            loader: fs::read_to_string(scratch.join(LOADER))?,
            main,
        })
    }

    /// Puts the loader into the script that imports it: there it needs no import of its own, and
    /// the page one file less.
    pub(crate) fn with_loader(&self, script: &str) -> anyhow::Result<String> {
        let import = script
            .lines()
            .find(|line| line.starts_with("import * as ") && line.contains(LOADER))
            .context("the page's script imports the loader of its parts")?;
        let name = import
            .trim_start_matches("import * as ")
            .split(' ')
            .next()
            .context("an import has a name")?;
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in self.loader.lines() {
            if line.starts_with("import ") {
                continue;
            }
            if let Some(export) = line.strip_prefix("export const ") {
                let export = export.split(' ').next().context("an export has a name")?;
                exports.push(export.to_owned());
            }
            body.push_str(line.strip_prefix("export ").unwrap_or(line));
            body.push('\n');
        }
        let exports = exports.join(", ");
        let object = format!("const {name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
        let mut script = script.replacen(import, &object, 1);
        // There is an import for each part.
        while let Some(other) = script
            .lines()
            .find(|line| line.starts_with("import * as ") && line.contains(LOADER))
            .map(str::to_owned)
        {
            let alias = other
                .trim_start_matches("import * as ")
                .split(' ')
                .next()
                .context("an import has a name")?;
            script = script.replacen(&other, &format!("const {alias} = {name};"), 1);
        }
        Ok(script)
    }
}

/// A module without the names of its functions, which are as large as its code: without any
/// of the sections that have no meaning for the browser.
fn without_names(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    const HEADER: usize = 8;
    const CUSTOM: u8 = 0;
    let (header, mut rest) = module
        .split_at_checked(HEADER)
        .context("a module is short")?;
    let mut slim = header.to_vec();
    while let Some((&id, after)) = rest.split_first() {
        let (n_digits, size) = read_size(after).context("a section has no size")?;
        let length = 1 + n_digits + size;
        let section = rest.get(..length).context("a section is short")?;
        if id != CUSTOM {
            slim.extend(section);
        }
        rest = &rest[length..];
    }
    Ok(slim)
}

/// A number in LEB128, and how many bytes it takes.
fn read_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut size = 0;
    for (index, &byte) in bytes.iter().enumerate().take(5) {
        size |= usize::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some((index + 1, size));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::without_names;

    #[test]
    fn names_are_left_out_and_nothing_else() {
        let header = b"\0asm\x01\0\0\0";
        let types = [1, 2, 7, 7];
        let mut long = vec![10, 0x80, 0x01];
        long.extend([9; 128]);
        let name = [0, 3, 1, b'n', 5];
        let whole = [&header[..], &name, &types, &long, &[0, 1, 0]].concat();
        let slim = [&header[..], &types, &long].concat();
        assert_eq!(without_names(&whole).unwrap(), slim);
        assert_eq!(without_names(&slim).unwrap(), slim);
        for damaged in [&whole[..4], &whole[..9], &whole[..11], &slim[..20]] {
            assert!(without_names(damaged).is_err());
        }
    }
}
