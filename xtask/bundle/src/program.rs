//! A program for the browser: a WebAssembly module, and the script that binds it.

use std::{fs, path::Path};

use anyhow::{Context, ensure};
use wasm_bindgen_cli_support::Bindgen;

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
    /// The script, which does nothing by itself.
    script: String,
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
        let name = kind.name();
        bindgen
            .input_path(wasm)
            .typescript(false)
            .remove_name_section(true)
            .remove_producers_section(true)
            .out_name(name)
            .generate(&scratch)
            .with_context(|| format!("can't bind {}", wasm.display()))?;
        let module = fs::read(scratch.join(format!("{name}_bg.wasm")))?;
        let script = fs::read_to_string(scratch.join(format!("{name}.js")))?;
        fs::remove_dir_all(scratch)?;
        ensure!(
            script.contains(kind.entry()),
            "this version of wasm-bindgen does not call its entry {}",
            kind.entry()
        );
        Ok(Self {
            kind,
            module,
            script,
        })
    }

    /// The script, which starts the program at once with the module from a file beside it.
    pub(crate) fn script_fetching(&self, module: &str) -> String {
        let original = format!("{}_bg.wasm", self.kind.name());
        let script = self.script.replace(&original, module);
        let location = self.kind.location();
        script + &self.start(&format!("new URL(\"{module}\",{location})"))
    }

    /// The script, which starts the program at once with the module that the expression `source`
    /// gives.
    #[cfg(feature = "shipped")]
    pub(crate) fn script_with(&self, source: &str) -> String {
        self.script.clone() + &self.start(source)
    }

    fn start(&self, source: &str) -> String {
        format!("{}({{module_or_path:{source}}});\n", self.kind.entry())
    }
}
