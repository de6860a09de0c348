//! Solves small ponds a second time, in textbook fashion: positions as sets, moves
//! as the rule sheet words them, and rounds over all positions until nothing is new.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
};

use lilypads_solver::{ExactValue, Pond, solve_pond};
use rules::{ByPlayer, Player, Random};

type Circles = BTreeSet<usize>;

/// A pond as the textbook sees it, the starts among its circles.
struct Textbook {
    edges: Vec<(usize, usize)>,
    starts: [usize; 2],
    n_circles: usize,
}

/// Whose turn it is, the mover's pieces and the other's.
type State = (usize, Circles, Circles);

enum After {
    Won,
    Goes(State),
}

impl Textbook {
    fn neighbors(&self, circle: usize) -> Circles {
        let both = self.edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        both.filter(|&(a, _)| a == circle).map(|(_, b)| b).collect()
    }

    fn moves(&self, (turn, own, other): &State) -> Vec<After> {
        let home = self.starts[*turn];
        let goal = self.starts[1 - *turn];
        let is_empty = |circle: &usize| !own.contains(circle) && !other.contains(circle);
        let mut after = Vec::new();
        let mut land = |from: Option<usize>, to: usize| {
            let mut own = own.clone();
            let mut other = other.clone();
            if let Some(from) = from {
                own.remove(&from);
            }
            own.insert(to);
            other.remove(&to);
            after.push(if to == goal {
                After::Won
            } else {
                After::Goes((1 - turn, other, own))
            });
        };
        // R9.
        if own.len() < 3 {
            for to in self.neighbors(home).into_iter().filter(is_empty) {
                land(None, to);
            }
        }
        for &from in own {
            // R10, R11, R13.
            for to in self.neighbors(from) {
                if to != home && !own.contains(&to) {
                    land(Some(from), to);
                }
            }
            // R12.
            for over in self.neighbors(from) {
                if !is_empty(&over) {
                    for to in self.neighbors(over).into_iter().filter(is_empty) {
                        if to != home {
                            land(Some(from), to);
                        }
                    }
                }
            }
        }
        // R14.
        if after.is_empty() {
            after.push(After::Goes((1 - turn, other.clone(), own.clone())));
        }
        after
    }

    fn states(&self) -> Vec<State> {
        let free: Vec<usize> = (0..self.n_circles)
            .filter(|circle| !self.starts.contains(circle))
            .collect();
        let mut sets = vec![Circles::new()];
        for circle in free {
            for index in 0..sets.len() {
                if sets[index].len() < 3 {
                    let mut set = sets[index].clone();
                    set.insert(circle);
                    sets.push(set);
                }
            }
        }
        let mut states = Vec::new();
        for own in &sets {
            for other in sets.iter().filter(|other| own.is_disjoint(other)) {
                states.extend((0..2).map(|turn| (turn, own.clone(), other.clone())));
            }
        }
        states
    }

    fn solve(&self) -> HashMap<State, ExactValue> {
        let states = self.states();
        let numbers: HashMap<&State, usize> = states
            .iter()
            .enumerate()
            .map(|(n, state)| (state, n))
            .collect();
        // None is a win at once.
        let moves: Vec<Vec<Option<usize>>> = states
            .iter()
            .map(|state| {
                let after = self.moves(state).into_iter();
                after
                    .map(|after| match after {
                        After::Won => None,
                        After::Goes(state) => Some(numbers[&state]),
                    })
                    .collect()
            })
            .collect();
        let mut values = vec![ExactValue::Draw; states.len()];
        for plies in 1.. {
            let mut next = values.clone();
            for (number, moves) in moves.iter().enumerate() {
                if values[number] != ExactValue::Draw {
                    continue;
                }
                let is_lost = |m: &Option<usize>| match m {
                    None => true,
                    Some(after) => matches!(values[*after], ExactValue::Loss(_)),
                };
                let is_won = |m: &Option<usize>| match m {
                    None => false,
                    Some(after) => matches!(values[*after], ExactValue::Win(_)),
                };
                if moves.iter().any(is_lost) {
                    next[number] = ExactValue::Win(plies);
                } else if moves.iter().all(is_won) {
                    next[number] = ExactValue::Loss(plies);
                }
            }
            if next == values {
                break;
            }
            values = next;
        }
        states.into_iter().zip(values).collect()
    }

    /// The same pond for the solver: without the starts, renumbered.
    fn pond(&self) -> (Pond, Vec<usize>) {
        let free: Vec<usize> = (0..self.n_circles)
            .filter(|circle| !self.starts.contains(circle))
            .collect();
        let set = |circles: Circles| bits(&free, &circles);
        let neighbors = free.iter().map(|&circle| set(self.neighbors(circle)));
        let near = self.starts.map(|start| set(self.neighbors(start)));
        let near_start = ByPlayer {
            first: near[0],
            second: near[1],
        };
        (Pond::new(neighbors.collect(), near_start).unwrap(), free)
    }
}

fn bits(free: &[usize], circles: &Circles) -> u32 {
    let places = free.iter().enumerate();
    let standing = places.filter(|(_, circle)| circles.contains(circle));
    standing.map(|(place, _)| 1 << place).sum()
}

/// Checks every state and returns how many are wins, draws and losses, how many
/// have to pass, and the longest win.
fn check(textbook: &Textbook) -> [usize; 5] {
    let (pond, free) = textbook.pond();
    let table = solve_pond(&pond, |_| ControlFlow::Continue(())).unwrap();
    let values = textbook.solve();
    assert_eq!(table.n_states(), values.len());
    let mut seen = [0; 5];
    for (state, &value) in &values {
        let (turn, own, other) = state;
        let player = Player::BOTH[*turn];
        let mut pieces = ByPlayer::default();
        pieces[player] = bits(&free, own);
        pieces[!player] = bits(&free, other);
        assert_eq!(
            table.value(pieces, player),
            value,
            "{state:?} {:?}",
            textbook.edges
        );
        let index = match value {
            ExactValue::Win(_) => 0,
            ExactValue::Draw => 1,
            ExactValue::Loss(_) => 2,
        };
        seen[index] += 1;
        let after = textbook.moves(state);
        if let [After::Goes((_, waiting, passing))] = &after[..]
            && (waiting, passing) == (other, own)
        {
            seen[3] += 1;
        }
        seen[4] = seen[4].max(usize::from(value.plies()));
    }
    seen
}

/// Ponds with 4 to 8 circles besides the starts, joined at random.
#[test]
fn small_ponds_agree() {
    let mut random = Random::new(1);
    let mut total = [0; 5];
    for _ in 0..60 {
        let n_circles = random.between(6, 10) as usize;
        let density = random.between(20, 60);
        let mut edges = Vec::new();
        for a in 0..n_circles {
            for b in a + 1..n_circles {
                // The starts, 0 and 1, are never neighbors.
                if (a, b) != (0, 1) && random.between(0, 99) < density {
                    edges.push((a, b));
                }
            }
        }
        let seen = check(&Textbook {
            edges,
            starts: [0, 1],
            n_circles,
        });
        for (total, seen) in total.iter_mut().zip(seen) {
            *total += seen;
        }
    }
    // Every kind of position has occurred.
    let [wins, draws, losses, passes, _] = total;
    assert!(
        [wins, draws, losses, passes].iter().all(|&n| n > 1000),
        "{total:?}"
    );
}

/// A pond like a real one: a strip of triangles.
#[test]
fn a_strip_of_triangles_agrees() {
    let n_circles = 13;
    let edges = (0..n_circles)
        .flat_map(|a| [(a, a + 1), (a, a + 2)])
        .filter(|&(_, b)| b < n_circles)
        .collect();
    let [wins, draws, losses, _, deepest] = check(&Textbook {
        edges,
        starts: [0, n_circles - 1],
        n_circles,
    });
    assert_eq!(wins + draws + losses, 2 * 24_663);
    assert!(deepest > 10, "{deepest}");
}
