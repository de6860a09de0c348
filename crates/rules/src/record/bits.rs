use super::Problem;

/// Writes bits.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    n_bits: usize,
}

impl BitWriter {
    /// Writes the lowest `width` bits of `value`, the highest of them first.
    pub(super) fn write(&mut self, value: u64, width: u32) {
        for shift in (0..width).rev() {
            if self.n_bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let bit = (value >> shift & 1) as u8;
            self.bytes[self.n_bits / 8] |= bit << (7 - self.n_bits % 8);
            self.n_bits += 1;
        }
    }

    /// Writes a number from 1 up so that small ones are short: as many zeros as
    /// it has binary digits after the first, then its digits (Elias gamma).
    pub(super) fn write_gamma(&mut self, value: u64) {
        let width = u64::BITS - value.leading_zeros();
        self.write(0, width - 1);
        self.write(value, width);
    }

    /// The bits as bytes, padded with zeros.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads bits.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    n_read: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, n_read: 0 }
    }

    /// Reads what [`BitWriter::write`] wrote.
    pub(super) fn read(&mut self, width: u32) -> Result<u64, Problem> {
        let mut value = 0;
        for _ in 0..width {
            let byte = self.bytes.get(self.n_read / 8).ok_or(Problem::CutShort)?;
            let bit = byte >> (7 - self.n_read % 8) & 1;
            value = value << 1 | u64::from(bit);
            self.n_read += 1;
        }
        Ok(value)
    }

    /// Reads what [`BitWriter::write_gamma`] wrote.
    pub(super) fn read_gamma(&mut self) -> Result<u64, Problem> {
        let mut n_zeros = 0;
        while self.read(1)? == 0 {
            n_zeros += 1;
            if n_zeros == u64::BITS {
                return Err(Problem::Damaged);
            }
        }
        Ok(1 << n_zeros | self.read(n_zeros)?)
    }

    /// Checks that only padding is left.
    pub(super) fn finish(mut self) -> Result<(), Problem> {
        let n_left = self.bytes.len() * 8 - self.n_read;
        let is_filling = n_left < 8 && self.read(n_left as u32)? == 0;
        if is_filling {
            Ok(())
        } else {
            Err(Problem::Damaged)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BitReader, BitWriter};

    #[test]
    fn what_is_written_is_read() {
        let mut writer = BitWriter::default();
        writer.write(5, 3);
        writer.write_gamma(1);
        writer.write_gamma(u64::MAX);
        writer.write(0, 0);
        writer.write_gamma(300);
        let bytes = writer.into_bytes();
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.read(3), Ok(5));
        assert_eq!(reader.read_gamma(), Ok(1));
        assert_eq!(reader.read_gamma(), Ok(u64::MAX));
        assert_eq!(reader.read(0), Ok(0));
        assert_eq!(reader.read_gamma(), Ok(300));
        assert_eq!(reader.finish(), Ok(()));
    }
}
