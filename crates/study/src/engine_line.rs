use rules::parse_decimal;

use crate::{Evaluation, evaluation::read_score};

/// A line that an engine reports while it searches: a principal variation with its evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineLine {
    /// Its rank among the lines (`multipv`), from 1 for the best.
    pub number: usize,
    /// The search depth.
    pub depth: u32,
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The evaluation for the player to move.
    pub evaluation: Evaluation,
    /// The moves, at least one.
    pub moves: Vec<String>,
}

/// A report of an engine on an [`Inquiry`](crate::Inquiry).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opinion {
    /// What follows is found without the weights of the engine, which could not be fetched. It
    /// comes first, or not at all.
    Weightless,
    /// A line.
    Line(EngineLine),
    /// There are no more lines.
    Done,
    /// There will be no answer.
    Failed,
}

impl Opinion {
    /// Whether nothing follows it.
    #[must_use]
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Done | Self::Failed)
    }
}

impl EngineLine {
    /// Parses `info depth … multipv … score … nodes … pv …`. A score of `draw` is proven only if
    /// `is_exact`: a search also reports it for lines that it did not search to their ends.
    #[must_use]
    pub fn read(line: &str, is_exact: bool) -> Option<Self> {
        let mut words = line.strip_prefix("info ")?.split(' ');
        let (mut depth, mut number, mut nodes) = (None, 1, 0);
        let mut evaluation = None;
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next().and_then(parse_decimal),
                "multipv" => number = words.next().and_then(parse_decimal)?,
                "nodes" => nodes = words.next().and_then(parse_decimal)?,
                "score" => {
                    let kind = words.next()?;
                    evaluation = Some(match kind {
                        "win" => Evaluation::Win(parse_decimal(words.next()?)?),
                        "loss" => Evaluation::Loss(parse_decimal(words.next()?)?),
                        "draw" if is_exact => Evaluation::Draw,
                        "draw" => Evaluation::Score {
                            score: 0,
                            depth: depth?,
                        },
                        "cp" => Evaluation::Score {
                            score: read_score(words.next()?)?,
                            depth: depth?,
                        },
                        _ => return None,
                    });
                }
                "pv" => break,
                _ => {}
            }
        }
        let moves: Vec<_> = words.map(str::to_owned).collect();
        let is_sound = number > 0 && !moves.is_empty();
        Some(Self {
            number,
            depth: depth?,
            nodes,
            evaluation: evaluation?,
            moves,
        })
        .filter(|_| is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::EngineLine;

    #[test]
    fn lines_of_the_protocol_are_read() {
        let read = |line| EngineLine::read(line, false);
        let line = read("info depth 5 multipv 2 score cp -31 nodes 99 nps 1 time 0 pv a1 b2");
        let line = line.unwrap();
        assert_eq!((line.number, line.depth, line.nodes), (2, 5, 99));
        assert_eq!(line.evaluation.to_string(), "s-31@5");
        assert_eq!(line.moves, ["a1", "b2"]);
        let line = read("info depth 1 score win 3 nodes 7 nps 9 time 2 pv @3").unwrap();
        assert_eq!((line.number, &*line.evaluation.to_string()), (1, "w3"));
        let draw = "info depth 4 score draw nodes 1 nps 1 time 0 pv @3";
        assert_eq!(read(draw).unwrap().evaluation.to_string(), "s0@4");
        let exact = EngineLine::read(draw, true).unwrap();
        assert_eq!(exact.evaluation.to_string(), "d");
        for line in [
            "info error busy",
            "info depth 4 score cp x pv a1",
            "info depth 4 score cp 1 pv",
            "info score cp 1 pv a1",
            "info depth 4 multipv 0 score cp 1 pv a1",
            "bestmove a1",
            "",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
