//! Embeds the built page in the program.
//!
//! `cargo xtask web` builds the page and passes its folder in `PARLOUR_PAGE`.
//! Without it, the last build is used, if there is one; a program without a page can
//! do everything but serve it.

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PARLOUR_PAGE");
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let folder = match env::var_os("PARLOUR_PAGE") {
        Some(folder) => Some(PathBuf::from(folder)),
        None => Some(here.join("../../target/page-shipped")).filter(|folder| folder.exists()),
    };
    let mut entries = String::new();
    if let Some(folder) = folder {
        let folder = folder.canonicalize()?;
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut paths = Vec::new();
        for file in fs::read_dir(&folder)? {
            paths.push(file?.path());
        }
        paths.sort();
        for path in paths.iter().filter(|path| extension(path) != "br") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let small = folder.join(format!("{name}.br"));
            writeln!(
                entries,
                "File::embedded({name:?}, include_bytes!({path:?}), include_bytes!({small:?})),"
            )?;
        }
    }
    let text = format!("const {{ &[{entries}] }}");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("files.rs"), text)?;
    Ok(())
}

fn extension(path: &Path) -> &str {
    path.extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or("")
}
