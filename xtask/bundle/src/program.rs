//! A program for the browser: a WebAssembly module, and the script that binds it.
//!
//! The page's is split: what it marks as needed later (`crates/web/src/lazy.rs`) becomes modules
//! of their own, which its script fetches when they are needed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use wasm_bindgen_cli_support::Bindgen;
use wasm_split_cli_support::Options;

/// What the page's module calls the script that fetches its parts.
const LOADER: &str = "./loader.js";

/// Where a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// In the document, as a `<script type="module">`.
    Page,
    /// In a worker, as a classic script: browsers start these from anywhere, also from a file.
    Worker,
}

impl Kind {
    /// The stem of its files' names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Page => "app",
            Self::Worker => "worker",
        }
    }

    /// The function of wasm-bindgen's script that starts the program.
    fn entry(self) -> &'static str {
        match self {
            Self::Page => "__wbg_init",
            Self::Worker => "wasm_bindgen",
        }
    }

    /// Where the script was loaded from.
    fn location(self) -> &'static str {
        match self {
            Self::Page => "import.meta.url",
            Self::Worker => "location.href",
        }
    }
}

/// A bound program.
pub(crate) struct Program {
    pub(crate) kind: Kind,
    /// The WebAssembly.
    pub(crate) module: Vec<u8>,
    /// The parts that are fetched later, each with its name in the script.
    pub(crate) parts: Vec<Part>,
    /// The script, which does nothing by itself.
    script: String,
}

/// A part of a program that is fetched later.
pub(crate) struct Part {
    /// The name of its file, as the script has it.
    pub(crate) name: String,
    pub(crate) module: Vec<u8>,
}

impl Part {
    /// Whether it is of use only to a page that comes from a server.
    #[cfg(feature = "shipped")]
    pub(crate) fn is_online(&self) -> bool {
        self.name.contains("online")
    }

    /// The expression in the script that fetches it.
    fn fetch(&self) -> String {
        format!("fetch(new URL(\"./{}\", import.meta.url))", self.name)
    }
}

impl Program {
    /// Binds the program `wasm`, with a scratch folder inside of `out`.
    pub(crate) fn bind(kind: Kind, wasm: &Path, out: &Path) -> anyhow::Result<Self> {
        let scratch = out.join("scratch");
        let mut bindgen = Bindgen::new();
        let mut split = Split::default();
        match kind {
            Kind::Page => {
                split = Split::new(wasm, &scratch)?;
                bindgen.web(true)?.keep_lld_exports(true)
            }
            Kind::Worker => bindgen.no_modules(true)?,
        };
        let name = kind.name();
        bindgen
            .input_path(split.main.as_deref().unwrap_or(wasm))
            .typescript(false)
            .remove_name_section(true)
            .remove_producers_section(true)
            .out_name(name)
            .generate(&scratch)
            .with_context(|| format!("can't bind {}", wasm.display()))?;
        let module = fs::read(scratch.join(format!("{name}_bg.wasm")))?;
        let script = fs::read_to_string(scratch.join(format!("{name}.js")))?;
        let script = with_loader(&script, &split.loader)?;
        fs::remove_dir_all(scratch)?;
        ensure!(
            script.contains(kind.entry()),
            "this version of wasm-bindgen does not call its entry {}",
            kind.entry()
        );
        Ok(Self {
            kind,
            module,
            parts: split.parts,
            script,
        })
    }

    /// The script, which starts the program at once with the module from a file beside it.
    /// `parts` are the names of the files that its parts are in.
    pub(crate) fn script_fetching(&self, module: &str, parts: &[String]) -> String {
        let original = format!("{}_bg.wasm", self.kind.name());
        let mut script = self.script.replace(&original, module);
        for (part, name) in self.parts.iter().zip(parts) {
            let fetch = format!("fetch(new URL(\"{name}\",import.meta.url))");
            script = script.replace(&part.fetch(), &fetch);
        }
        let location = self.kind.location();
        script + &self.start(&format!("new URL(\"{module}\",{location})"))
    }

    /// The script, which starts the program at once with the module that the expression `source`
    /// gives. Parts come from the expressions that `part_source` makes of their names.
    #[cfg(feature = "shipped")]
    pub(crate) fn script_with(&self, source: &str, part_source: impl Fn(&str) -> String) -> String {
        let script = self.parts.iter().fold(self.script.clone(), |script, part| {
            script.replace(&part.fetch(), &part_source(&part.name))
        });
        script + &self.start(source)
    }

    fn start(&self, source: &str) -> String {
        format!("{}({{module_or_path:{source}}});\n", self.kind.entry())
    }
}

/// A program that has been split.
#[derive(Default)]
struct Split {
    /// The module that is left, for wasm-bindgen.
    main: Option<PathBuf>,
    parts: Vec<Part>,
    /// The script that fetches the parts.
    loader: String,
}

impl Split {
    fn new(wasm: &Path, scratch: &Path) -> anyhow::Result<Self> {
        let input = fs::read(wasm).with_context(|| format!("can't read {}", wasm.display()))?;
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
            Ok(Part {
                name: name.to_string_lossy().into_owned(),
                module: without_names(&fs::read(path)?)?,
            })
        };
        let parts = split.split_modules.iter().map(part);
        Ok(Self {
            parts: parts.collect::<anyhow::Result<_>>()?,
            loader: fs::read_to_string(scratch.join(LOADER))?,
            main: Some(main),
        })
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

/// Puts the loader into the script that imports it: there it needs no import of its own, and
/// the page one file less.
fn with_loader(script: &str, loader: &str) -> anyhow::Result<String> {
    if loader.is_empty() {
        return Ok(script.to_owned());
    }
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
    for line in loader.lines() {
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
