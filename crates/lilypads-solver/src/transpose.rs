use crate::matrix::Matrix;

/// With fewer bits than this in a block of 64 × 64, moving them one by one is faster
/// than transposing the block.
const FEW_BITS: u32 = 96;

/// Adds every bit of `from` to `to` with row and column exchanged.
pub(crate) fn insert_transposed(from: &Matrix, to: &mut Matrix) {
    for column in 0..from.n_columns() {
        let lines = from.column(column);
        let groups = lines.as_chunks::<64>().0.iter();
        let marks = from.marks(column).as_chunks::<64>().0;
        for (group, (lines, marks)) in groups.zip(marks).enumerate() {
            if marks.iter().all(|&mark| mark == 0) {
                continue;
            }
            for word in 0..8 {
                let mut block = [0; 64];
                for (row, line) in block.iter_mut().zip(lines) {
                    *row = line.0[word];
                }
                let n_bits: u32 = block.iter().map(|row| row.count_ones()).sum();
                let first_row = (column * 8 + word) * 64;
                if n_bits >= FEW_BITS {
                    transpose(&mut block);
                    insert_rows(to, first_row, group, &block);
                } else if n_bits > 0 {
                    insert_bits(to, first_row, group, &block);
                }
            }
        }
    }
}

fn insert_rows(to: &mut Matrix, first_row: usize, word: usize, block: &[u64; 64]) {
    for (row, &bits) in block.iter().enumerate() {
        if bits != 0 {
            to.insert_word(first_row + row, word, bits);
        }
    }
}

fn insert_bits(to: &mut Matrix, first_row: usize, word: usize, block: &[u64; 64]) {
    for (place, &bits) in block.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            let row = bits.trailing_zeros() as usize;
            to.insert_word(first_row + row, word, 1 << place);
            bits &= bits - 1;
        }
    }
}

/// Transposes a block: quarters across the diagonal first, then quarters of
/// quarters.
fn transpose(block: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask: u64 = 0x0000_0000_ffff_ffff;
    while width > 0 {
        for pair in block.chunks_exact_mut(2 * width) {
            let (upper, lower) = pair.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let differing = (*upper >> width ^ *lower) & mask;
                *upper ^= differing << width;
                *lower ^= differing;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use rules::Random;

    use super::insert_transposed;
    use crate::matrix::Matrix;

    #[test]
    fn every_bit_changes_sides() {
        let mut random = Random::new(1);
        let size = 700;
        for n_bits in [30, 200_000] {
            let mut from = Matrix::new(size, size);
            let mut to = Matrix::new(size, size);
            let mut expected = Matrix::new(size, size);
            for _ in 0..n_bits {
                let [row, place] = [0; 2].map(|_| random.below(size as u32) as usize);
                from.insert_word(row, place / 64, 1 << (place % 64));
                expected.insert_word(place, row / 64, 1 << (row % 64));
            }
            insert_transposed(&from, &mut to);
            for column in 0..2 {
                assert!(to.column(column) == expected.column(column));
                assert!(to.marks(column) == expected.marks(column));
            }
        }
    }
}
