//! QR codes as somebody with a camera reads them: by ISO/IEC 18004, from nothing but dark modules.

use serde_json::json;

use super::chromium::Chromium;

/// The path and the view box of a code on the page.
pub(crate) fn qr_code(browser: &mut Chromium, selector: &str) -> (String, String) {
    let drawing = browser.call("drawing", json!([selector]));
    let [path, shown] = [0, 1].map(|index| drawing[index].as_str().unwrap().to_owned());
    (path, shown)
}

/// A QR code of version 2 to 5 with the lower levels of error correction.
pub(crate) struct Code {
    pub(crate) size: usize,
    is_dark: Vec<Vec<bool>>,
}

impl Code {
    /// Reads a drawing that is a square for each dark module: `M3 4h1v1h-1z`.
    pub(crate) fn of_path(path: &str) -> Self {
        let squares = path.split('M').filter(|square| !square.is_empty());
        let places: Vec<(usize, usize)> = squares
            .map(|square| {
                let place = square.strip_suffix("h1v1h-1z").unwrap();
                let (x, y) = place.split_once(' ').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            })
            .collect();
        // The finder patterns reach all four edges.
        let size = 1 + places.iter().map(|&(x, _)| x).max().unwrap();
        let mut is_dark = vec![vec![false; size]; size];
        for (x, y) in places {
            is_dark[y][x] = true;
        }
        Self { size, is_dark }
    }

    /// Whether the module belongs to a pattern or to the format, and not to the text.
    fn is_function(&self, x: usize, y: usize) -> bool {
        let n = self.size;
        let (is_left, is_top) = (x < 9, y < 9);
        let is_finder = (is_left && (is_top || y >= n - 8)) || (is_top && x >= n - 8);
        let is_timing = x == 6 || y == 6;
        // From version 2 to 6 there is one alignment pattern, around the seventh module from the
        // corner.
        let is_near = |at: usize| at.abs_diff(n - 7) <= 2;
        is_finder || is_timing || (n > 21 && is_near(x) && is_near(y))
    }

    /// The bits of the format that say the level and the mask, without the mask of their own.
    fn format(&self) -> (u8, u8) {
        let bits = (0..5).map(|x| u8::from(self.is_dark[8][x]));
        let bits = bits.fold(0, |bits, bit| 2 * bits + bit) ^ 0b10101;
        (bits >> 3, bits & 7)
    }

    fn is_masked(mask: u8, x: usize, y: usize) -> bool {
        0 == match mask {
            0 => (x + y) % 2,
            1 => y % 2,
            2 => x % 3,
            3 => (x + y) % 3,
            4 => (x / 3 + y / 2) % 2,
            5 => x * y % 2 + x * y % 3,
            6 => (x * y % 2 + x * y % 3) % 2,
            _ => ((x + y) % 2 + x * y % 3) % 2,
        }
    }

    /// The bits of the codewords: two columns at a time from the right, up and down in turn.
    fn bits(&self) -> Vec<bool> {
        let (_, mask) = self.format();
        let mut bits = Vec::new();
        // The column of the timing pattern, 6, is skipped.
        let right = (8..self.size).step_by(2);
        let pairs: Vec<usize> = [1, 3, 5].into_iter().chain(right).collect();
        for (index, &x) in pairs.iter().rev().enumerate() {
            for step in 0..self.size {
                let y = if index % 2 == 0 {
                    self.size - 1 - step
                } else {
                    step
                };
                for x in [x, x - 1] {
                    if !self.is_function(x, y) {
                        bits.push(self.is_dark[y][x] != Self::is_masked(mask, x, y));
                    }
                }
            }
        }
        bits
    }

    /// The codewords of the text, block by block; they are interleaved.
    fn codewords(&self) -> Vec<u8> {
        const LOW: u8 = 0b01;
        const MEDIUM: u8 = 0b00;
        let version = (self.size - 17) / 4;
        let (n_blocks, n_each) = match (version, self.format().0) {
            (2, LOW) => (1, 34),
            (2, MEDIUM) => (1, 28),
            (3, LOW) => (1, 55),
            (3, MEDIUM) => (1, 44),
            (4, LOW) => (1, 80),
            (4, MEDIUM) => (2, 32),
            (5, LOW) => (1, 108),
            (5, MEDIUM) => (2, 43),
            other => panic!("{other:?} is not read here"),
        };
        let bits = self.bits();
        let byte = |bits: &[bool]| bits.iter().fold(0, |byte, &bit| 2 * byte + u8::from(bit));
        let all: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
        let blocks = (0..n_blocks).flat_map(|block| (0..n_each).map(move |index| (block, index)));
        blocks
            .map(|(block, index)| all[index * n_blocks + block])
            .collect()
    }

    /// The text, which is in bytes: four bits that say so, its length, and the bytes.
    pub(crate) fn text(&self) -> String {
        let codewords = self.codewords();
        assert_eq!(codewords[0] >> 4, 0b0100, "bytes");
        let shifted: Vec<u8> = codewords
            .windows(2)
            .map(|pair| pair[0] << 4 | pair[1] >> 4)
            .collect();
        let length = usize::from(shifted[0]);
        String::from_utf8(shifted[1..=length].to_vec()).unwrap()
    }
}
