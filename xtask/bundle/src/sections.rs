//! The sections of a WebAssembly module.

use anyhow::Context;
use wasm_encoder::{Module, RawSection};
use wasmparser::{Parser, Payload};

/// A copy of `module` whose sections `replace` has a say in: those that it returns `true` for are
/// left out, and it may add others in their place. The other ones stay as they are, since offsets
/// of the linker and of debuggers lead into them.
pub(crate) fn with_sections(
    module: &[u8],
    mut replace: impl FnMut(&mut Module, &Payload<'_>) -> anyhow::Result<bool>,
) -> anyhow::Result<Vec<u8>> {
    let mut copy = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.context("a module is damaged")?;
        if let Some((id, range)) = payload.as_section()
            && !replace(&mut copy, &payload)?
        {
            let data = &module[range.start as usize..range.end as usize];
            copy.section(&RawSection { id, data });
        }
    }
    Ok(copy.finish())
}

/// `module` without the names of its functions, which are as large as its code: without any of
/// the sections that have no meaning for the browser.
pub(crate) fn without_custom_sections(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    with_sections(module, |_, payload| {
        Ok(matches!(payload, Payload::CustomSection(_)))
    })
}

#[cfg(test)]
mod tests {
    use super::without_custom_sections;

    #[test]
    fn names_are_left_out_and_nothing_else() {
        let header = b"\0asm\x01\0\0\0";
        let types = [1, 2, 7, 7];
        let mut long = vec![11, 0x80, 0x01];
        long.extend([9; 128]);
        let name = [0, 3, 1, b'n', 5];
        let whole = [&header[..], &name, &types, &long, &[0, 2, 1, b'x']].concat();
        let slim = [&header[..], &types, &long].concat();
        assert_eq!(without_custom_sections(&whole).unwrap(), slim);
        assert_eq!(without_custom_sections(&slim).unwrap(), slim);
        for damaged in [&whole[..4], &whole[..9], &whole[..11], &slim[..20]] {
            assert!(without_custom_sections(damaged).is_err());
        }
    }
}
