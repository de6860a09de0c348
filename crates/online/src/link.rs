use rules::Random;

/// The time between two pings, in milliseconds.
const PING: u64 = 1_000;

/// The silence after which the connection counts as lost, in milliseconds.
const SILENCE: u64 = 3_000;

/// The silence after which a new socket is opened, in milliseconds.
const DEAD: u64 = 6_000;

/// The longest pause before the first retry.
const FIRST_PAUSE: u64 = 250;

/// The longest pause before a retry.
const LONGEST_PAUSE: u64 = 5_000;

/// A node that leaves this soon after a socket opened is most likely the one that was left before:
/// there is no other.
const JUST_OPENED: u64 = 2_000;

/// The shortest pause before such a node is left again, and how much longer it can be.
const STAY: u64 = 1_000;
const STAY_LONGER: u32 = 1_000;

/// After this many failed attempts in a row the state is [`Connection::Offline`].
const MANY_FAILURES: u32 = 6;

/// The connection to a server: when to ping, when to give a socket up, when to try again.
#[derive(Clone, Debug)]
pub struct Link {
    random: Random,
    socket: Socket,
    /// When the socket opened.
    opened: u64,
    /// When to look for another node, because the one at the other end is leaving.
    move_at: Option<u64>,
    /// When the server was last heard.
    heard: u64,
    /// When the first ping was sent that the server has not answered.
    pinged: Option<u64>,
    /// When the last ping was sent.
    last_ping: u64,
    n_pings: u64,
    /// How many tries failed since the server was last heard.
    n_failures: u32,
    /// Whether the network is known to be gone.
    is_offline: bool,
    /// The state that was reported last.
    is_connected: bool,
    /// Whether the node at the other end is leaving, and the next socket is awaited.
    is_moving: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Socket {
    /// No connection is wanted.
    Unwanted,
    /// It is being opened since then.
    Opening(u64),
    Open,
    /// There is none until then.
    Waiting(u64),
}

/// The state of the connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Connection {
    /// The server answers.
    Connected,
    /// The server does not answer; retrying.
    Reconnecting,
    /// There is no network, or the server can't be reached; still retrying.
    Offline,
}

impl Connection {
    /// Its name in the page's test hooks.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Connected => "connected",
            Self::Reconnecting => "reconnecting",
            Self::Offline => "offline",
        }
    }
}

/// An input of a [`Link`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkEvent {
    /// A connection is wanted.
    Start,
    /// No connection is wanted any more.
    Stop,
    /// The socket that was opened last is open, and the server said so.
    Opened,
    /// The socket that was opened last is closed, or can't be opened.
    Closed,
    /// The server said something.
    Heard,
    /// The server said that it is leaving.
    Leaving,
    /// Time has passed.
    Tick,
    /// The device has a network again, or somebody looks at the page again.
    Nudge,
    /// The device has no network.
    NetworkLost,
}

/// A side effect of a [`Link`] that the driver carries out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkEffect {
    /// Open a socket. One that is open is closed once the new one is.
    Open,
    /// Close all sockets.
    Close,
    /// Send a ping with this number.
    Ping(u64),
    /// The connection is there, for the first time or again.
    Connected,
    /// The connection is lost.
    Lost,
}

impl Link {
    /// A connection that nobody wants yet. Pauses come from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            socket: Socket::Unwanted,
            opened: 0,
            move_at: None,
            heard: 0,
            pinged: None,
            last_ping: 0,
            n_pings: 0,
            n_failures: 0,
            is_offline: false,
            is_connected: false,
            is_moving: false,
        }
    }

    /// The state of the connection.
    #[must_use]
    pub fn connection(&self) -> Connection {
        if self.is_connected {
            Connection::Connected
        } else if self.is_offline || self.n_failures >= MANY_FAILURES {
            Connection::Offline
        } else {
            Connection::Reconnecting
        }
    }

    /// How long the server has been silent, in milliseconds, while it should not be.
    #[must_use]
    pub fn silence(&self, now: u64) -> u64 {
        if self.is_connected {
            return 0;
        }
        now.saturating_sub(self.heard)
    }

    /// Takes in what happened at `now`, in milliseconds of any clock that does not go back.
    pub fn update(&mut self, event: LinkEvent, now: u64) -> Vec<LinkEffect> {
        let mut effects = Vec::new();
        match event {
            LinkEvent::Start => {
                if self.socket == Socket::Unwanted {
                    self.heard = now;
                    self.open(now, &mut effects);
                }
            }
            LinkEvent::Stop => {
                self.socket = Socket::Unwanted;
                self.move_at = None;
                self.pinged = None;
                self.lose(&mut effects);
                effects.push(LinkEffect::Close);
            }
            LinkEvent::Opened if self.socket != Socket::Unwanted => {
                self.socket = Socket::Open;
                self.opened = now;
                self.move_at = None;
                self.pinged = None;
                self.last_ping = now;
                self.is_moving = false;
                // Whoever follows a match joins it on the new socket.
                self.is_connected = false;
                self.hear(now, &mut effects);
            }
            LinkEvent::Closed => {
                if matches!(self.socket, Socket::Open | Socket::Opening(_)) {
                    self.fail(now, &mut effects);
                }
            }
            LinkEvent::Heard => {
                // The last words of a node that leaves are heard, too.
                if self.socket == Socket::Open || self.is_moving {
                    self.hear(now, &mut effects);
                }
            }
            LinkEvent::Leaving => {
                if self.socket != Socket::Open || self.move_at.is_some() {
                    // It is left already.
                } else if now.saturating_sub(self.opened) < JUST_OPENED {
                    // A node that leaves takes new sockets if there is no other. Its players
                    // must not all come back at once, again and again.
                    let longer = self.random.below(STAY_LONGER + 1);
                    self.move_at = Some(now + STAY + u64::from(longer));
                } else {
                    self.move_on(now, &mut effects);
                }
            }
            LinkEvent::Tick => self.tick(now, &mut effects),
            LinkEvent::Nudge => {
                self.is_offline = false;
                match self.socket {
                    Socket::Waiting(_) => {
                        self.n_failures = 0;
                        self.open(now, &mut effects);
                    }
                    // It may be dead, and a new one is faster than to wait for an answer.
                    Socket::Open if !self.is_connected => self.open(now, &mut effects),
                    Socket::Open => self.ping(now, &mut effects),
                    Socket::Opening(_) | Socket::Unwanted => {}
                }
            }
            LinkEvent::NetworkLost => {
                self.is_offline = true;
                self.lose(&mut effects);
            }
            LinkEvent::Opened => {}
        }
        effects
    }

    fn tick(&mut self, now: u64, effects: &mut Vec<LinkEffect>) {
        match self.socket {
            Socket::Unwanted => {}
            Socket::Waiting(until) if now >= until => self.open(now, effects),
            Socket::Waiting(_) => {}
            Socket::Opening(since) => {
                if now.saturating_sub(since) >= DEAD {
                    self.fail(now, effects);
                }
            }
            Socket::Open if self.move_at.is_some_and(|time| now >= time) => {
                self.move_on(now, effects);
            }
            Socket::Open => {
                if let Some(pinged) = self.pinged {
                    // Timers of hidden pages are late, so an answer is owed before the server
                    // counts as silent.
                    let silence = now.saturating_sub(self.heard);
                    let owed = now.saturating_sub(pinged);
                    if silence >= DEAD && owed >= DEAD - PING {
                        return self.open(now, effects);
                    }
                    if silence >= SILENCE && owed >= SILENCE - PING {
                        self.lose(effects);
                    }
                }
                if now.saturating_sub(self.last_ping) >= PING {
                    self.ping(now, effects);
                }
            }
        }
    }

    fn ping(&mut self, now: u64, effects: &mut Vec<LinkEffect>) {
        self.last_ping = now;
        self.pinged = self.pinged.or(Some(now));
        self.n_pings += 1;
        effects.push(LinkEffect::Ping(self.n_pings));
    }

    fn hear(&mut self, now: u64, effects: &mut Vec<LinkEffect>) {
        self.heard = now;
        self.pinged = None;
        self.n_failures = 0;
        self.is_offline = false;
        if !self.is_connected {
            self.is_connected = true;
            effects.push(LinkEffect::Connected);
        }
    }

    fn lose(&mut self, effects: &mut Vec<LinkEffect>) {
        if self.is_connected {
            self.is_connected = false;
            effects.push(LinkEffect::Lost);
        }
    }

    /// Connects to another node, before the socket to the one that leaves is closed.
    fn move_on(&mut self, now: u64, effects: &mut Vec<LinkEffect>) {
        self.is_moving = true;
        self.open(now, effects);
    }

    fn open(&mut self, now: u64, effects: &mut Vec<LinkEffect>) {
        self.move_at = None;
        if !self.is_moving {
            self.lose(effects);
        }
        self.socket = Socket::Opening(now);
        self.pinged = None;
        effects.push(LinkEffect::Open);
    }

    /// Waits before another try: at random up to a limit that doubles, so that the players of
    /// a server that comes back don't all come back at once.
    fn fail(&mut self, now: u64, effects: &mut Vec<LinkEffect>) {
        self.is_moving = false;
        self.move_at = None;
        self.lose(effects);
        let doubled = FIRST_PAUSE << self.n_failures.min(10);
        let longest = doubled.min(LONGEST_PAUSE);
        let pause = self.random.below(longest as u32 + 1);
        self.n_failures += 1;
        self.pinged = None;
        self.socket = Socket::Waiting(now + u64::from(pause));
    }
}

#[cfg(test)]
mod tests {
    use super::{Connection, Link, LinkEffect, LinkEvent};

    fn connected() -> Link {
        let mut link = Link::new(1);
        assert_eq!(link.update(LinkEvent::Start, 0), [LinkEffect::Open]);
        let effects = link.update(LinkEvent::Opened, 100);
        assert_eq!(effects, [LinkEffect::Connected]);
        link
    }

    #[test]
    fn a_silent_server_is_lost_after_three_seconds_and_given_up_after_six() {
        let mut link = connected();
        let mut seen = Vec::new();
        for now in (100..=6_200).step_by(100) {
            for effect in link.update(LinkEvent::Tick, now) {
                seen.push((now, effect));
            }
        }
        let pings: Vec<_> = (1..=5)
            .map(|n| (100 + 1000 * n, LinkEffect::Ping(n)))
            .collect();
        let mut expected = pings.clone();
        expected.insert(2, (3_100, LinkEffect::Lost));
        expected.push((6_100, LinkEffect::Open));
        assert_eq!(seen, expected);
        assert_eq!(link.connection(), Connection::Reconnecting);
    }

    #[test]
    fn an_answer_keeps_the_connection() {
        let mut link = connected();
        for now in (200..20_000).step_by(250) {
            for effect in link.update(LinkEvent::Tick, now) {
                assert!(matches!(effect, LinkEffect::Ping(_)));
                assert_eq!(link.update(LinkEvent::Heard, now + 100), []);
            }
        }
    }

    #[test]
    fn a_late_answer_brings_it_back() {
        let mut link = connected();
        for now in (200..4_000).step_by(250) {
            link.update(LinkEvent::Tick, now);
        }
        assert_eq!(link.connection(), Connection::Reconnecting);
        let effects = link.update(LinkEvent::Heard, 4_100);
        assert_eq!(effects, [LinkEffect::Connected]);
        assert_eq!(link.connection(), Connection::Connected);
    }

    #[test]
    fn timers_of_hidden_pages_are_no_silence() {
        let mut link = connected();
        assert_eq!(link.update(LinkEvent::Tick, 90_000), [LinkEffect::Ping(1)]);
        assert_eq!(link.connection(), Connection::Connected);
    }

    #[test]
    fn pauses_grow_up_to_five_seconds() {
        let mut longest = Vec::new();
        for n in 0..8 {
            let pauses = (0..200).map(|seed| {
                let mut link = Link::new(seed);
                link.update(LinkEvent::Start, 0);
                let mut now = 0;
                for _ in 0..=n {
                    link.update(LinkEvent::Closed, now);
                    let since = now;
                    while link.update(LinkEvent::Tick, now) != [LinkEffect::Open] {
                        now += 1;
                    }
                    if n == 0 || link.n_failures == n + 1 {
                        return now - since;
                    }
                }
                unreachable!("every try fails");
            });
            longest.push(pauses.max().unwrap_or(0));
        }
        for (n, &pause) in longest.iter().enumerate() {
            let limit = (250 << n).min(5_000);
            assert!(pause <= limit && pause > limit * 9 / 10, "{n}: {pause}");
        }
    }

    #[test]
    fn a_nudge_tries_at_once() {
        let mut link = Link::new(3);
        link.update(LinkEvent::Start, 0);
        for now in 0..7 {
            link.update(LinkEvent::Closed, now);
            link.socket = super::Socket::Opening(now);
        }
        assert_eq!(link.connection(), Connection::Offline);
        link.update(LinkEvent::Closed, 10);
        assert_eq!(link.update(LinkEvent::Nudge, 11), [LinkEffect::Open]);
        assert_eq!(link.connection(), Connection::Reconnecting);
    }

    #[test]
    fn a_nudge_replaces_a_socket_that_is_silent() {
        let mut link = connected();
        assert_eq!(link.update(LinkEvent::Nudge, 500), [LinkEffect::Ping(1)]);
        assert_eq!(link.update(LinkEvent::Heard, 600), []);
        let effects = link.update(LinkEvent::NetworkLost, 1_000);
        assert_eq!(effects, [LinkEffect::Lost]);
        assert_eq!(link.update(LinkEvent::Nudge, 1_500), [LinkEffect::Open]);
        assert_eq!(link.connection(), Connection::Reconnecting);
        // The network is there again, and the page is visible again.
        assert_eq!(link.update(LinkEvent::Nudge, 1_501), []);
        let effects = link.update(LinkEvent::Opened, 1_600);
        assert_eq!(effects, [LinkEffect::Connected]);
    }

    #[test]
    fn a_node_that_leaves_is_heard_until_the_next_one_is_there() {
        let mut link = connected();
        assert_eq!(link.update(LinkEvent::Leaving, 5_000), [LinkEffect::Open]);
        assert_eq!(link.connection(), Connection::Connected);
        assert_eq!(link.update(LinkEvent::Heard, 5_050), []);
        let effects = link.update(LinkEvent::Opened, 5_100);
        assert_eq!(effects, [LinkEffect::Connected]);
        assert_eq!(link.connection(), Connection::Connected);
    }

    /// The only server leaves, which takes 12 s: it says so on every new socket.
    #[test]
    fn the_only_node_is_not_stormed_while_it_leaves() {
        let mut pauses = Vec::new();
        for seed in 0..50 {
            let mut link = Link::new(seed);
            link.update(LinkEvent::Start, 0);
            link.update(LinkEvent::Opened, 0);
            let mut opened = vec![5_000];
            assert_eq!(link.update(LinkEvent::Leaving, 5_000), [LinkEffect::Open]);
            link.update(LinkEvent::Opened, 5_000);
            assert_eq!(link.update(LinkEvent::Leaving, 5_000), []);
            for now in (5_000..17_000).step_by(50) {
                for effect in link.update(LinkEvent::Tick, now) {
                    assert_eq!(link.connection(), Connection::Connected);
                    if effect == LinkEffect::Open {
                        opened.push(now);
                        link.update(LinkEvent::Opened, now);
                        // Twice, as `over` may be on its way when the node says it at once.
                        assert_eq!(link.update(LinkEvent::Leaving, now), []);
                        assert_eq!(link.update(LinkEvent::Leaving, now), []);
                    } else {
                        link.update(LinkEvent::Heard, now);
                    }
                }
            }
            assert!((6..=12).contains(&opened.len()), "{opened:?}");
            pauses.extend(opened.windows(2).map(|pair| pair[1] - pair[0]));
        }
        let (shortest, longest) = (pauses.iter().min(), pauses.iter().max());
        let (shortest, longest) = (shortest.copied(), longest.copied());
        assert!(shortest.is_some_and(|pause| (1_000..1_200).contains(&pause)));
        assert!(longest.is_some_and(|pause| (1_800..2_100).contains(&pause)));
    }

    #[test]
    fn a_node_that_is_gone_before_it_is_left_is_tried_again_as_ever() {
        let mut link = connected();
        assert_eq!(link.update(LinkEvent::Leaving, 200), []);
        assert_eq!(link.update(LinkEvent::Closed, 300), [LinkEffect::Lost]);
        assert_eq!(link.update(LinkEvent::Tick, 551), [LinkEffect::Open]);
    }
}
