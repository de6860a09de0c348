//! The page for development: compiled quickly, served from a folder, reloaded on
//! changes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, ChildStdin},
    thread,
    time::{Duration, SystemTime},
};

use anyhow::{Context, bail, ensure};

use crate::{
    run::{cargo, program, root, say, target_folder},
    wasm::{self, Profile, Programs},
    watch::Sources,
};

/// The arguments of `cargo xtask play`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlayArgs {
    /// The port to serve on; 0 picks a free one.
    pub(crate) port: u16,
    pub(crate) no_open: bool,
    /// Whether to wait for changes.
    pub(crate) watch: bool,
}

impl Default for PlayArgs {
    fn default() -> Self {
        Self {
            port: 8430,
            no_open: false,
            watch: false,
        }
    }
}

/// The polling interval of the sources.
const INTERVAL: Duration = Duration::from_millis(300);

/// Builds the page for development, serves it and opens the browser.
pub(crate) fn play(args: PlayArgs) -> anyhow::Result<()> {
    let mut page = DevPage {
        args,
        bundled: None,
        server: None,
    };
    loop {
        let sources = Sources::now()?;
        match page.build() {
            Ok(()) => {}
            Err(e) if args.watch => say(&format!("xtask: {e:#}")),
            Err(e) => return Err(e),
        }
        if !args.watch {
            return page.wait();
        }
        say("waiting for changes; Ctrl-C ends");
        if !page.wait_for_change(&sources)? {
            return Ok(());
        }
    }
}

struct DevPage {
    args: PlayArgs,
    /// The modification times of the last bundle's inputs.
    bundled: Option<Vec<SystemTime>>,
    server: Option<Server>,
}

impl DevPage {
    /// Updates the page in the folder, and starts the server the first time.
    fn build(&mut self) -> anyhow::Result<()> {
        let is_first = self.server.is_none();
        let tools = is_first.then(|| thread::spawn(build_tools));
        say("[1/3] compiling the page and its worker for WebAssembly, for development");
        if is_first {
            say("      from an empty target folder this takes two to five minutes");
        }
        let programs = wasm::build(Profile::Development);
        if let Some(tools) = tools {
            let built = tools.join();
            built.unwrap_or_else(|_| bail!("the thread that builds the tools panicked"))?;
        }
        let programs = programs?;
        let stamps = stamps(&programs)?;
        if self.bundled.as_ref() != Some(&stamps) {
            say("[2/3] binding them to the browser");
            bundle(&programs)?;
            self.bundled = Some(stamps);
        }
        if is_first {
            say("[3/3] serving the page; Ctrl-C ends");
            self.server = Some(Server::start(self.args)?);
        }
        Ok(())
    }

    fn wait(mut self) -> anyhow::Result<()> {
        let Some(server) = &mut self.server else {
            return Ok(());
        };
        let status = server.process.wait()?;
        ensure!(status.success(), "the server failed ({status})");
        Ok(())
    }

    /// Waits until the sources differ from `old`; false if the server has exited.
    fn wait_for_change(&mut self, old: &Sources) -> anyhow::Result<bool> {
        loop {
            if let Some(server) = &mut self.server
                && let Some(status) = server.process.try_wait()?
            {
                ensure!(status.success(), "the server failed ({status})");
                return Ok(false);
            }
            let new = Sources::now()?;
            if let Some(path) = new.first_change(old) {
                say(&format!("\n{} has changed", path.display()));
                // An editor may still be writing.
                let mut last = new;
                loop {
                    thread::sleep(INTERVAL / 3);
                    let next = Sources::now()?;
                    if next.first_change(&last).is_none() {
                        return Ok(true);
                    }
                    last = next;
                }
            }
            thread::sleep(INTERVAL);
        }
    }
}

/// The folder with the page for development.
fn page_folder() -> PathBuf {
    target_folder().join("page-dev")
}

fn statics() -> PathBuf {
    root().join("crates/web/page")
}

fn tool(name: &str) -> PathBuf {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    target_folder().join("tools").join(name)
}

/// Builds the bundler without compression, and the server.
///
/// This runs beside the compilation of the page, which leaves a core idle at times,
/// so it prints errors only.
fn build_tools() -> anyhow::Result<()> {
    cargo(&[
        "build",
        "--quiet",
        "--profile",
        "tools",
        "--package",
        "parlour-bundle",
        "--no-default-features",
        "--package",
        "parlour-serve",
    ])
    .check()
}

/// Writes the page to its folder, all at once.
fn bundle(programs: &Programs) -> anyhow::Result<()> {
    let page = page_folder();
    let next = page.with_extension("next");
    // A page for development is never one file.
    let file = PathBuf::new();
    let [takeover, ataxx] = &wasm::weights();
    let statics = statics();
    let paths = [
        &programs.page,
        &programs.worker,
        &statics,
        &next,
        &file,
        takeover,
        ataxx,
    ];
    let paths = paths.map(|path| path.to_string_lossy().into_owned());
    program(
        tool("parlour-bundle"),
        &paths.each_ref().map(String::as_str),
    )
    .check_quietly()?;
    if page.exists() {
        fs::remove_dir_all(&page)?;
    }
    fs::rename(next, &page).with_context(|| format!("can't write {}", page.display()))
}

/// The modification times of the bundle's inputs.
fn stamps(programs: &Programs) -> anyhow::Result<Vec<SystemTime>> {
    let stamp = |path: &Path| anyhow::Ok(fs::metadata(path)?.modified()?);
    let mut stamps = vec![stamp(&programs.page)?, stamp(&programs.worker)?];
    for file in wasm::weights() {
        stamps.push(stamp(&file)?);
    }
    for file in fs::read_dir(statics())? {
        stamps.push(stamp(&file?.path())?);
    }
    Ok(stamps)
}

/// The server's process, which ends with this one.
struct Server {
    process: Child,
    /// The server exits when this is closed, however this process ends.
    _input: Option<ChildStdin>,
}

impl Server {
    fn start(args: PlayArgs) -> anyhow::Result<Self> {
        let (folder, port) = (page_folder(), args.port.to_string());
        let folder = folder.to_string_lossy();
        let mut words = vec![&*folder, &port];
        if args.no_open {
            words.push("--no-open");
        }
        let mut process = program(tool("parlour-serve"), &words).spawn_with_input()?;
        // Waiting for a process closes its standard input.
        let input = process.stdin.take();
        Ok(Self {
            process,
            _input: input,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have exited already.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
