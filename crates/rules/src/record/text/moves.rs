use crate::{
    Game, parse_decimal,
    record::{Control, Problem, Record, tree::NodeId},
};

/// Splits at spaces and around parentheses, but not inside quotes.
pub(super) fn split_words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(' ');
        let end = if rest.starts_with('"') {
            quote_end(rest)
        } else if rest.starts_with(['(', ')']) {
            1
        } else {
            rest.find([' ', '(', ')', '"']).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// Where the quote at the start of `text` ends, its second mark included; the whole text
/// if it has none.
fn quote_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (index, sign) in text.char_indices().skip(1) {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

const COMMENT: Problem = Problem::Expected("a comment in quotes, with single spaces");

/// The text of a quoted word.
fn read_quote(word: &str) -> Option<String> {
    let mut signs = word.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut text = String::with_capacity(word.len());
    while let Some(sign) = signs.next() {
        text.push(match sign {
            '\\' => signs.next().filter(|sign| matches!(sign, '"' | '\\'))?,
            '"' => return None,
            sign => sign,
        });
    }
    Some(text)
}

/// Reads the moves section word by word.
pub(super) struct MoveReader<'r, G: Game> {
    record: &'r mut Record<G>,
    current: NodeId,
    /// The nodes where the open variations began.
    opened: Vec<NodeId>,
    last: Last,
}

/// The kind of the last token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The start of the match, a move, or an annotation of it.
    Move,
    Opening,
    Closing,
}

impl<'r, G: Game> MoveReader<'r, G> {
    pub(super) fn new(record: &'r mut Record<G>) -> Self {
        Self {
            record,
            current: NodeId::ROOT,
            opened: Vec::new(),
            last: Last::Move,
        }
    }

    pub(super) fn read(&mut self, word: &str) -> Result<(), Problem> {
        match word.as_bytes()[0] {
            b'(' => self.open(),
            b')' => self.close(),
            b'{' => self.time_left(word),
            b'!' => self.control(word),
            b'"' => self.comment(word),
            _ => self.play(word),
        }
    }

    fn open(&mut self) -> Result<(), Problem> {
        if self.last == Last::Opening {
            return Err(Problem::Expected("a move"));
        }
        self.opened.push(self.current);
        self.last = Last::Opening;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        if self.last == Last::Opening {
            return Err(Problem::Expected("a move"));
        }
        self.current = self.opened.pop().ok_or(Problem::Unbalanced)?;
        self.last = Last::Closing;
        Ok(())
    }

    fn time_left(&mut self, word: &str) -> Result<(), Problem> {
        let node = &mut self.record.tree[self.current];
        let is_next = self.last == Last::Move
            && node.m.is_some()
            && node.time_left.is_none()
            && node.comment.is_empty()
            && node.controls.is_empty();
        if !is_next {
            return Err(Problem::Misplaced(word.to_owned()));
        }
        let digits = word
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let time_left = digits.and_then(parse_decimal);
        node.time_left = Some(time_left.ok_or(Problem::Expected("milliseconds such as {5000}"))?);
        Ok(())
    }

    fn comment(&mut self, word: &str) -> Result<(), Problem> {
        let node = &mut self.record.tree[self.current];
        if self.last != Last::Move || !node.comment.is_empty() || !node.controls.is_empty() {
            return Err(Problem::Misplaced(word.to_owned()));
        }
        let comment = read_quote(word).ok_or(COMMENT)?;
        node.set_comment(&comment);
        if node.comment != comment || comment.is_empty() {
            return Err(COMMENT);
        }
        Ok(())
    }

    fn control(&mut self, word: &str) -> Result<(), Problem> {
        if self.last != Last::Move {
            return Err(Problem::Misplaced(word.to_owned()));
        }
        let control: Control = word[1..].parse()?;
        self.record.tree.add_control(self.current, control)
    }

    fn play(&mut self, word: &str) -> Result<(), Problem> {
        let m = word.parse::<G::Move>().map_err(|e| Problem::Move {
            text: word.to_owned(),
            reason: e.to_string(),
        })?;
        let is_main_line = self.opened.is_empty();
        if is_main_line && let Some(ending) = self.record.tree[self.current].ending() {
            return Err(Problem::Over(ending));
        }
        let tree = &mut self.record.tree;
        if tree.find_child(self.current, m).is_some() {
            return Err(Problem::Twice(word.to_owned()));
        }
        let id = tree
            .add(self.current, m)
            .map_err(|_| Problem::IllegalMove(word.to_owned()))?;
        if self.last != Last::Opening {
            tree.promote(id);
        }
        self.current = id;
        self.last = Last::Move;
        Ok(())
    }

    pub(super) fn finish(&self) -> Result<(), Problem> {
        if !self.opened.is_empty() {
            return Err(Problem::Unbalanced);
        }
        self.record.tree.check_take_backs()
    }
}
