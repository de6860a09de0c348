use crate::line::{BitLine, LINE_BITS};

/// A bit matrix, stored in columns of lines.
///
/// The lines of a column are contiguous, because the solver works column by column,
/// and a column fits into the cache while the whole matrix does not. Each line has a
/// mark that says whether it is of interest.
#[derive(Clone, Default)]
pub(crate) struct Matrix {
    n_rows: usize,
    lines: Vec<BitLine>,
    marks: Vec<u8>,
}

impl Matrix {
    /// An empty matrix. The number of rows is rounded up to whole blocks of 64 × 64
    /// bits.
    pub(crate) fn new(n_rows: usize, n_bits: usize) -> Self {
        let n_rows = n_rows.next_multiple_of(64);
        let n_lines = n_rows * n_bits.div_ceil(LINE_BITS);
        Self {
            n_rows,
            lines: vec![BitLine::EMPTY; n_lines],
            marks: vec![0; n_lines],
        }
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.lines.len() / self.n_rows
    }

    #[inline]
    pub(crate) fn column(&self, column: usize) -> &[BitLine] {
        &self.lines[column * self.n_rows..][..self.n_rows]
    }

    #[inline]
    pub(crate) fn column_mut(&mut self, column: usize) -> &mut [BitLine] {
        &mut self.lines[column * self.n_rows..][..self.n_rows]
    }

    #[inline]
    pub(crate) fn marks(&self, column: usize) -> &[u8] {
        &self.marks[column * self.n_rows..][..self.n_rows]
    }

    /// The lines of a column and their marks.
    #[inline]
    pub(crate) fn marked_column_mut(&mut self, column: usize) -> (&mut [BitLine], &mut [u8]) {
        let start = column * self.n_rows;
        (
            &mut self.lines[start..][..self.n_rows],
            &mut self.marks[start..][..self.n_rows],
        )
    }

    #[inline]
    pub(crate) fn line(&self, row: usize, column: usize) -> &BitLine {
        &self.lines[column * self.n_rows + row]
    }

    #[inline]
    pub(crate) fn line_mut(&mut self, row: usize, column: usize) -> &mut BitLine {
        &mut self.lines[column * self.n_rows + row]
    }

    /// Adds bits to a line and marks it.
    #[inline]
    pub(crate) fn insert(&mut self, row: usize, column: usize, bits: &BitLine) {
        let index = column * self.n_rows + row;
        self.lines[index].insert(bits);
        self.marks[index] = 1;
    }

    /// Adds bits to one word of a row and marks its line.
    #[inline]
    pub(crate) fn insert_word(&mut self, row: usize, word: usize, bits: u64) {
        let index = word / 8 * self.n_rows + row;
        self.lines[index].0[word % 8] |= bits;
        self.marks[index] = 1;
    }
}

/// The first marked line from `from` on.
#[inline]
pub(crate) fn next_mark(marks: &[u8], from: usize) -> Option<usize> {
    let rest = marks.get(from..)?;
    // Eight at a time, since few are marked.
    let mut row = from;
    let (groups, tail) = rest.as_chunks::<8>();
    for group in groups {
        let group = u64::from_le_bytes(*group);
        if group != 0 {
            return Some(row + group.trailing_zeros() as usize / 8);
        }
        row += 8;
    }
    tail.iter().position(|&mark| mark != 0).map(|at| row + at)
}
