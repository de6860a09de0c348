//! Makes the files of the page from its two WebAssembly programs.
//!
//! `parlour-bundle PAGE WORKER STATIC OUT FILE WEIGHTS…` reads the page's program, its web
//! worker's, the folder with the style sheet and the like, and the files of weights that the
//! worker fetches. It writes everything a server needs to the folder `OUT`: each file under a name with a hash of its content, and again compressed
//! with Brotli; and the whole page once more as one document to `FILE`. It is a program of its
//! own so that everyday `xtask` commands do not wait for it to be compiled.
//!
//! Without its feature `shipped`, as `cargo xtask play` has it, nothing is split or compressed, no size
//! is checked, and there are no `FILE` and no service worker: it would keep what is being worked on.

mod program;
#[cfg(feature = "shipped")]
mod sections;
#[cfg(feature = "shipped")]
mod service_worker;
#[cfg(feature = "shipped")]
mod single_file;
#[cfg(feature = "shipped")]
mod slim;
#[cfg(feature = "shipped")]
mod split;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};

use crate::program::{Kind, Program};

/// The limit for everything on first load, compressed. The worker is fetched after it.
#[cfg(feature = "shipped")]
const LARGEST_PAGE: usize = 350_000;

/// The limit for what online play adds, compressed: its part of the program, what that shares with
/// the part for players and accounts only, and its style.
#[cfg(feature = "shipped")]
const LARGEST_ONLINE: usize = 70_000;

/// The limit for a file of weights, compressed.
#[cfg(feature = "shipped")]
const LARGEST_WEIGHTS: usize = 700_000;

fn main() -> anyhow::Result<()> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [page, worker, statics, out, file, weights @ ..] = &args[..] else {
        bail!("expected PAGE WORKER STATIC OUT FILE WEIGHTS…");
    };
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    let mut bundle = Bundle {
        statics,
        out,
        offline: Vec::new(),
    };
    let page = Program::bind(Kind::Page, page, out)?;
    let worker = Program::bind(Kind::Worker, worker, out)?;
    let weights = weights.iter().map(|path| Weights::read(path));
    let weights = weights.collect::<anyhow::Result<Vec<_>>>()?;
    bundle.make(&page, &worker, &weights)?;
    #[cfg(feature = "shipped")]
    single_file::write(statics, &page, &worker, &weights, file)?;
    #[cfg(not(feature = "shipped"))]
    let _ = file;
    Ok(())
}

/// Shows the sizes, and checks that of the first load.
#[cfg(feature = "shipped")]
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
#[cfg(not(feature = "shipped"))]
fn report(first_load: usize, worker: usize) -> anyhow::Result<()> {
    writeln!(
        std::io::stderr(),
        "page: {first_load} bytes, worker: {worker} bytes, for development"
    )?;
    Ok(())
}

/// Shows the sizes of what is fetched later.
fn report_parts(parts: &[Written]) -> anyhow::Result<()> {
    for part in parts {
        writeln!(
            std::io::stderr(),
            "fetched later: {}, {} bytes",
            part.name,
            part.size
        )?;
    }
    Ok(())
}

/// Shows what online play adds, and checks it.
#[cfg(feature = "shipped")]
fn report_online(online: usize) -> anyhow::Result<()> {
    writeln!(
        std::io::stderr(),
        "online play: {online} bytes compressed (limit {LARGEST_ONLINE})"
    )?;
    ensure!(
        online <= LARGEST_ONLINE,
        "online play adds {online} bytes compressed, more than {LARGEST_ONLINE}; what only some need can \
         be a part of its own (crates/web/src/lazy.rs)"
    );
    Ok(())
}

/// A file of weights, which the worker fetches when it first needs it.
struct Weights {
    /// The name that the worker knows it by, with the checksum of its content.
    name: String,
    content: Vec<u8>,
}

impl Weights {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let content = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
        let name = path.file_name().context("a file has a name")?;
        let name = hashed_name(&name.to_string_lossy(), &content)?;
        Ok(Self { name, content })
    }
}

/// The size of what those fetch who begin to play online.
#[cfg(feature = "shipped")]
fn online_size(page: &Program, written: &[Written], style: &Written) -> anyhow::Result<usize> {
    let parts = page.parts.iter().zip(written);
    let parts = parts.filter(|(part, _)| part.is_for_online());
    let sizes: Vec<_> = parts.map(|(_, file)| file.size).collect();
    ensure!(!sizes.is_empty(), "no part of the page is for online play");
    Ok(sizes.iter().sum::<usize>() + style.size)
}

/// Checks the size of a file of weights.
#[cfg(feature = "shipped")]
fn check_weights(file: &Written) -> anyhow::Result<()> {
    let Written { name, size } = file;
    ensure!(
        *size <= LARGEST_WEIGHTS,
        "{name} has {size} bytes compressed, more than {LARGEST_WEIGHTS}"
    );
    Ok(())
}

/// A written file.
struct Written {
    name: String,
    /// The size of what is sent.
    size: usize,
}

/// The folder that everything is written to.
struct Bundle<'a> {
    statics: &'a Path,
    out: &'a Path,
    /// The files that the page needs without a network, in the order in which they were written.
    offline: Vec<String>,
}

impl Bundle<'_> {
    /// Writes all files.
    fn make(
        &mut self,
        page: &Program,
        worker: &Program,
        weights: &[Weights],
    ) -> anyhow::Result<()> {
        let ([page_module, page_script], parts) = self.add_program(page)?;
        let ([worker_module, worker_script], _) = self.add_program(worker)?;
        self.add_weights(weights)?;
        let style = self.add_style("style.css")?;
        // The page asks for it once it can be used.
        let more = self.add_style("more.css")?;
        // Those who play online ask for it.
        let online = self.add_style("online.css")?;
        #[cfg(feature = "shipped")]
        report_online(online_size(page, &parts, &online)?)?;
        #[cfg(not(feature = "shipped"))]
        drop(parts);
        let icon = self.add_file("icon.svg")?;
        let manifest = self.add_manifests()?;
        let touch = self.add_file("touch-180.png")?;
        // Only those who show a link ask for its picture.
        let card = self.add_file("card.png")?;
        self.offline.retain(|name| *name != card.name);
        let index = filled(
            "index.html",
            self.read("index.html")?,
            &[
                ("{module}", &page_module.name),
                ("{script}", &page_script.name),
                ("{worker}", &worker_script.name),
                ("{service-worker}", self.service_worker_name()),
                ("{manifest}", &manifest),
                ("{style}", &style.name),
                ("{more}", &more.name),
                ("{online}", &online.name),
                ("{icon}", &icon.name),
                ("{touch}", &touch.name),
                ("{card}", &card.name),
            ],
        )?;
        let index = self.write("index.html".to_owned(), index.as_bytes())?;
        #[cfg(feature = "shipped")]
        self.add_service_worker()?;
        let first_load = [&index, &page_module, &page_script, &style, &icon];
        report(
            first_load.map(|file| file.size).iter().sum(),
            worker_module.size + worker_script.size,
        )
    }

    /// Writes a program's module and the script that loads and starts it, and its parts.
    fn add_program(&mut self, program: &Program) -> anyhow::Result<([Written; 2], Vec<Written>)> {
        let name = program.kind.name();
        let module = self.add(&format!("{name}.wasm"), &program.module)?;
        let mut parts = Vec::new();
        for part in &program.parts {
            parts.push(self.add(&part.name, &part.module)?);
        }
        report_parts(&parts)?;
        let names: Vec<_> = parts.iter().map(|part| part.name.clone()).collect();
        let script = program.script_fetching(&module.name, &names);
        let script = self.add(&format!("{name}.js"), script.as_bytes())?;
        Ok(([module, script], parts))
    }

    /// Writes the files of weights.
    fn add_weights(&mut self, weights: &[Weights]) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for Weights { name, content } in weights {
            files.push(self.write(name.clone(), content)?);
        }
        #[cfg(feature = "shipped")]
        files.iter().try_for_each(check_weights)?;
        report_parts(&files)
    }

    /// Writes the manifest of every language, which name the icons. Returns the name of the
    /// English one; the page changes to the other.
    fn add_manifests(&mut self) -> anyhow::Result<String> {
        let mut icons = Vec::new();
        for file in ["app.svg", "app-192.png", "app-512.png", "maskable-512.png"] {
            let (place, _) = file.split_once('.').context("names have extensions")?;
            icons.push((format!("{{{place}}}"), self.add_file(file)?.name));
        }
        let icons: Vec<(&str, &str)> = icons.iter().map(|(a, b)| (&**a, &**b)).collect();
        let names = ["manifest.en.webmanifest", "manifest.ja.webmanifest"];
        for name in names {
            let manifest = filled(name, self.read(name)?, &icons)?;
            self.write(name.to_owned(), manifest.as_bytes())?;
        }
        Ok(names[0].to_owned())
    }

    /// A file of the static folder.
    fn read(&self, name: &str) -> anyhow::Result<String> {
        let path = self.statics.join(name);
        fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))
    }

    /// Copies a file under a hashed name.
    fn add_file(&mut self, name: &str) -> anyhow::Result<Written> {
        let path = self.statics.join(name);
        let content = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
        self.add(name, &content)
    }

    /// Writes a style sheet under a hashed name.
    fn add_style(&mut self, name: &str) -> anyhow::Result<Written> {
        let style = slim_style(&self.read(name)?);
        self.add(name, style.as_bytes())
    }

    /// Writes a file under a hashed name.
    fn add(&mut self, name: &str, content: &[u8]) -> anyhow::Result<Written> {
        self.write(hashed_name(name, content)?, content)
    }

    /// Writes a file, and again compressed.
    #[cfg(feature = "shipped")]
    fn write(&mut self, name: String, content: &[u8]) -> anyhow::Result<Written> {
        fs::write(self.out.join(&name), content)?;
        let compressed = compressed(content)?;
        fs::write(self.out.join(format!("{name}.br")), &compressed)?;
        self.offline.push(name.clone());
        let size = compressed.len();
        Ok(Written { name, size })
    }

    /// Writes a file.
    #[cfg(not(feature = "shipped"))]
    fn write(&mut self, name: String, content: &[u8]) -> anyhow::Result<Written> {
        fs::write(self.out.join(&name), content)?;
        self.offline.push(name.clone());
        let size = content.len();
        Ok(Written { name, size })
    }

    /// What the page registers.
    #[cfg(feature = "shipped")]
    fn service_worker_name(&self) -> &'static str {
        service_worker::NAME
    }

    /// What the page registers: nothing.
    #[cfg(not(feature = "shipped"))]
    fn service_worker_name(&self) -> &'static str {
        ""
    }
}

/// The template `name` with every placeholder replaced.
fn filled(name: &str, template: String, values: &[(&str, &str)]) -> anyhow::Result<String> {
    values.iter().try_fold(template, |page, (place, value)| {
        ensure!(page.contains(place), "{name} lacks {place}");
        Ok(page.replace(place, value))
    })
}

/// A name with a hash of the content, so that browsers may keep the file for ever.
fn hashed_name(name: &str, content: &[u8]) -> anyhow::Result<String> {
    let (stem, extension) = name.split_once('.').context("names have extensions")?;
    Ok(format!("{stem}-{:016x}.{extension}", hash(content)))
}

#[cfg(feature = "shipped")]
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

/// A style sheet without comments and the space that only people need. Its strings hold
/// nothing of that kind.
fn slim_style(style: &str) -> String {
    let mut parts = style.split("/*");
    let first = parts.next().unwrap_or_default();
    let others = parts.filter_map(|part| Some(part.split_once("*/")?.1));
    let bare: String = std::iter::once(first).chain(others).collect();
    let words: Vec<&str> = bare.split_whitespace().collect();
    let slim = [" {", "{ ", "; ", " }", "} ", ", ", ": "];
    let slim = slim.iter().fold(words.join(" "), |text, spaced| {
        text.replace(spaced, spaced.trim())
    });
    slim.replace(";}", "}")
}

/// FNV-1a, the same on every machine and in every version.
fn hash(content: &[u8]) -> u64 {
    content.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{filled, hashed_name, slim_style};

    #[test]
    fn names_follow_the_content() {
        let name = |content: &[u8]| hashed_name("worker.js", content).expect("it has an extension");
        assert_eq!(name(b""), "worker-cbf29ce484222325.js");
        assert_ne!(name(b"a"), name(b"b"));
    }

    #[test]
    fn comments_and_needless_space_of_styles_are_left_out() {
        let style = "/* All */\n\n@media (width: 1px) {\n  a, b :is(i) { margin: 0 calc(1px - 2px); /* b */ }\n}\n";
        let slim = "@media (width:1px){a,b :is(i){margin:0 calc(1px - 2px)}}";
        assert_eq!(slim_style(style), slim);
    }

    #[test]
    fn every_placeholder_is_replaced_and_has_to_be_there() {
        let values = [("{a}", "1"), ("{b}", "2")];
        let fill = |template: &str| filled("index.html", template.to_owned(), &values);
        assert_eq!(fill("{a} {b} {a}").expect("both are there"), "1 2 1");
        let error = fill("{a}").expect_err("one is missing");
        assert_eq!(error.to_string(), "index.html lacks {b}");
    }
}
