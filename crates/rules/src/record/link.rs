//! The short form for links.
//!
//! Eight fields separated by dots: form, game, rules version, setup, players, clock,
//! moves, checksum. For example `1.nonaga.1.variant-published...pA4g.x0Bd`. Before the
//! checksum comes a field with the comments, if there are any.
//!
//! A move is its index in the list of legal moves, in as few bits as the list needs,
//! so a match of Lilypads takes half a byte a move. The order of moves is therefore
//! covered by the rules version. The last field is a checksum of all others.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};

use super::{
    Control, Problem, ReadError, Record, Start, TimeControl,
    bits::{BitReader, BitWriter},
    check_game, check_rules,
    tree::{Node, NodeId},
};
use crate::{ByPlayer, Game, MatchSetup, Player, mix, parse_decimal};

const FORM: &str = "1";

/// Prefix of a first position that no setup gives.
const POSITION_PREFIX: &str = "at-";

const CONTROLS: [Control; 8] = [
    Control::TakeBack(Player::First),
    Control::TakeBack(Player::Second),
    Control::Resign(Player::First),
    Control::Resign(Player::Second),
    Control::AgreeDraw,
    Control::TimeOut(Player::First),
    Control::TimeOut(Player::Second),
    Control::Hint,
];

/// The name of the game of a link.
///
/// # Errors
///
/// Returns [`ReadError`] if the link does not have the right fields.
pub fn game_of_link(link: &str) -> Result<&str, ReadError> {
    Ok(Fields::split(link)?.game)
}

/// The fields of a link.
struct Fields<'a> {
    game: &'a str,
    rules: &'a str,
    setup: &'a str,
    players: &'a str,
    clock: &'a str,
    moves: &'a str,
    comments: &'a str,
    check: &'a str,
    /// The text that the checksum covers.
    checked: &'a str,
}

impl<'a> Fields<'a> {
    fn split(link: &'a str) -> Result<Self, ReadError> {
        let wrong = |problem| in_field("form", problem);
        let (checked, check) = link
            .rsplit_once('.')
            .ok_or_else(|| wrong(Problem::Expected("eight fields joined by dots")))?;
        let fields: Vec<_> = checked.split('.').collect();
        let (fields, comments) = match &fields[..] {
            [fields @ .., comments] if fields.len() == 7 && !comments.is_empty() => {
                (fields, *comments)
            }
            fields => (fields, ""),
        };
        let [form, game, rules, setup, players, clock, moves] = *fields else {
            return Err(wrong(Problem::Expected("eight fields joined by dots")));
        };
        if form != FORM {
            return Err(wrong(Problem::Expected(FORM)));
        }
        Ok(Self {
            game,
            rules,
            setup,
            players,
            clock,
            moves,
            comments,
            check,
            checked,
        })
    }
}

fn in_field(field: &'static str, problem: Problem) -> ReadError {
    ReadError::Field { field, problem }
}

impl<G: Game> Record<G> {
    /// The whole record as a short text of characters that are allowed in links.
    pub fn to_link(&self) -> String {
        let setup = match &self.start {
            Start::Setup(setup) => setup_text(setup),
            Start::Position(position) => {
                format!("{POSITION_PREFIX}{}", BASE64.encode(position.to_string()))
            }
        };
        let players = if self.players == ByPlayer::default() {
            String::new()
        } else {
            BASE64.encode(format!("{}\n{}", self.players.first, self.players.second))
        };
        let clock = self.time_control.map(clock_text);
        let (bits, comments) = self.move_bits();
        let mut checked = [
            FORM,
            G::NAME,
            &G::RULES_VERSION.to_string(),
            &setup,
            &players,
            &clock.unwrap_or_default(),
            &BASE64.encode(bits),
        ]
        .join(".");
        if !comments.is_empty() {
            checked = format!("{checked}.{}", BASE64.encode(comments));
        }
        format!("{checked}.{}", check(&checked))
    }

    /// Parses a link made by [`to_link`](Self::to_link).
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`], with the field named, if anything is wrong.
    pub fn from_link(link: &str) -> Result<Self, ReadError> {
        let fields = Fields::split(link)?;
        check_game::<G>(fields.game).map_err(|problem| in_field("game", problem))?;
        check_rules::<G>(fields.rules).map_err(|problem| in_field("rules", problem))?;
        let mut record = read_setup(fields.setup).map_err(|problem| in_field("setup", problem))?;
        read_players(fields.players, &mut record)
            .map_err(|problem| in_field("players", problem))?;
        if !fields.clock.is_empty() {
            let time_control = read_clock(fields.clock);
            record.time_control = Some(time_control.map_err(|problem| in_field("clock", problem))?);
        }
        let bytes = decode(fields.moves).map_err(|problem| in_field("moves", problem))?;
        let ids = record
            .read_move_bits(&bytes)
            .map_err(|problem| in_field("moves", problem))?;
        record
            .read_comments(fields.comments, &ids)
            .map_err(|problem| in_field("comments", problem))?;
        record.go_to_end();
        // Other errors were reported above by name; the checksum finds the rest.
        if fields.check != check(fields.checked) {
            return Err(in_field("check", Problem::Damaged));
        }
        Ok(record)
    }

    /// The tree of moves, each line before its variations, and a line for every comment
    /// with the number of its node in that order.
    fn move_bits(&self) -> (Vec<u8>, String) {
        let mut comments = String::new();
        let mut n_nodes = 0;
        let mut bits = BitWriter::default();
        let has_notes = self.tree.nodes().any(Node::has_notes);
        bits.write(u64::from(has_notes), 1);
        let mut ids = vec![NodeId::ROOT];
        while let Some(id) = ids.pop() {
            let node = &self.tree[id];
            if let (Some(m), Some(parent)) = (node.m, node.parent) {
                let moves = self.tree[parent].position.legal_moves();
                let number = moves.iter().position(|&other| other == m);
                let number = number.expect("the record holds legal moves only");
                bits.write(number as u64, width(moves.len()));
            }
            bits.write_gamma(shape(node.main.is_some(), node.variations.len()));
            if has_notes {
                write_notes(node, &mut bits);
            }
            if !node.comment.is_empty() {
                comments += &format!("{n_nodes} {}\n", node.comment);
            }
            n_nodes += 1;
            ids.extend(node.variations.iter().rev());
            ids.extend(node.main);
        }
        (bits.into_bytes(), comments)
    }

    /// Reads the tree of moves, and returns its nodes in the order of
    /// [`move_bits`](Self::move_bits).
    fn read_move_bits(&mut self, bytes: &[u8]) -> Result<Vec<NodeId>, Problem> {
        let mut bits = BitReader::new(bytes);
        let has_notes = bits.read(1)? == 1;
        let mut branches = Vec::new();
        let root = Place {
            id: NodeId::ROOT,
            is_on_main_line: true,
        };
        self.read_node(root, has_notes, &mut bits, &mut branches)?;
        let mut ids = vec![NodeId::ROOT];
        while let Some(branch) = branches.pop() {
            let parent = branch.parent.id;
            let moves = self.tree[parent].position.legal_moves();
            let number = bits.read(width(moves.len()))?;
            let m = *moves.get(number as usize).ok_or(Problem::Damaged)?;
            if self.tree.find_child(parent, m).is_some() {
                return Err(Problem::Twice(m.to_string()));
            }
            let id = self.tree.add(parent, m);
            let id = id.map_err(|_| Problem::IllegalMove(m.to_string()))?;
            ids.push(id);
            if branch.is_main {
                self.tree.promote(id);
            }
            let place = Place {
                id,
                is_on_main_line: branch.is_main && branch.parent.is_on_main_line,
            };
            self.read_node(place, has_notes, &mut bits, &mut branches)?;
        }
        bits.finish()?;
        self.tree.check_take_backs()?;
        Ok(ids)
    }

    /// Reads the comments of the nodes `ids`, which are in the order of the link.
    fn read_comments(&mut self, field: &str, ids: &[NodeId]) -> Result<(), Problem> {
        let text = String::from_utf8(decode(field)?).map_err(|_| Problem::Damaged)?;
        let mut least = 0;
        for line in text.lines() {
            let (number, comment) = line.split_once(' ').ok_or(Problem::Damaged)?;
            let number = parse_decimal::<usize>(number).filter(|&number| number >= least);
            let id = number.and_then(|number| ids.get(number));
            let node = &mut self.tree[*id.ok_or(Problem::Damaged)?];
            node.set_comment(comment);
            if node.comment != comment || comment.is_empty() {
                return Err(Problem::Damaged);
            }
            least = number.map_or(0, |number| number + 1);
        }
        Ok(())
    }

    /// Reads the shape, the controls and the clock of a node.
    fn read_node(
        &mut self,
        place: Place,
        has_notes: bool,
        bits: &mut BitReader<'_>,
        branches: &mut Vec<Branch>,
    ) -> Result<(), Problem> {
        let Place {
            id,
            is_on_main_line,
        } = place;
        let (has_main, n_variations) = from_shape(bits.read_gamma()?);
        let n_children = n_variations.saturating_add(usize::from(has_main));
        if n_children > self.tree[id].position.n_legal_moves() {
            return Err(Problem::Damaged);
        }
        if has_notes {
            self.read_notes(id, bits)?;
        }
        if has_main
            && is_on_main_line
            && let Some(ending) = self.tree[id].ending()
        {
            return Err(Problem::Over(ending));
        }
        // The branch pushed last is read first.
        let branch = |is_main| Branch {
            parent: place,
            is_main,
        };
        branches.extend((0..n_variations).map(|_| branch(false)));
        branches.extend(has_main.then(|| branch(true)));
        Ok(())
    }

    fn read_notes(&mut self, id: NodeId, bits: &mut BitReader<'_>) -> Result<(), Problem> {
        if bits.read(1)? == 1 {
            let n_digits = bits.read(TIME_DIGITS)? as u32;
            if n_digits > u64::BITS || self.tree[id].m.is_none() {
                return Err(Problem::Damaged);
            }
            self.tree[id].time_left = Some(bits.read(n_digits)?);
        }
        for _ in 1..bits.read_gamma()? {
            let number = bits.read(CONTROL_DIGITS)? as usize;
            let control = *CONTROLS.get(number).ok_or(Problem::Damaged)?;
            self.tree.add_control(id, control)?;
        }
        Ok(())
    }
}

/// A node that was read.
#[derive(Clone, Copy)]
struct Place {
    id: NodeId,
    is_on_main_line: bool,
}

/// A node that is still to be read.
struct Branch {
    parent: Place,
    is_main: bool,
}

/// The number of bits for the length of a time.
const TIME_DIGITS: u32 = 7;

/// The number of bits for one of [`CONTROLS`].
const CONTROL_DIGITS: u32 = 3;

fn write_notes<G: Game>(node: &Node<G>, bits: &mut BitWriter) {
    bits.write(u64::from(node.time_left.is_some()), 1);
    if let Some(time) = node.time_left {
        let n_digits = u64::BITS - time.leading_zeros();
        bits.write(u64::from(n_digits), TIME_DIGITS);
        bits.write(time, n_digits);
    }
    bits.write_gamma(node.controls.len() as u64 + 1);
    for control in &node.controls {
        let number = CONTROLS.iter().position(|other| other == control);
        let number = number.expect("the list has every control");
        bits.write(number as u64, CONTROL_DIGITS);
    }
}

/// The number of bits for one of `n` values.
fn width(n: usize) -> u32 {
    usize::BITS - n.saturating_sub(1).leading_zeros()
}

/// The children of a node as one number: 1 for a line that goes on without
/// variations, 2 for the end of a line.
fn shape(has_main: bool, n_variations: usize) -> u64 {
    match (has_main, n_variations) {
        (true, 0) => 1,
        (false, 0) => 2,
        (_, n) => 1 + 2 * n as u64 + u64::from(has_main),
    }
}

/// The inverse of [`shape`].
fn from_shape(shape: u64) -> (bool, usize) {
    match shape {
        1 => (true, 0),
        2 => (false, 0),
        _ => (shape.is_multiple_of(2), ((shape - 1) / 2) as usize),
    }
}

/// The options that differ from their defaults, such as `board-42`.
fn setup_text<S: MatchSetup>(setup: &S) -> String {
    let choices = setup.chosen();
    let choices = choices.iter();
    let texts: Vec<_> = choices
        .map(|(name, value)| format!("{name}-{value}"))
        .collect();
    texts.join("~")
}

fn read_setup<G: Game>(text: &str) -> Result<Record<G>, Problem> {
    if let Some(encoded) = text.strip_prefix(POSITION_PREFIX) {
        let position = String::from_utf8(decode(encoded)?).map_err(|_| Problem::Damaged)?;
        let position = position.parse::<G>();
        let position = position.map_err(|e| Problem::Position(e.to_string()))?;
        return Ok(Record::from_position(position));
    }
    let mut setup = G::Setup::default();
    for choice in text.split('~').filter(|choice| !choice.is_empty()) {
        let (name, value) = choice
            .split_once('-')
            .ok_or(Problem::Expected("choices such as board-42"))?;
        setup.set(name, value)?;
    }
    if setup_text(&setup) != text {
        return Err(Problem::Expected("every choice once, in order"));
    }
    Ok(Record::new(setup)?)
}

/// The time control, such as `300000-5000` or `30000~turn`: other signs are not safe in
/// links.
fn clock_text(time_control: TimeControl) -> String {
    let text = time_control.to_string();
    text.replace('+', "-").replace('/', "~")
}

fn read_clock(text: &str) -> Result<TimeControl, Problem> {
    let time_control = text.replacen('-', "+", 1).replacen('~', "/", 1);
    Ok(time_control.parse::<TimeControl>()?)
}

fn read_players<G: Game>(text: &str, record: &mut Record<G>) -> Result<(), Problem> {
    if text.is_empty() {
        return Ok(());
    }
    let names = String::from_utf8(decode(text)?).map_err(|_| Problem::Damaged)?;
    let (first, second) = names.split_once('\n').ok_or(Problem::Damaged)?;
    record.set_player_name(Player::First, first);
    record.set_player_name(Player::Second, second);
    Ok(())
}

fn decode(text: &str) -> Result<Vec<u8>, Problem> {
    BASE64.decode(text).map_err(|_| Problem::Damaged)
}

/// A checksum of four characters.
fn check(text: &str) -> String {
    let sum = text
        .bytes()
        .fold(0, |sum, byte| mix(sum ^ u64::from(byte)).rotate_left(8));
    BASE64.encode(&mix(sum).to_le_bytes()[..3])
}

#[cfg(test)]
mod tests {
    use super::{BASE64, BitWriter, Record, check, shape, width};
    use crate::{
        Game, Player,
        walk::{Step, Walk},
    };
    use base64::Engine;

    /// A link with these moves and a valid checksum.
    fn sealed(bits: BitWriter) -> String {
        let moves = BASE64.encode(bits.into_bytes());
        let checked = format!("1.walk.{}....{moves}", Walk::RULES_VERSION);
        format!("{checked}.{}", check(&checked))
    }

    #[track_caller]
    fn refuses(bits: BitWriter, reason: &str) {
        let error = Record::<Walk>::from_link(&sealed(bits)).unwrap_err();
        assert_eq!(error.to_string(), format!("link field \"moves\": {reason}"));
    }

    /// Writes a node: the index of its move in a list of this length, and its shape.
    fn node(bits: &mut BitWriter, m: Option<(u64, usize)>, has_main: bool, n_variations: usize) {
        if let Some((number, n_moves)) = m {
            bits.write(number, width(n_moves));
        }
        bits.write_gamma(shape(has_main, n_variations));
    }

    #[test]
    fn a_sealed_link_is_read() {
        let mut bits = BitWriter::default();
        bits.write(0, 1);
        node(&mut bits, None, true, 0);
        node(&mut bits, Some((1, 2)), false, 0);
        let record = Record::<Walk>::from_link(&sealed(bits)).unwrap();
        assert_eq!(record.moves(), [Step::Right]);
    }

    #[test]
    fn what_no_match_can_hold_is_refused_even_if_sealed() {
        let mut twice = BitWriter::default();
        twice.write(0, 1);
        node(&mut twice, None, false, 2);
        node(&mut twice, Some((1, 2)), false, 0);
        node(&mut twice, Some((1, 2)), false, 0);
        refuses(twice, "right is recorded twice here");

        let mut too_many = BitWriter::default();
        too_many.write(0, 1);
        node(&mut too_many, None, false, 3);
        refuses(too_many, "the link is damaged");

        let mut no_move = BitWriter::default();
        no_move.write(0, 1);
        node(&mut no_move, None, true, 0);
        node(&mut no_move, Some((0, 2)), true, 0);
        node(&mut no_move, Some((3, 3)), false, 0);
        refuses(no_move, "the link is damaged");

        // The first player resigns, and then moves.
        let mut after_the_end = BitWriter::default();
        after_the_end.write(1, 1);
        node(&mut after_the_end, None, true, 0);
        after_the_end.write(0, 1);
        after_the_end.write_gamma(2);
        after_the_end.write(2, 3);
        refuses(after_the_end, "the match is over here: p2win resignation");

        let mut nothing_taken_back = BitWriter::default();
        nothing_taken_back.write(1, 1);
        node(&mut nothing_taken_back, None, false, 0);
        nothing_taken_back.write(0, 1);
        nothing_taken_back.write_gamma(2);
        nothing_taken_back.write(Player::First as u64, 3);
        refuses(nothing_taken_back, "nothing was taken back here");
    }
}
