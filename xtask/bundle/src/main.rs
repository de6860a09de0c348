//! Makes the files of the page from its WebAssembly.
//!
//! `parlour-bundle WASM STATIC OUT` reads the built program and the folder with the
//! style sheet and the like, and writes all that a server needs to `OUT`: each
//! file under a name that tells its content, and again compressed. It is apart
//! from `xtask` so that everyday commands do not wait for it to be built.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;

/// Everything on first load, compressed.
const LARGEST_PAGE: usize = 600_000;

fn main() -> anyhow::Result<()> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [wasm, statics, out] = &args[..] else {
        bail!("expected WASM STATIC OUT");
    };
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    let mut bundle = Bundle {
        out: out.clone(),
        total: 0,
    };

    let scratch = out.join("scratch");
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("app")
        .generate(&scratch)
        .with_context(|| format!("can't bind {}", wasm.display()))?;
    let module = bundle.add("app.wasm", &fs::read(scratch.join("app_bg.wasm"))?)?;
    let glue = fs::read_to_string(scratch.join("app.js"))?;
    ensure!(
        glue.contains("__wbg_init"),
        "wasm-bindgen names its entry otherwise now"
    );
    // The page and the worker both begin as soon as they are loaded.
    let start = format!("__wbg_init({{module_or_path:new URL(\"{module}\",import.meta.url)}});\n");
    let glue = glue.replace("app_bg.wasm", &module) + &start;
    let script = bundle.add("app.js", glue.as_bytes())?;
    fs::remove_dir_all(scratch)?;

    let style = bundle.add("style.css", &fs::read(statics.join("style.css"))?)?;
    let icon = bundle.add("icon.svg", &fs::read(statics.join("icon.svg"))?)?;
    // Only those who show a link ask for its picture, so it does not count.
    let picture = fs::read(statics.join("card.png"))?;
    let card = telling_name("card.png", &picture)?;
    bundle.write(&card, &picture)?;
    let page = fs::read_to_string(statics.join("index.html"))?;
    let names = [
        ("{module}", &module),
        ("{script}", &script),
        ("{style}", &style),
        ("{icon}", &icon),
        ("{card}", &card),
    ];
    let page = names
        .iter()
        .fold(page, |page, (place, name)| page.replace(place, name));
    bundle.total += bundle.write("index.html", page.as_bytes())?;

    let total = bundle.total;
    writeln!(
        std::io::stderr(),
        "page: {total} bytes compressed, in {}",
        out.display()
    )?;
    ensure!(
        total <= LARGEST_PAGE,
        "the page has {total} bytes, more than {LARGEST_PAGE}"
    );
    Ok(())
}

struct Bundle {
    out: PathBuf,
    /// The size of all files on first load, compressed.
    total: usize,
}

impl Bundle {
    /// Writes a file of the first load under a name that tells its content, and
    /// returns the name.
    fn add(&mut self, name: &str, content: &[u8]) -> anyhow::Result<String> {
        let name = telling_name(name, content)?;
        self.total += self.write(&name, content)?;
        Ok(name)
    }

    /// Writes a file, and returns its size when compressed.
    fn write(&self, name: &str, content: &[u8]) -> anyhow::Result<usize> {
        let path = self.out.join(name);
        fs::write(&path, content)?;
        let small = compressed(content)?;
        let mut small_name = path.into_os_string();
        small_name.push(".br");
        fs::write(Path::new(&small_name), &small)?;
        Ok(small.len())
    }
}

/// A name that tells the content.
fn telling_name(name: &str, content: &[u8]) -> anyhow::Result<String> {
    let (stem, extension) = name.split_once('.').context("names have extensions")?;
    Ok(format!("{stem}-{:016x}.{extension}", fingerprint(content)))
}

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
fn fingerprint(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
