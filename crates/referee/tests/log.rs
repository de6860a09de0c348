//! Random matches of every game: what is decided can be applied, replaying the log gives the
//! same state, and the record has the same moves and the same end.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use protocol::{Event, MatchResult, OfferKind, OnlineControl, Seat};
use referee::{Denial, Extent, Intent, State, Terms, decide};
use rules::Random;

fn terms(game: &str, random: &mut Random) -> Terms {
    let control = match random.below(3) {
        0 => None,
        1 => Some(OnlineControl::Match {
            base_ms: 20_000,
            inc_ms: 500,
        }),
        _ => Some(OnlineControl::Days { days: 1 }),
    };
    Terms {
        control,
        ..Terms::new(game, &[])
    }
}

fn intent(state: &State, log: &[Event], now: u64, random: &mut Random) -> Intent {
    let by = if random.below(2) == 0 {
        Seat::First
    } else {
        Seat::Second
    };
    let of = state.offers().first().map_or(0, |offer| offer.of);
    match random.below(40) {
        0 => Intent::Offer {
            by,
            what: OfferKind::Draw,
        },
        1 | 2 => Intent::Offer {
            by,
            what: OfferKind::Takeback,
        },
        3 => Intent::Offer {
            by,
            what: OfferKind::Rematch,
        },
        4..=8 => Intent::Accept { by, of },
        9 => Intent::Decline { by, of },
        10 if random.below(8) == 0 => Intent::Resign { by },
        11 => Intent::Abort { by },
        12 => Intent::TimeIsUp,
        13 => Intent::Say { by, phrase: 3 },
        14 => Intent::GiveTime { to: by, ms: 100 },
        15 => Intent::Rematch {
            g: "next".to_owned(),
        },
        16 => Intent::Claim {
            by,
            result: protocol::ClaimAs::Draw,
            gone_since: Some(now / 2),
        },
        _ => {
            let mut record =
                referee::record(state.terms(), ["a", "b"], log, Extent::Whole).unwrap();
            let player = record.turn();
            let mut m = Vec::new();
            while record.ending().is_none() && record.turn() == player {
                m.push(random.pick(&record.legal_moves()).unwrap().clone());
                record.play(m.last().unwrap()).unwrap();
            }
            let by = if random.below(20) == 0 {
                by
            } else {
                player.into()
            };
            let at = state.at() - u64::from(random.below(20) == 0 && state.at() > 0);
            Intent::Turn {
                by,
                at,
                m,
                ms: 100,
                round_trip: 50,
            }
        }
    }
}

/// Shorter records lead to the same position, and have no more than they should.
fn check_shorter(state: &State, log: &[Event]) {
    let n_moves = state.n_moves();
    for extent in [Extent::MainLine, Extent::Last(3), Extent::Last(0)] {
        let record = referee::record(state.terms(), ["a", ""], log, extent).unwrap();
        assert_eq!(record.position(), state.position(), "{extent:?}");
        let read = catalog::read_file(&record.to_string()).unwrap();
        assert_eq!(read.position(), state.position(), "{extent:?}");
        let n_kept = read.moves().len();
        match extent {
            Extent::Last(n_turns) => assert!(n_kept <= 2 * n_turns, "{n_kept} of {n_moves}"),
            _ => assert_eq!(n_kept, n_moves),
        }
        assert!(!record.to_string().contains('{'), "no times");
        assert!(
            !record.to_string().contains('('),
            "nothing that was taken back"
        );
    }
}

#[test]
fn replaying_the_log_gives_the_match() {
    let mut random = Random::new(13);
    for game in catalog::GAMES {
        for _ in 0..30 {
            let terms = terms(game.name(), &mut random);
            let mut state = State::new(terms.clone(), 0).unwrap();
            let mut log: Vec<Event> = Vec::new();
            let mut times = Vec::new();
            let mut now = 0;
            for _ in 0..80 {
                now += u64::from(random.below(700));
                let intent = intent(&state, &log, now, &mut random);
                let event = match decide(&state, &intent, now) {
                    Ok(event) | Err(Denial::Late(event)) => event,
                    Err(Denial::Refused(..)) => continue,
                };
                state.apply(&event, now).unwrap();
                log.push(event);
                times.push(now);
                assert_eq!(state.version(), log.len() as u64);
            }
            let mut replayed = State::new(terms.clone(), 0).unwrap();
            for (event, time) in log.iter().zip(times) {
                let stored = Event::parse(&event.to_json()).unwrap();
                replayed.apply(&stored, time).unwrap();
            }
            assert_eq!(format!("{replayed:?}"), format!("{state:?}"));

            let mut record = referee::record(&terms, ["a", "b"], &log, Extent::Whole).unwrap();
            assert_eq!(record.position(), state.position());
            let result = record.ending().map(|ending| ending.outcome);
            assert_eq!(MatchResult::from(result), state.result());
            let text = record.to_string();
            record = game.read_file(&text).unwrap();
            assert_eq!(record.to_string(), text);
            while record.redo().is_some() {}
            assert_eq!(
                record.position(),
                state.position(),
                "the main line ends there"
            );
            check_shorter(&state, &log);
        }
    }
}
