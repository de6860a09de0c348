//! Makes the files of the page from its two WebAssembly programs.
//!
//! `parlour-bundle PAGE WORKER STATIC OUT` reads the page's program, its web
//! worker's and the folder with the style sheet and other static files, and writes
//! everything a server needs to `OUT`: each file under a name with a hash of its
//! content, and again compressed with Brotli. It is a program of its own so that
//! everyday `xtask` commands need not compile it. Without its feature `brotli`, as
//! `cargo xtask play` builds it, nothing is compressed and no size is checked.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;

/// The limit for everything on first load, compressed. The worker is fetched after it.
#[cfg(feature = "brotli")]
const LARGEST_PAGE: usize = 420_000;

fn main() -> anyhow::Result<()> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [page, worker, statics, out] = &args[..] else {
        bail!("expected PAGE WORKER STATIC OUT");
    };
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    let bundle = Bundle { out };

    let page = bundle.add_program("app", page)?;
    let worker = bundle.add_program("worker", worker)?;
    let style = bundle.add_file(&statics.join("style.css"))?;
    let icon = bundle.add_file(&statics.join("icon.svg"))?;
    // Only link previews load the picture.
    let card = bundle.add_file(&statics.join("card.png"))?;
    let template = fs::read_to_string(statics.join("index.html"))?;
    let index = filled(
        template,
        &[
            ("{module}", &page.module.name),
            ("{script}", &page.script.name),
            ("{worker}", &worker.script.name),
            ("{style}", &style.name),
            ("{icon}", &icon.name),
            ("{card}", &card.name),
        ],
    )?;
    let index = bundle.write("index.html".to_owned(), index.as_bytes())?;

    report(
        index.size + page.size() + style.size + icon.size,
        worker.size(),
    )
}

/// Shows the sizes, and checks that of the first load.
#[cfg(feature = "brotli")]
fn report(first_load: usize, worker: usize) -> anyhow::Result<()> {
    writeln!(
        std::io::stderr(),
        "page: {first_load} bytes compressed (limit {LARGEST_PAGE}), worker: {worker} bytes"
    )?;
    ensure!(
        first_load <= LARGEST_PAGE,
        "the first load has {first_load} bytes compressed, more than {LARGEST_PAGE}; \
         cargo tree --package parlour-web --target wasm32-unknown-unknown shows what is in it"
    );
    Ok(())
}

/// Shows the sizes.
#[cfg(not(feature = "brotli"))]
fn report(first_load: usize, worker: usize) -> anyhow::Result<()> {
    writeln!(
        std::io::stderr(),
        "page: {first_load} bytes, worker: {worker} bytes, for development"
    )?;
    Ok(())
}

/// A written file.
struct Written {
    name: String,
    /// The size of what is sent.
    size: usize,
}

/// A program: its WebAssembly module, and the script that loads and starts it.
struct Program {
    module: Written,
    script: Written,
}

impl Program {
    fn size(&self) -> usize {
        self.module.size + self.script.size
    }
}

/// The output folder.
struct Bundle<'a> {
    out: &'a Path,
}

impl Bundle<'_> {
    /// Runs wasm-bindgen on the program `wasm`.
    ///
    /// Its script starts it when loaded: a `<script type="module">` for the page, a
    /// module worker for the worker.
    fn add_program(&self, name: &str, wasm: &Path) -> anyhow::Result<Program> {
        let scratch = self.out.join("scratch");
        Bindgen::new()
            .input_path(wasm)
            .web(true)?
            .typescript(false)
            .remove_name_section(true)
            .remove_producers_section(true)
            .out_name(name)
            .generate(&scratch)
            .with_context(|| format!("can't bind {}", wasm.display()))?;
        let module_name = format!("{name}_bg.wasm");
        let content = fs::read(scratch.join(&module_name))?;
        let module = self.add(&format!("{name}.wasm"), &content)?;
        let glue = fs::read_to_string(scratch.join(format!("{name}.js")))?;
        fs::remove_dir_all(scratch)?;
        ensure!(
            glue.contains("__wbg_init"),
            "this version of wasm-bindgen does not call its entry __wbg_init"
        );
        let start = format!(
            "__wbg_init({{module_or_path:new URL(\"{}\",import.meta.url)}});\n",
            module.name
        );
        let glue = glue.replace(&module_name, &module.name) + &start;
        let script = self.add(&format!("{name}.js"), glue.as_bytes())?;
        Ok(Program { module, script })
    }

    /// Copies a file under a hashed name.
    fn add_file(&self, path: &Path) -> anyhow::Result<Written> {
        let content = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.add(&name, &content)
    }

    /// Writes a file under a hashed name.
    fn add(&self, name: &str, content: &[u8]) -> anyhow::Result<Written> {
        self.write(hashed_name(name, content)?, content)
    }

    /// Writes a file, and again compressed.
    #[cfg(feature = "brotli")]
    fn write(&self, name: String, content: &[u8]) -> anyhow::Result<Written> {
        fs::write(self.out.join(&name), content)?;
        let compressed = compressed(content)?;
        fs::write(self.out.join(format!("{name}.br")), &compressed)?;
        let size = compressed.len();
        Ok(Written { name, size })
    }

    /// Writes a file.
    #[cfg(not(feature = "brotli"))]
    fn write(&self, name: String, content: &[u8]) -> anyhow::Result<Written> {
        fs::write(self.out.join(&name), content)?;
        let size = content.len();
        Ok(Written { name, size })
    }
}

/// The template with every placeholder replaced.
fn filled(template: String, names: &[(&str, &str)]) -> anyhow::Result<String> {
    names.iter().try_fold(template, |page, (place, name)| {
        ensure!(page.contains(place), "index.html lacks {place}");
        Ok(page.replace(place, name))
    })
}

/// A name with a hash of the content, so that browsers may keep the file for ever.
fn hashed_name(name: &str, content: &[u8]) -> anyhow::Result<String> {
    let (stem, extension) = name.split_once('.').context("names have extensions")?;
    Ok(format!("{stem}-{:016x}.{extension}", hash(content)))
}

#[cfg(feature = "brotli")]
fn compressed(content: &[u8]) -> anyhow::Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        ..Default::default()
    };
    let mut small = Vec::new();
    brotli::BrotliCompress(&mut &content[..], &mut small, &params)?;
    Ok(small)
}

/// FNV-1a, the same on every machine and in every version.
fn hash(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{filled, hashed_name};

    #[test]
    fn names_follow_the_content() {
        let name = |content: &[u8]| hashed_name("worker.js", content).expect("it has an extension");
        assert_eq!(name(b""), "worker-cbf29ce484222325.js");
        assert_ne!(name(b"a"), name(b"b"));
    }

    #[test]
    fn every_placeholder_is_replaced_and_has_to_be_there() {
        let fill = |template: &str| filled(template.to_owned(), &[("{a}", "1"), ("{b}", "2")]);
        assert_eq!(fill("{a} {b} {a}").expect("both are there"), "1 2 1");
        let error = fill("{a}").expect_err("one is missing");
        assert_eq!(error.to_string(), "index.html lacks {b}");
    }
}
