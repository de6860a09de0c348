/// A turn that was made here, until the server's events have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingTurn {
    /// The client's number for it. A server stores a turn once, however often it hears of it.
    pub id: u64,
    /// The version of the last event that had changed the position when it was made.
    pub at: u64,
    /// How many moves came before it.
    pub ply: usize,
    /// Its moves.
    pub moves: Vec<String>,
    /// The time thought, in milliseconds.
    pub ms: u64,
    /// Whether the server said that it is stored.
    pub is_stored: bool,
    /// Whether it was sent since the connection was made.
    pub(crate) is_sent: bool,
}

impl PendingTurn {
    /// The form for storage: the numbers and the moves, with blanks between them.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self {
            id, at, ply, ms, ..
        } = self;
        format!("{id} {at} {ply} {ms} {}", self.moves.join(" "))
    }

    /// Reads what [`to_text`](Self::to_text) wrote.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut number = || rules::parse_decimal(words.next()?);
        let (id, at, ply, ms) = (number()?, number()?, number()?, number()?);
        let moves: Vec<_> = words.map(str::to_owned).collect();
        let is_whole = !moves.is_empty() && moves.iter().all(|m| !m.is_empty());
        is_whole.then_some(Self {
            id,
            at,
            ply: usize::try_from(ply).ok()?,
            moves,
            ms,
            is_stored: false,
            is_sent: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::PendingTurn;

    #[test]
    fn a_turn_survives_storage() {
        let turn = PendingTurn {
            id: 7,
            at: 4,
            ply: 3,
            moves: vec!["2,-2>-1,1".to_owned(), "#0,0>1,1".to_owned()],
            ms: 812,
            is_stored: false,
            is_sent: false,
        };
        assert_eq!(PendingTurn::from_text(&turn.to_text()), Some(turn));
        for text in ["", "7 4 3 812", "7 4 3 812 ", "7 x 3 812 b2", "7 4 3 -1 b2"] {
            assert_eq!(PendingTurn::from_text(text), None, "{text}");
        }
    }
}
