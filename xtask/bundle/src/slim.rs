//! A program with less to download: short names for what its module imports from its script,
//! and a script without comments and indentation.
//!
//! wasm-bindgen names every import after what it does, with a hash. Neither compresses, and each
//! name stands in both files.

use anyhow::{Context, bail, ensure};

/// Classes that a dependency exports for streams from and to a server. Nothing here makes one,
/// and exports stay in a program whether they are used or not.
const UNUSED_CLASSES: &str = "IntoUnderlying";

/// The custom section with what wasm-bindgen knows of a program.
const SCHEMA: &str = "__wasm_bindgen_unstable";

/// What the names of wasm-bindgen's imports begin with.
const MARK: &str = "__wb";

/// Sections of a module.
const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const EXPORTS: u8 = 7;

/// A program as the compiler left it, without [`UNUSED_CLASSES`], so that their code can be left
/// out.
pub(crate) fn without_unused_classes(program: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut reader = Reader(program);
    let mut slim = reader.take(8)?.to_vec();
    while !reader.0.is_empty() {
        let id = reader.byte()?;
        let length = reader.number()?;
        let body = reader.take(length)?;
        let section = match id {
            EXPORTS => used_exports(body)?,
            CUSTOM if Reader(body).name()? == SCHEMA => used_schema(body)?,
            _ => body.to_vec(),
        };
        slim.push(id);
        write_number(&mut slim, section.len());
        slim.extend(section);
    }
    Ok(slim)
}

/// The export section without what belongs to unused classes.
fn used_exports(body: &[u8]) -> anyhow::Result<Vec<u8>> {
    let unused = UNUSED_CLASSES.to_lowercase();
    let mut reader = Reader(body);
    let (mut n_used, mut used): (_, Vec<u8>) = (0, Vec::new());
    for _ in 0..reader.number()? {
        let start = reader.0;
        let name = reader.name()?;
        reader.byte()?;
        reader.number()?;
        if !name.contains(&unused) {
            n_used += 1;
            used.extend(&start[..start.len() - reader.0.len()]);
        }
    }
    let mut section = Vec::new();
    write_number(&mut section, n_used);
    section.extend(used);
    Ok(section)
}

/// What wasm-bindgen knows of a program, without what belongs to unused classes: pairs of a
/// version and an item, each with its length in four bytes.
fn used_schema(body: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut reader = Reader(body);
    reader.name()?;
    let mut section = body[..body.len() - reader.0.len()].to_vec();
    while !reader.0.is_empty() {
        let start = reader.0;
        reader.item()?;
        let found = reader.item()?;
        let mut places = found.windows(UNUSED_CLASSES.len());
        if !places.any(|place| place == UNUSED_CLASSES.as_bytes()) {
            section.extend(&start[..start.len() - reader.0.len()]);
        }
    }
    Ok(section)
}

/// Makes both files of a program smaller. They still belong together.
pub(crate) fn slim(module: &[u8], script: &str) -> anyhow::Result<(Vec<u8>, String)> {
    let (module, names) = renamed_imports(module, script)?;
    let script = renamed(script, &names);
    Ok((module, slim_script(&script)?))
}

/// Names, each before and after.
type Names = Vec<(String, String)>;

/// The module with short names for its imports, and the names.
fn renamed_imports(module: &[u8], script: &str) -> anyhow::Result<(Vec<u8>, Names)> {
    let mut reader = Reader(module);
    let mut slim = reader.take(8)?.to_vec();
    let mut names = Names::new();
    while !reader.0.is_empty() {
        let id = reader.byte()?;
        let length = reader.number()?;
        let body = reader.take(length)?;
        slim.push(id);
        if id != IMPORTS {
            write_number(&mut slim, length);
            slim.extend(body);
            continue;
        }
        let mut imports = Reader(body);
        let mut section = Vec::new();
        let n_imports = imports.number()?;
        write_number(&mut section, n_imports);
        for _ in 0..n_imports {
            let from = imports.name()?;
            let name = imports.name()?;
            let kind = imports.entry()?;
            write_name(&mut section, from);
            // What is also exported keeps its name, which the script uses for both.
            let is_ours = name.starts_with(MARK) && !script.contains(&format!(".{name}"));
            if is_ours {
                let known = names.iter().position(|(known, _)| known == name);
                let index = known.unwrap_or_else(|| {
                    let short = format!("${}", names.len());
                    names.push((name.to_owned(), short));
                    names.len() - 1
                });
                write_name(&mut section, &names[index].1);
            } else {
                write_name(&mut section, name);
            }
            section.extend(kind);
        }
        ensure!(imports.0.is_empty(), "a module's imports end early");
        write_number(&mut slim, section.len());
        slim.extend(section);
    }
    Ok((slim, names))
}

/// The script with other names.
fn renamed(script: &str, names: &[(String, String)]) -> String {
    let mut out = String::with_capacity(script.len());
    let mut rest = script;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        let short = names.iter().find(|(name, _)| name == word);
        out.push_str(before);
        out.push_str(short.map_or(word, |(_, short)| short));
        rest = after;
    }
    out + rest
}

/// The script without indentation, and without comments that have lines of their own.
fn slim_script(script: &str) -> anyhow::Result<String> {
    let mut slim = String::with_capacity(script.len());
    let mut is_comment = false;
    for line in script.lines() {
        ensure!(
            line.matches('`').count() % 2 == 0,
            "text over several lines would lose its indentation: {line}"
        );
        let line = line.trim();
        is_comment |= line.starts_with("/*");
        if is_comment {
            is_comment = !line.ends_with("*/");
        } else if !line.is_empty() && !line.starts_with("//") {
            slim.push_str(line);
            slim.push('\n');
        }
    }
    ensure!(!is_comment, "a comment of the script has no end");
    Ok(slim)
}

/// Reads a module.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> anyhow::Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n).context("a module is short")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> anyhow::Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Something after its length in four bytes.
    fn item(&mut self) -> anyhow::Result<&'a [u8]> {
        let length = self.take(4)?.first_chunk().copied().unwrap_or_default();
        self.take(u32::from_le_bytes(length) as usize)
    }

    /// A number in LEB128.
    fn number(&mut self) -> anyhow::Result<usize> {
        let mut number = 0;
        for index in 0..5 {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        bail!("a number of a module is too long")
    }

    fn name(&mut self) -> anyhow::Result<&'a str> {
        let length = self.number()?;
        Ok(std::str::from_utf8(self.take(length)?)?)
    }

    /// What an import is, as it is written.
    fn entry(&mut self) -> anyhow::Result<&'a [u8]> {
        let start = self.0;
        match self.byte()? {
            // A function has a type.
            0 => drop(self.number()?),
            // A table has a type of references, and limits as a memory.
            1 => {
                self.byte()?;
                self.limits()?;
            }
            2 => self.limits()?,
            // A global has a type and may be changed or not.
            3 => drop(self.take(2)?),
            // A tag has an attribute and a type.
            4 => {
                self.byte()?;
                self.number()?;
            }
            kind => bail!("there is no import of kind {kind}"),
        }
        Ok(&start[..start.len() - self.0.len()])
    }

    fn limits(&mut self) -> anyhow::Result<()> {
        let has_most = self.byte()? & 1 == 1;
        self.number()?;
        if has_most {
            self.number()?;
        }
        Ok(())
    }
}

/// Writes a number in LEB128.
fn write_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn write_name(out: &mut Vec<u8>, name: &str) {
    write_number(out, name.len());
    out.extend(name.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::{slim, slim_script, without_unused_classes, write_name, write_number};

    fn module(imports: &[(&str, &str, &[u8])]) -> Vec<u8> {
        let mut section = Vec::new();
        write_number(&mut section, imports.len());
        for (from, name, kind) in imports {
            write_name(&mut section, from);
            write_name(&mut section, name);
            section.extend(*kind);
        }
        let mut module = b"\0asm\x01\0\0\0\x01\x02\x07\x07\x02".to_vec();
        write_number(&mut module, section.len());
        module.extend(section);
        module.extend([10, 1, 0]);
        module
    }

    #[test]
    fn imports_get_the_same_short_names_in_both_files() {
        let function: &[u8] = &[0, 0x85, 0x01];
        let memory: &[u8] = &[2, 1, 4, 9];
        let before = module(&[
            ("./app.js", "__wbg_back_bf7b4166", function),
            ("./app.js", "memory", memory),
            ("./app.js", "__wbindgen_both", function),
            ("./app.js", "__wbg_head_931aef85", function),
        ]);
        let script = "const i = { __wbg_back_bf7b4166: a => `${a}`, __wbg_back_bf7b4166x: 1,\n  \
                      __wbg_head_931aef85 };\nwasm.__wbindgen_both();\n";
        let (after, script) = slim(&before, script).unwrap();
        let expected = module(&[
            ("./app.js", "$0", function),
            ("./app.js", "memory", memory),
            ("./app.js", "__wbindgen_both", function),
            ("./app.js", "$1", function),
        ]);
        assert_eq!(after, expected);
        assert_eq!(
            script,
            "const i = { $0: a => `${a}`, __wbg_back_bf7b4166x: 1,\n$1 };\nwasm.__wbindgen_both();\n"
        );
        for end in 0..before.len() - 3 {
            assert!(
                slim(&before[..end], "").is_err() || end == 8 || end == 12,
                "{end} bytes"
            );
        }
    }

    #[test]
    fn classes_that_nothing_makes_are_left_out() {
        let section = |id: u8, body: &[u8]| {
            let mut section = vec![id];
            write_number(&mut section, body.len());
            section.extend(body);
            section
        };
        let exports = |names: &[&str]| {
            let mut body = vec![names.len() as u8];
            for name in names {
                write_name(&mut body, name);
                body.extend([0, 9]);
            }
            section(7, &body)
        };
        let schema = |items: &[&[u8]]| {
            let mut body = Vec::new();
            write_name(&mut body, "__wasm_bindgen_unstable");
            for item in items {
                for part in [&b"version"[..], item] {
                    body.extend((part.len() as u32).to_le_bytes());
                    body.extend(part);
                }
            }
            section(0, &body)
        };
        let other = section(0, b"\x04nameIntoUnderlyingSource");
        let header = b"\0asm\x01\0\0\0".to_vec();
        let before = [
            header.clone(),
            exports(&["main", "intounderlyingsource_pull_58a9", "memory"]),
            schema(&[b"\x00open", b"\x01\x14IntoUnderlyingSource\x00", b"close"]),
            other.clone(),
        ];
        let after = [
            header,
            exports(&["main", "memory"]),
            schema(&[b"\x00open", b"close"]),
            other,
        ];
        assert_eq!(
            without_unused_classes(&before.concat()).unwrap(),
            after.concat()
        );
        assert!(without_unused_classes(&before.concat()[..40]).is_err());
    }

    #[test]
    fn scripts_lose_comments_and_indentation_and_nothing_else() {
        let script = "/**\n * @returns {void}\n */\nfunction f() {\n    // No.\n\n    return \"/* a */ // b\";\n}\n";
        assert_eq!(
            slim_script(script).unwrap(),
            "function f() {\nreturn \"/* a */ // b\";\n}\n"
        );
        assert!(slim_script("`a\n  b`").is_err());
        assert!(slim_script("/* a").is_err());
    }
}
