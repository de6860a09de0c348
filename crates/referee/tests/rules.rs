//! Each rule of clocks, offers and endings by name, with a clock of paper.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use protocol::{ClaimAs, Event, MatchResult, MatchStatus, OfferKind, OnlineControl, Refusal, Seat};
use referee::{Denial, Extent, Intent, State, Terms, claim_delay, decide};

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

/// A match of Takeover at a made-up time.
struct Playing {
    state: State,
    events: Vec<Event>,
    now: u64,
}

fn minutes(base_ms: u64, inc_ms: u64) -> Option<OnlineControl> {
    Some(OnlineControl::Match { base_ms, inc_ms })
}

impl Playing {
    fn new(control: Option<OnlineControl>) -> Self {
        let terms = Terms {
            control,
            ..Terms::new("takeover", &[("board", "7")])
        };
        Self {
            state: State::new(terms, 1_000).unwrap(),
            events: Vec::new(),
            now: 1_000,
        }
    }

    /// A match in which both have made a turn, at once.
    fn begun(control: Option<OnlineControl>) -> Self {
        let mut playing = Self::new(control);
        playing.turn(FIRST, 0);
        playing.turn(SECOND, 0);
        playing
    }

    /// Decides, and applies what was decided.
    fn act(&mut self, intent: &Intent) -> Result<Event, Refusal> {
        match decide(&self.state, intent, self.now) {
            Ok(event) => {
                self.state.apply(&event, self.now).unwrap();
                self.events.push(event.clone());
                Ok(event)
            }
            Err(Denial::Late(event)) => {
                self.state.apply(&event, self.now).unwrap();
                self.events.push(event);
                Err(Refusal::Over)
            }
            Err(Denial::Refused(why, _)) => Err(why),
        }
    }

    /// The versions of the open offers.
    fn offers(&self) -> Vec<u64> {
        self.state.offers().iter().map(|offer| offer.of).collect()
    }

    /// Makes the first legal turn after `ms` milliseconds, none of which is the network's.
    fn turn(&mut self, by: Seat, ms: u64) {
        self.now += ms;
        let turn = self.legal_turn(by, ms, 0);
        self.act(&turn).unwrap();
    }

    fn legal_turn(&self, by: Seat, ms: u64, round_trip: u64) -> Intent {
        let record =
            referee::record(self.state.terms(), ["", ""], &self.events, Extent::MainLine).unwrap();
        let m = vec![record.legal_moves()[0].clone()];
        let at = self.state.at();
        Intent::Turn {
            by,
            at,
            m,
            ms,
            round_trip,
        }
    }

    fn offer(&mut self, by: Seat, what: OfferKind) -> u64 {
        self.act(&Intent::Offer { by, what }).unwrap();
        self.state.version()
    }

    fn left(&self, seat: Seat) -> u64 {
        let clock = self.state.clock(self.now).unwrap();
        match seat {
            FIRST => clock.first,
            SECOND => clock.second,
        }
    }
}

#[test]
fn a_turn_of_the_wrong_player_is_refused() {
    let mut playing = Playing::new(None);
    let turn = playing.legal_turn(SECOND, 0, 0);
    assert_eq!(playing.act(&turn), Err(Refusal::NotYourTurn));
}

#[test]
fn a_turn_for_another_position_is_refused() {
    let mut playing = Playing::begun(None);
    let Intent::Turn { by, m, .. } = playing.legal_turn(FIRST, 0, 0) else {
        unreachable!()
    };
    let stale = Intent::Turn {
        by,
        at: 1,
        m,
        ms: 0,
        round_trip: 0,
    };
    assert_eq!(playing.act(&stale), Err(Refusal::Stale));
}

#[test]
fn an_illegal_turn_is_refused() {
    let mut playing = Playing::new(None);
    for m in [vec!["z9"], vec!["pass"], vec![], vec!["b1", "b1"]] {
        let m = m.into_iter().map(str::to_owned).collect();
        let turn = Intent::Turn {
            by: FIRST,
            at: 0,
            m,
            ms: 0,
            round_trip: 0,
        };
        assert_eq!(playing.act(&turn), Err(Refusal::Illegal));
    }
    assert_eq!(playing.state.version(), 0);
}

#[test]
fn clocks_start_once_both_have_moved() {
    let mut playing = Playing::new(minutes(60_000, 1_000));
    playing.turn(FIRST, 20_000);
    playing.turn(SECOND, 20_000);
    assert_eq!(
        (playing.left(FIRST), playing.left(SECOND)),
        (60_000, 60_000)
    );
    let clock = playing.state.clock(playing.now + 5_000).unwrap();
    assert_eq!((clock.first, clock.running), (55_000, Some(FIRST)));
}

#[test]
fn a_turn_costs_its_time_and_gains_the_increment() {
    let mut playing = Playing::begun(minutes(60_000, 1_000));
    playing.turn(FIRST, 10_000);
    assert_eq!(playing.left(FIRST), 51_000);
    playing.turn(SECOND, 500);
    assert_eq!(playing.left(SECOND), 60_500);
}

#[test]
fn days_are_for_every_turn_and_run_from_the_start() {
    const DAY: u64 = 24 * 60 * 60 * 1000;
    let mut playing = Playing::new(Some(OnlineControl::Days { days: 3 }));
    assert_eq!(playing.state.clock(1_000).unwrap().running, Some(FIRST));
    playing.turn(FIRST, 2 * DAY);
    playing.turn(SECOND, 2 * DAY);
    assert_eq!(playing.left(FIRST), 3 * DAY);
    playing.now += 3 * DAY + 2_000;
    assert_eq!(
        playing.act(&Intent::TimeIsUp),
        Ok(Event::Timeout { by: FIRST })
    );
}

#[test]
fn the_network_s_time_is_not_the_player_s() {
    let mut playing = Playing::begun(minutes(60_000, 0));
    // The page thought for 700 ms, and a message takes 200 ms to and fro.
    playing.now += 1_000;
    let turn = playing.legal_turn(FIRST, 700, 200);
    playing.act(&turn).unwrap();
    assert_eq!(playing.left(FIRST), 60_000 - 800);
}

#[test]
fn no_more_is_credited_than_the_round_trip_and_the_quota() {
    let mut playing = Playing::begun(minutes(60_000, 0));
    // A page that says it thought for no time at all, over a line that takes 10 s.
    playing.now += 5_000;
    let turn = playing.legal_turn(FIRST, 0, 10_000);
    playing.act(&turn).unwrap();
    assert_eq!(playing.left(FIRST), 60_000 - 4_000, "the quota is 1 s");
    playing.turn(SECOND, 0);
    playing.now += 5_000;
    let turn = playing.legal_turn(FIRST, 0, 10_000);
    playing.act(&turn).unwrap();
    assert_eq!(
        playing.left(FIRST),
        60_000 - 4_000 - 4_800,
        "200 ms came back"
    );
}

#[test]
fn time_that_ran_out_ends_the_match() {
    let mut playing = Playing::begun(minutes(10_000, 0));
    playing.now += 11_000;
    assert_eq!(
        playing.act(&Intent::TimeIsUp),
        Err(Refusal::NotNow),
        "1 s is the network's"
    );
    playing.now += 1;
    assert_eq!(
        playing.act(&Intent::TimeIsUp),
        Ok(Event::Timeout { by: FIRST })
    );
    assert_eq!(playing.state.result(), MatchResult::Second);
    assert_eq!(playing.left(FIRST), 0);
}

#[test]
fn a_turn_that_comes_too_late_ends_the_match() {
    let mut playing = Playing::begun(minutes(10_000, 0));
    playing.now += 10_500;
    let turn = playing.legal_turn(FIRST, 10_500, 100);
    assert_eq!(playing.act(&turn), Err(Refusal::Over));
    assert_eq!(playing.state.result(), MatchResult::Second);
}

#[test]
fn a_match_without_a_first_turn_is_aborted() {
    let mut playing = Playing::new(minutes(10_000, 0));
    assert_eq!(playing.state.abort_at(), Some(playing.now + 30_000));
    playing.turn(FIRST, 29_000);
    assert_eq!(playing.state.abort_at(), Some(playing.now + 30_000));
    playing.now += 30_001;
    assert_eq!(
        playing.act(&Intent::TimeIsUp),
        Ok(Event::Abort { by: None })
    );
    assert_eq!(playing.state.status(), MatchStatus::Aborted);
    assert_eq!(playing.state.result(), MatchResult::None);
    assert_eq!(playing.state.abort_at(), None);
    // Days count from the start, and the clocks run once both have moved.
    let days = Playing::new(Some(OnlineControl::Days { days: 1 }));
    assert_eq!(days.state.abort_at(), None);
    let begun = Playing::begun(minutes(10_000, 0));
    assert_eq!(begun.state.abort_at(), None);
}

#[test]
fn a_match_without_clocks_waits_for_ever() {
    let mut playing = Playing::new(None);
    playing.now += 1 << 40;
    assert_eq!(playing.state.deadline(), None);
    assert_eq!(playing.act(&Intent::TimeIsUp), Err(Refusal::NotNow));
}

#[test]
fn time_lost_by_our_fault_comes_back() {
    let mut playing = Playing::begun(minutes(10_000, 0));
    playing.now += 9_000;
    playing
        .act(&Intent::GiveTime {
            to: FIRST,
            ms: 8_000,
        })
        .unwrap();
    assert_eq!(playing.left(FIRST), 9_000);
}

#[test]
fn enough_is_said_between_two_turns() {
    let mut playing = Playing::begun(None);
    let say = Intent::Say {
        by: FIRST,
        phrase: 3,
    };
    let draw = Intent::Offer {
        by: FIRST,
        what: OfferKind::Draw,
    };
    for _ in 0..15 {
        playing.act(&say).unwrap();
        playing.act(&draw).unwrap();
        let of = playing.state.version();
        playing.act(&Intent::Decline { by: FIRST, of }).unwrap();
    }
    assert_eq!(playing.act(&say), Err(Refusal::SlowDown));
    assert_eq!(playing.act(&draw), Err(Refusal::SlowDown));
    playing.turn(FIRST, 0);
    playing.act(&say).unwrap();
}

#[test]
fn time_given_before_the_clocks_run_is_for_the_first_turn() {
    let mut playing = Playing::new(minutes(10_000, 0));
    let deadline = playing.state.deadline().unwrap();
    playing
        .act(&Intent::GiveTime {
            to: FIRST,
            ms: 8_000,
        })
        .unwrap();
    assert_eq!(playing.state.deadline(), Some(deadline + 8_000));
    assert_eq!(playing.left(FIRST), 10_000);
}

#[test]
fn a_match_can_be_aborted_until_both_have_moved() {
    let mut playing = Playing::new(None);
    playing.turn(FIRST, 0);
    let abort = Intent::Abort { by: SECOND };
    assert_eq!(
        decide(&playing.state, &abort, 0),
        Ok(Event::Abort { by: Some(SECOND) })
    );
    playing.turn(SECOND, 0);
    assert_eq!(playing.act(&abort), Err(Refusal::NotNow));
}

#[test]
fn who_resigns_loses() {
    let mut playing = Playing::begun(None);
    playing.act(&Intent::Resign { by: SECOND }).unwrap();
    assert_eq!(playing.state.result(), MatchResult::First);
    let turn = playing.legal_turn(FIRST, 0, 0);
    assert_eq!(playing.act(&turn), Err(Refusal::Over));
    assert_eq!(
        playing.act(&Intent::Resign { by: FIRST }),
        Err(Refusal::Over)
    );
}

#[test]
fn accepting_names_the_version_of_the_offer() {
    let mut playing = Playing::begun(None);
    let draw = playing.offer(FIRST, OfferKind::Draw);
    // The prompt was swapped for another one before the click.
    playing
        .act(&Intent::Decline {
            by: FIRST,
            of: draw,
        })
        .unwrap();
    playing.offer(FIRST, OfferKind::Takeback);
    assert_eq!(
        playing.act(&Intent::Accept {
            by: SECOND,
            of: draw
        }),
        Err(Refusal::Unknown)
    );
    assert_eq!(playing.state.result(), MatchResult::None);
}

#[test]
fn nobody_accepts_their_own_offer() {
    let mut playing = Playing::begun(None);
    let of = playing.offer(FIRST, OfferKind::Draw);
    assert_eq!(
        playing.act(&Intent::Accept { by: FIRST, of }),
        Err(Refusal::Unknown)
    );
    assert_eq!(
        playing.act(&Intent::Accept { by: SECOND, of }),
        Ok(Event::Draw)
    );
    assert_eq!(playing.state.result(), MatchResult::Draw);
}

#[test]
fn two_who_offer_a_draw_agree() {
    let mut playing = Playing::begun(None);
    playing.offer(FIRST, OfferKind::Draw);
    let draw = Intent::Offer {
        by: SECOND,
        what: OfferKind::Draw,
    };
    assert_eq!(playing.act(&draw), Ok(Event::Draw));
}

#[test]
fn a_declined_offer_leaves_that_of_the_other_player() {
    let mut playing = Playing::begun(None);
    let own = playing.offer(FIRST, OfferKind::Takeback);
    let other = playing.offer(SECOND, OfferKind::Takeback);
    playing
        .act(&Intent::Decline {
            by: FIRST,
            of: other,
        })
        .unwrap();
    assert_eq!(playing.offers(), [own]);
    assert!(
        playing
            .act(&Intent::Accept {
                by: SECOND,
                of: own
            })
            .is_ok()
    );
}

#[test]
fn withdrawing_the_own_offer_declines_no_other() {
    let mut playing = Playing::begun(None);
    let own = playing.offer(FIRST, OfferKind::Takeback);
    let other = playing.offer(SECOND, OfferKind::Takeback);
    playing
        .act(&Intent::Decline { by: FIRST, of: own })
        .unwrap();
    assert_eq!(playing.offers(), [other]);
}

#[test]
fn an_offer_lapses_with_a_turn() {
    let mut playing = Playing::begun(None);
    let of = playing.offer(SECOND, OfferKind::Draw);
    playing.turn(FIRST, 0);
    assert_eq!(
        playing.act(&Intent::Accept { by: FIRST, of }),
        Err(Refusal::Unknown)
    );
}

#[test]
fn a_declined_offer_is_not_repeated_in_the_same_position() {
    let mut playing = Playing::begun(None);
    let of = playing.offer(FIRST, OfferKind::Draw);
    playing.act(&Intent::Decline { by: SECOND, of }).unwrap();
    let again = Intent::Offer {
        by: FIRST,
        what: OfferKind::Draw,
    };
    assert_eq!(playing.act(&again), Err(Refusal::NotNow));
    playing.turn(FIRST, 0);
    assert!(playing.act(&again).is_ok());
}

#[test]
fn a_take_back_takes_the_last_turn_of_who_asked() {
    let mut playing = Playing::begun(None);
    let position = playing.state.position();
    playing.turn(FIRST, 0);
    playing.turn(SECOND, 0);
    let of = playing.offer(FIRST, OfferKind::Takeback);
    let accepted = playing.act(&Intent::Accept { by: SECOND, of });
    assert_eq!(accepted, Ok(Event::Takeback { by: FIRST, n: 2 }));
    assert_eq!(
        (playing.state.position(), playing.state.turn()),
        (position, FIRST)
    );
    assert_eq!(playing.state.at(), playing.state.version());
}

#[test]
fn there_is_nothing_to_take_back_before_the_first_turn() {
    let mut playing = Playing::new(None);
    playing.turn(FIRST, 0);
    let offer = Intent::Offer {
        by: SECOND,
        what: OfferKind::Takeback,
    };
    assert_eq!(playing.act(&offer), Err(Refusal::NotNow));
}

#[test]
fn a_rematch_is_for_after_the_end() {
    let mut playing = Playing::begun(None);
    let offer = Intent::Offer {
        by: FIRST,
        what: OfferKind::Rematch,
    };
    assert_eq!(playing.act(&offer), Err(Refusal::NotNow));
    playing.act(&Intent::Resign { by: FIRST }).unwrap();
    assert!(playing.act(&offer).is_ok());
    let next = Intent::Rematch { g: "k4".to_owned() };
    playing.act(&next).unwrap();
    assert_eq!(playing.state.rematch(), Some("k4"));
    assert_eq!(playing.act(&next), Err(Refusal::NotNow));
}

#[test]
fn a_match_is_claimed_when_the_other_is_long_gone() {
    let mut playing = Playing::begun(minutes(180_000, 2_000));
    let claim = |gone_since| Intent::Claim {
        by: FIRST,
        result: ClaimAs::Win,
        gone_since,
    };
    assert_eq!(playing.act(&claim(None)), Err(Refusal::NotNow));
    // A tenth of three minutes and 40 times two seconds.
    let gone = playing.now;
    playing.now += 25_999;
    assert_eq!(playing.act(&claim(Some(gone))), Err(Refusal::NotNow));
    playing.now += 1;
    assert!(playing.act(&claim(Some(gone))).is_ok());
    assert_eq!(playing.state.result(), MatchResult::First);
}

#[test]
fn a_claim_waits_from_15_to_120_seconds() {
    assert_eq!(claim_delay(minutes(60_000, 0)), Some(15_000));
    assert_eq!(claim_delay(minutes(10_800_000, 0)), Some(120_000));
    assert_eq!(claim_delay(None), Some(120_000), "without a clock");
    assert_eq!(claim_delay(Some(OnlineControl::Days { days: 1 })), None);
}

#[test]
fn phrases_can_be_said_after_the_end() {
    let mut playing = Playing::begun(None);
    playing.act(&Intent::Resign { by: FIRST }).unwrap();
    assert!(
        playing
            .act(&Intent::Say {
                by: SECOND,
                phrase: 11
            })
            .is_ok()
    );
    assert_eq!(
        playing.act(&Intent::Say {
            by: SECOND,
            phrase: 12
        }),
        Err(Refusal::Unknown)
    );
}
