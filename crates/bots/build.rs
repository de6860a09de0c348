//! Notes the size and the checksum of every file of weights, so that a program which is
//! built without them can tell whether it was given the right ones.

use std::{env, error::Error, fs, path::Path};

#[path = "src/checksum.rs"]
mod checksum;

const FILES: [(&str, &str); 2] = [
    ("STANDARD", "src/takeover/takeover.weights"),
    ("ATAXX", "src/takeover/ataxx.weights"),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/checksum.rs");
    let mut text = String::new();
    for (name, path) in FILES {
        println!("cargo::rerun-if-changed={path}");
        let bytes = fs::read(path)?;
        let (size, checksum) = (bytes.len(), checksum::checksum(&bytes));
        text +=
            &format!("pub(super) const {name}: Stamp = Stamp::new({size}, {checksum:#018x});\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("stamps.rs"), text)?;
    Ok(())
}
