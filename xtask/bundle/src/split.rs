//! A program in parts: what it marks as needed later becomes modules of their own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use wasm_split_cli_support::Options;

use crate::{program::Part, sections::without_custom_sections, slim::without_unused_classes};

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
                module: without_custom_sections(&fs::read(path)?)?,
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
