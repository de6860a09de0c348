//! A program with less to download: short names for what its module imports from its script,
//! and a script without comments and indentation.
//!
//! wasm-bindgen names every import after what it does, with a hash. Neither compresses, and each
//! name stands in both files.

use anyhow::{Context, ensure};
use wasm_encoder::{
    CustomSection, ExportSection, ImportSection,
    reencode::{Reencode, RoundtripReencoder},
};
use wasmparser::{Import, Payload};

use crate::sections::with_sections;

/// Classes that a dependency exports for streams from and to a server. Nothing here makes one,
/// and exports stay in a program whether they are used or not.
const UNUSED_CLASSES: &str = "IntoUnderlying";

/// The custom section with what wasm-bindgen knows of a program.
const SCHEMA: &str = "__wasm_bindgen_unstable";

/// What the names of wasm-bindgen's imports begin with.
const MARK: &str = "__wb";

/// A program as the compiler left it, without [`UNUSED_CLASSES`], so that their code can be left
/// out.
pub(crate) fn without_unused_classes(program: &[u8]) -> anyhow::Result<Vec<u8>> {
    let unused = UNUSED_CLASSES.to_lowercase();
    let (mut n_exports, mut n_items) = (0, 0);
    let slim = with_sections(program, |module, payload| {
        match payload {
            Payload::ExportSection(exports) => {
                let mut used = ExportSection::new();
                for export in exports.clone() {
                    let export = export?;
                    if export.name.contains(&unused) {
                        n_exports += 1;
                    } else {
                        RoundtripReencoder.parse_export(&mut used, export)?;
                    }
                }
                module.section(&used);
            }
            Payload::CustomSection(section) if section.name() == SCHEMA => {
                let (data, n_unused) = used_items(section.data())?;
                n_items += n_unused;
                module.section(&CustomSection {
                    name: SCHEMA.into(),
                    data: data.into(),
                });
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    // How wasm-bindgen describes a program is its own affair, and may change with its version.
    ensure!(
        n_exports > 0 && n_items > 0,
        "expected classes {UNUSED_CLASSES}… among the exports and in {SCHEMA} of the page's \
         program, and left {n_exports} and {n_items} out; if no dependency has them any more, \
         slim.rs need not leave them out"
    );
    Ok(slim)
}

/// What wasm-bindgen knows of a program, without what belongs to unused classes, and how many
/// items that were: pairs of a version and an item, each with its length in four bytes.
fn used_items(mut data: &[u8]) -> anyhow::Result<(Vec<u8>, usize)> {
    let (mut used, mut n_unused) = (Vec::new(), 0);
    while !data.is_empty() {
        let (_version, after) = split_item(data)?;
        let (item, rest) = split_item(after)?;
        let mut places = item.windows(UNUSED_CLASSES.len());
        if places.any(|place| place == UNUSED_CLASSES.as_bytes()) {
            n_unused += 1;
        } else {
            used.extend(&data[..data.len() - rest.len()]);
        }
        data = rest;
    }
    Ok((used, n_unused))
}

/// The first item of a list, and the others.
fn split_item(data: &[u8]) -> anyhow::Result<(&[u8], &[u8])> {
    data.split_first_chunk()
        .and_then(|(length, rest)| rest.split_at_checked(u32::from_le_bytes(*length) as usize))
        .with_context(|| format!("{SCHEMA} ends early"))
}

/// Makes both files of a program smaller. They still belong together.
pub(crate) fn slim(module: &[u8], script: &str) -> anyhow::Result<(Vec<u8>, String)> {
    let (module, names) = renamed_imports(module, script)?;
    let script = renamed(script, &names)?;
    Ok((module, slim_script(&script)?))
}

/// Names, each before and after.
type Names = Vec<(String, String)>;

/// The module with short names for its imports, and the names.
fn renamed_imports(module: &[u8], script: &str) -> anyhow::Result<(Vec<u8>, Names)> {
    let mut names = Names::new();
    let slim = with_sections(module, |module, payload| {
        let Payload::ImportSection(imports) = payload else {
            return Ok(false);
        };
        let mut section = ImportSection::new();
        for import in imports.clone().into_imports() {
            let import = import?;
            let Import { name, .. } = import;
            // What is also exported keeps its name, which the script uses for both.
            let is_ours = name.starts_with(MARK) && !script.contains(&format!(".{name}"));
            if !is_ours {
                RoundtripReencoder.parse_import(&mut section, import)?;
                continue;
            }
            let known = names.iter().position(|(known, _)| known == name);
            let index = known.unwrap_or_else(|| {
                let short = format!("${}", names.len());
                names.push((name.to_owned(), short));
                names.len() - 1
            });
            let name = &names[index].1;
            RoundtripReencoder.parse_import(&mut section, Import { name, ..import })?;
        }
        module.section(&section);
        Ok(true)
    })?;
    Ok((slim, names))
}

/// The script with other names, none of which it has already.
fn renamed(script: &str, names: &[(String, String)]) -> anyhow::Result<String> {
    let mut out = String::with_capacity(script.len());
    let mut rest = script;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        ensure!(
            names.iter().all(|(_, short)| short != word),
            "the script has the name {word} already"
        );
        let short = names.iter().find(|(name, _)| name == word);
        out.push_str(before);
        out.push_str(short.map_or(word, |(_, short)| short));
        rest = after;
    }
    Ok(out + rest)
}

/// The script without indentation, and without comments at the beginning of lines.
fn slim_script(script: &str) -> anyhow::Result<String> {
    let mut slim = String::with_capacity(script.len());
    let mut is_comment = false;
    for line in script.lines() {
        let code;
        (code, is_comment) = code_of(line.trim_end(), is_comment);
        if code.is_empty() || code.starts_with("//") {
            continue;
        }
        ensure!(
            code.matches('`').count() % 2 == 0 && !code.ends_with('\\'),
            "text over several lines would lose its indentation: {line}"
        );
        ensure!(
            code.rsplit_once("/*")
                .is_none_or(|(_, after)| after.contains("*/")),
            "a comment over several lines begins after code: {line}"
        );
        slim.push_str(code);
        slim.push('\n');
    }
    ensure!(!is_comment, "a comment of the script has no end");
    Ok(slim)
}

/// What comes in a line after the comments at its beginning, and whether the last of them goes on
/// in the next line.
fn code_of(line: &str, is_comment: bool) -> (&str, bool) {
    let line = line.trim_start();
    let comment = if is_comment {
        Some(line)
    } else {
        line.strip_prefix("/*")
    };
    match comment.map(|comment| comment.split_once("*/")) {
        None => (line, false),
        Some(None) => ("", true),
        Some(Some((_, code))) => code_of(code, false),
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        CodeSection, CustomSection, EntityType, ExportKind, ExportSection, ImportSection,
        MemoryType, Module, TypeSection,
    };

    use super::{SCHEMA, slim, slim_script, without_unused_classes};

    const FUNCTION: EntityType = EntityType::Function(133);

    const MEMORY: EntityType = EntityType::Memory(MemoryType {
        minimum: 4,
        maximum: Some(9),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });

    fn importing(imports: &[(&str, EntityType)]) -> Vec<u8> {
        let mut section = ImportSection::new();
        for (name, kind) in imports {
            section.import("./app.js", name, *kind);
        }
        let mut module = Module::new();
        module.section(&TypeSection::new());
        module.section(&section);
        module.section(&CodeSection::new());
        module.finish()
    }

    #[test]
    fn imports_get_the_same_short_names_in_both_files() {
        let before = importing(&[
            ("__wbg_back_bf7b4166", FUNCTION),
            ("memory", MEMORY),
            ("__wbindgen_both", FUNCTION),
            ("__wbg_head_931aef85", FUNCTION),
        ]);
        let script = "const i = { __wbg_back_bf7b4166: a => `${a}`, __wbg_back_bf7b4166x: 1,\n  \
                      __wbg_head_931aef85 };\nwasm.__wbindgen_both();\n";
        let (after, script) = slim(&before, script).unwrap();
        let expected = importing(&[
            ("$0", FUNCTION),
            ("memory", MEMORY),
            ("__wbindgen_both", FUNCTION),
            ("$1", FUNCTION),
        ]);
        assert_eq!(after, expected);
        assert_eq!(
            script,
            "const i = { $0: a => `${a}`, __wbg_back_bf7b4166x: 1,\n$1 };\nwasm.__wbindgen_both();\n"
        );
        assert!(slim(&before[..before.len() - 4], "").is_err());
        let error = slim(&before, "let $1;").unwrap_err();
        assert_eq!(error.to_string(), "the script has the name $1 already");
        assert!(slim(&before, "let $3, $01;").is_ok());
    }

    /// A module with these exports and items of wasm-bindgen.
    fn described(exports: &[&str], items: &[&[u8]]) -> Vec<u8> {
        let mut section = ExportSection::new();
        for name in exports {
            section.export(name, ExportKind::Func, 9);
        }
        let mut module = Module::new();
        module.section(&section);
        let mut data = Vec::new();
        for item in items {
            for part in [&b"version"[..], item] {
                data.extend((part.len() as u32).to_le_bytes());
                data.extend(part);
            }
        }
        for (name, data) in [(SCHEMA, &data[..]), ("name", b"IntoUnderlyingSource")] {
            module.section(&CustomSection {
                name: name.into(),
                data: data.into(),
            });
        }
        module.finish()
    }

    #[test]
    fn classes_that_nothing_makes_are_left_out() {
        let exports = ["main", "intounderlyingsource_pull_58a9", "memory"];
        let items: [&[u8]; 3] = [b"\x00open", b"\x01\x14IntoUnderlyingSource\x00", b"close"];
        let before = described(&exports, &items);
        let after = described(&["main", "memory"], &[items[0], items[2]]);
        assert_eq!(without_unused_classes(&before).unwrap(), after);
        assert!(without_unused_classes(&before[..40]).is_err());
        // Both have to be known, or nothing is gained.
        for other in [
            &after,
            &described(&exports, &[]),
            &described(&["main"], &items),
        ] {
            let error = without_unused_classes(other).unwrap_err().to_string();
            assert!(
                error.starts_with("expected classes IntoUnderlying…"),
                "{error}"
            );
        }
    }

    #[test]
    fn scripts_lose_comments_and_indentation_and_nothing_else() {
        let script = "/**\n * @returns {void}\n */\nfunction f() {\n    // No.\n\n    return \"/* a */ // b\";\n}\n";
        assert_eq!(
            slim_script(script).unwrap(),
            "function f() {\nreturn \"/* a */ // b\";\n}\n"
        );
        for several_lines in ["`a\n  b`", "\"a\\\n  b\"", "a(); /* b\n// */ c();", "/* a"] {
            assert!(slim_script(several_lines).is_err(), "{several_lines}");
        }
    }

    #[test]
    fn code_after_a_comment_stays() {
        let check = |script: &str, expected: &str| {
            assert_eq!(slim_script(script).unwrap(), expected, "{script}");
        };
        check("/* @__PURE__ */ f();\ng();\n/* */\n", "f();\ng();\n");
        check("/* a\n b */ f(); // c\n", "f(); // c\n");
        check("/* a *//* b */ /* c\n*/ f();\n", "f();\n");
        check("/*/ f(); /* a */ g();\n", "g();\n");
        check("  f(/* a */ 1);\n/**/ // b\n", "f(/* a */ 1);\n");
    }
}
