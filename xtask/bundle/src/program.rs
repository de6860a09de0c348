//! A program for the browser: a WebAssembly module, and the script that binds it.
//!
//! The page's is split when it is shipped: what it marks as needed later
//! (`crates/web/src/lazy.rs`) becomes modules of their own, which its script fetches when they
//! are needed.

use std::{fs, path::Path};

use anyhow::{Context, ensure};
use wasm_bindgen_cli_support::Bindgen;

#[cfg(feature = "shipped")]
use crate::{slim::slim, split::Split};

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
    /// What the page fetches it for: the names of parts in `crates/web/src/lazy.rs`.
    pub(crate) users: Vec<String>,
}

/// The part that everybody fetches who plays online.
#[cfg(feature = "shipped")]
const ONLINE: &str = "online";

/// The part for accounts, profiles and archives.
#[cfg(feature = "shipped")]
const PEOPLE: &str = "people";

/// The part that is fetched by every visitor.
#[cfg(feature = "shipped")]
const MORE: &str = "more";

#[cfg(feature = "shipped")]
impl Part {
    /// Whether it is of use only to a page that comes from a server.
    pub(crate) fn is_online(&self) -> bool {
        let is_online = |user: &String| user == ONLINE || user == PEOPLE;
        !self.users.is_empty() && self.users.iter().all(is_online)
    }

    /// Whether those who begin to play online fetch it, and nobody else.
    pub(crate) fn is_for_online(&self) -> bool {
        let has = |name: &str| self.users.iter().any(|user| user == name);
        has(ONLINE) && !has(MORE)
    }
}

impl Part {
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
        match kind {
            Kind::Page => bindgen.web(true)?,
            Kind::Worker => bindgen.no_modules(true)?,
        };
        bindgen.input_path(wasm);
        #[cfg(feature = "shipped")]
        let split = match kind {
            Kind::Page => {
                let split = Split::new(wasm, &scratch)?;
                bindgen.input_path(&split.main).keep_lld_exports(true);
                Some(split)
            }
            Kind::Worker => None,
        };
        let name = kind.name();
        bindgen
            .typescript(false)
            .remove_name_section(true)
            .remove_producers_section(true)
            .out_name(name)
            .generate(&scratch)
            .with_context(|| format!("can't bind {}", wasm.display()))?;
        let module = fs::read(scratch.join(format!("{name}_bg.wasm")))?;
        let script = fs::read_to_string(scratch.join(format!("{name}.js")))?;
        fs::remove_dir_all(scratch)?;
        #[cfg(feature = "shipped")]
        let (script, parts) = match split {
            Some(split) => (split.with_loader(&script)?, split.parts),
            None => (script, Vec::new()),
        };
        #[cfg(feature = "shipped")]
        let (module, script) = slim(&module, &script)?;
        #[cfg(not(feature = "shipped"))]
        let parts = Vec::new();
        ensure!(
            script.contains(kind.entry()),
            "this version of wasm-bindgen does not call its entry {}",
            kind.entry()
        );
        Ok(Self {
            kind,
            module,
            parts,
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
        let entry = self.kind.entry();
        let failed = match self.kind {
            Kind::Page => "",
            // The page hears of errors of a worker, but not of promises that were rejected.
            Kind::Worker => ".catch((error)=>setTimeout(()=>{throw error}))",
        };
        format!("{entry}({{module_or_path:{source}}}){failed};\n")
    }
}
