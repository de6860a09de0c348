//! The whole page as one document, which opens from a file without any server.
//!
//! Its programs are compressed with LZMA, which `single-file.js` undoes, and stand in the document
//! byte by byte: in windows-1252 every byte is a character. Browsers can undo gzip by themselves, but
//! it leaves an eighth more; base 64 would make the document a third larger, and UTF-8 at least a
//! seventh.

use std::{fs, io::Write, path::Path};

use anyhow::{Context, ensure};
use lzma_rust2::{LzmaOptions, LzmaWriter};

use crate::{Weights, program::Program, slim_style};

/// The limit for the document.
const LARGEST_FILE: usize = 2_000_000;

/// Nothing is fetched from anywhere.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; \
                      style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; \
                      base-uri 'none'; form-action 'none'";

/// Lines of `index.html` with any of these are about other files, servers or links to the page.
const LEFT_OUT: [&str; 8] = [
    "=\"og:",
    "=\"twitter:",
    "{service-worker}",
    "{manifest}",
    "{touch}",
    "{script}",
    "{module}",
    "{card}",
];

/// Writes the document to `file`, and checks its size.
pub(crate) fn write(
    statics: &Path,
    page: &Program,
    worker: &Program,
    weights: &[Weights],
    file: &Path,
) -> anyhow::Result<()> {
    let read = |name: &str| {
        let path = statics.join(name);
        fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))
    };
    let (modules, places) = joined(page);
    let page_script = page.script_with(&module_at(0, page.module.len()), |name| {
        let place = places.iter().find(|(part, ..)| part == name);
        match place {
            Some((_, start, end)) => format!("Promise.resolve({})", module_at(*start, *end)),
            // There is no server to play on.
            None => "Promise.reject(new Error(\"not in this file\"))".to_owned(),
        }
    });
    let worker_script = worker.script_with("unpack(packed)", |name| format!("{name:?}"));
    let parts: [(&str, &[u8]); 4] = [
        ("app.js", page_script.as_bytes()),
        ("app.wasm", &modules),
        ("worker.js", worker_script.as_bytes()),
        ("worker.wasm", &worker.module),
    ];
    let turned = weights.iter().map(|file| transposed(&file.content));
    let turned: Vec<_> = turned.collect();
    let names = weights.iter().map(|file| &*file.name);
    let parts = parts
        .into_iter()
        .chain(names.zip(turned.iter().map(|content| &**content)))
        .map(|(name, content)| Ok((name, packed(content)?)));
    let parts = parts.collect::<anyhow::Result<Vec<_>>>()?;
    let document = document(
        &read("index.html")?,
        &slim_style(&(read("style.css")? + &read("more.css")?)),
        &read("icon.svg")?,
        &read("single-file.js")?,
        &parts,
    )?;
    let size = document.len();
    writeln!(
        std::io::stderr(),
        "one file: {size} bytes (limit {LARGEST_FILE})"
    )?;
    ensure!(
        size <= LARGEST_FILE,
        "the page as one file has {size} bytes, more than {LARGEST_FILE}"
    );
    fs::write(file, document).with_context(|| format!("can't write {}", file.display()))
}

/// The page's module and its parts, but for online play, one after another: much of the code
/// is alike, so that this is smaller than each for itself. Where the parts are is told by name.
fn joined(page: &Program) -> (Vec<u8>, Vec<(String, usize, usize)>) {
    let mut modules = page.module.clone();
    let mut places = Vec::new();
    for part in page.parts.iter().filter(|part| !part.is_online()) {
        let start = modules.len();
        modules.extend(&part.module);
        places.push((part.name.clone(), start, modules.len()));
    }
    (modules, places)
}

/// The length of the rows of weights.
const N_COLUMNS: usize = 128;

/// A matrix of bytes by its columns: weights of the same hidden unit are alike, so that this is
/// smaller when compressed. `single-file.js` undoes it. What is no whole row stays at the end.
fn transposed(rows: &[u8]) -> Vec<u8> {
    let n_rows = rows.len() / N_COLUMNS;
    let (matrix, rest) = rows.split_at(n_rows * N_COLUMNS);
    let column = |index| matrix.iter().skip(index).step_by(N_COLUMNS);
    (0..N_COLUMNS)
        .flat_map(column)
        .chain(rest)
        .copied()
        .collect()
}

/// The expression for what stands there in the modules, as `single-file.js` defines it.
fn module_at(start: usize, end: usize) -> String {
    format!("moduleAt({start},{end})")
}

/// The document, in windows-1252.
fn document(
    index: &str,
    style: &str,
    icon: &str,
    script: &str,
    parts: &[(&str, Vec<u8>)],
) -> anyhow::Result<Vec<u8>> {
    for (name, text, end) in [
        ("style.css", style, "</style"),
        ("single-file.js", script, "</script"),
    ] {
        ensure!(text.is_ascii(), "{name} may have ASCII only");
        ensure!(!text.contains(end), "{name} may not have {end}");
    }
    let icon = icon
        .trim_end()
        .replace('"', "%22")
        .replace('#', "%23")
        .replace('<', "%3C")
        .replace('>', "%3E");
    let mut document = Vec::new();
    let mut is_in_data = false;
    for line in index.lines() {
        // What search engines read.
        is_in_data |= line.contains("application/ld+json");
        if is_in_data || LEFT_OUT.iter().any(|part| line.contains(part)) {
            is_in_data &= !line.contains("</script>");
            continue;
        }
        let line = if line.contains("charset=\"utf-8\"") {
            let policy = "<meta http-equiv=\"content-security-policy\" content=";
            format!("<meta charset=\"windows-1252\">\n{policy}\"{POLICY}\">")
        } else if line.contains("{style}") {
            format!("<style>\n{style}</style>")
        } else if line == "</body>" {
            for (name, content) in parts {
                let tag = format!("<script type=\"application/octet-stream\" id=\"{name}\">");
                document.extend(tag.as_bytes());
                document.extend(content);
                document.extend(b"</script>\n");
            }
            format!("<script>\n{script}</script>\n</body>")
        } else {
            line.replace("{worker}", "")
                .replace("{more}", "")
                .replace("{online}", "")
                .replace("{icon}", &format!("data:image/svg+xml,{icon}"))
        };
        ensure!(
            !line.starts_with('<') || !line.contains("=\"{"),
            "a line is not for one file: {line}"
        );
        for sign in line.chars() {
            if sign.is_ascii() {
                document.push(sign as u8);
            } else {
                write!(document, "&#{};", u32::from(sign))?;
            }
        }
        document.push(b'\n');
    }
    Ok(document)
}

/// Bytes that no document can hold as they are, since reading it changes them or ends the
/// element; and the sign that comes before those.
const ESCAPED: [u8; 4] = [b'\0', b'\r', b'<', ESCAPE];

const ESCAPE: u8 = b'=';

/// Compressed, and escaped as `single-file.js` expects it.
fn packed(content: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut options = LzmaOptions::with_preset(9);
    // As hard as it can be tried; and code is not aligned to anything.
    options.nice_len = LzmaOptions::NICE_LEN_MAX;
    options.depth_limit = 1000;
    options.pb = 0;
    let size = u64::try_from(content.len())?;
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(size))?;
    writer.write_all(content)?;
    Ok(escaped(&writer.finish()?))
}

fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(bytes.len() * 65 / 64);
    for &byte in bytes {
        if ESCAPED.contains(&byte) {
            escaped.extend([ESCAPE, byte.wrapping_add(64)]);
        } else {
            escaped.push(byte);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{document, escaped, transposed};

    const INDEX: &str = "<!doctype html>
<meta charset=\"utf-8\">
<meta property=\"og:image\" content=\"{card}\">
<meta name=\"description\" content=\"碁\">
<meta name=\"parlour-worker\" content=\"{worker}\">
<link rel=\"icon\" href=\"{icon}\">
<link rel=\"stylesheet\" href=\"{style}\">
<script type=\"module\" src=\"{script}\"></script>
<script type=\"application/ld+json\">
{}
</script>
<body>
</body>
";

    fn text(index: &str) -> anyhow::Result<String> {
        let parts = [("app.js", b"packed".to_vec())];
        let document = document(index, "a {}\n", "<svg id=\"#\"/>\n", "go();\n", &parts)?;
        Ok(String::from_utf8(document)?)
    }

    #[test]
    fn the_document_needs_no_other_file() {
        let text = text(INDEX).expect("it is all there");
        for part in [
            "<meta charset=\"windows-1252\">",
            "content=\"&#30849;\"",
            "<meta name=\"parlour-worker\" content=\"\">",
            "href=\"data:image/svg+xml,%3Csvg id=%22%23%22/%3E\"",
            "<style>\na {}\n</style>",
            "id=\"app.js\">packed</script>\n<script>\ngo();\n</script>\n</body>",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        for part in ["og:image", "ld+json", "{}\n</script>", "type=\"module\""] {
            assert!(!text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn weights_stand_by_columns() {
        let rows: Vec<u8> = (0..=255).chain([7, 8]).collect();
        let columns = transposed(&rows);
        assert_eq!(columns[..4], [0, 128, 1, 129]);
        assert_eq!(columns[254..], [127, 255, 7, 8]);
    }

    #[test]
    fn a_new_placeholder_is_noticed() {
        let index = INDEX.replace("{icon}", "{sound}");
        assert!(text(&index).is_err());
    }

    #[test]
    fn bytes_that_reading_would_change_are_escaped() {
        let all: Vec<u8> = (0..=255).collect();
        let escaped = escaped(&all);
        assert_eq!(escaped.len(), 260);
        assert!(!escaped.iter().any(|byte| b"\0\r<".contains(byte)));
        let mut bytes = escaped.into_iter();
        let mut back = Vec::new();
        while let Some(byte) = bytes.next() {
            back.push(match byte {
                b'=' => bytes.next().expect("a byte is escaped").wrapping_sub(64),
                byte => byte,
            });
        }
        assert_eq!(back, all);
    }
}
