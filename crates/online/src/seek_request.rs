use protocol::{Refusal, Refused, ServerMessage};

/// How long a request waits for its acknowledgement before it is sent again, in milliseconds.
const PATIENCE: u64 = 5_000;

/// The last request to wait in pools, until the server acknowledges it.
///
/// It is idempotent: a player who sends it again keeps the place in the queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeekRequest {
    /// Its number, and when it was sent; nothing once it is acknowledged or refused.
    sent: Option<(u64, u64)>,
}

impl SeekRequest {
    /// Records that the request with the number `id` is sent now.
    pub fn send(&mut self, id: u64, now: u64) {
        self.sent = Some((id, now));
    }

    /// Ends the request: nobody waits for the answer.
    pub fn end(&mut self) {
        self.sent = None;
    }

    /// Handles a message of the server. Returns whether the request is refused for good.
    pub fn hear(&mut self, message: &ServerMessage) -> bool {
        let Some((sent, _)) = self.sent else {
            return false;
        };
        // Requests of matches have numbers of their own.
        let is_match = |g: &Option<String>| g.as_ref().is_some_and(|g| !g.is_empty());
        match message {
            ServerMessage::Ok { id, g, .. } if *id == sent && !is_match(g) => {
                self.end();
                false
            }
            ServerMessage::No(Refused { id, g, why, .. }) if *id == Some(sent) && !is_match(g) => {
                // It is sent again when its time has come, not at once.
                let is_for_now = matches!(why, Refusal::Unavailable | Refusal::SlowDown);
                if !is_for_now {
                    self.end();
                }
                !is_for_now
            }
            _ => false,
        }
    }

    /// The number of the request if it is to be sent again now.
    pub fn resend(&mut self, now: u64) -> Option<u64> {
        let (id, sent) = self.sent?;
        if now.saturating_sub(sent) < PATIENCE {
            return None;
        }
        self.send(id, now);
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Refusal, Refused, ServerMessage};

    use super::SeekRequest;

    fn sent() -> SeekRequest {
        let mut request = SeekRequest::default();
        request.send(7, 1_000);
        request
    }

    fn ok(id: u64, g: Option<&str>) -> ServerMessage {
        ServerMessage::Ok {
            id,
            g: g.map(str::to_owned),
            v: None,
        }
    }

    fn no(id: u64, why: Refusal) -> ServerMessage {
        ServerMessage::No(Refused {
            id: Some(id),
            g: None,
            why,
            v: None,
            message: None,
        })
    }

    /// When it is sent again until ten seconds have passed.
    fn resent(mut request: SeekRequest) -> Vec<u64> {
        let times = (1_000..=11_000).step_by(250);
        times
            .filter(|&now| request.resend(now) == Some(7))
            .collect()
    }

    #[test]
    fn a_request_without_an_answer_is_sent_again_every_five_seconds() {
        assert!(resent(SeekRequest::default()).is_empty());
        assert_eq!(resent(sent()), [6_000, 11_000]);
    }

    #[test]
    fn an_acknowledged_request_is_not_sent_again() {
        let mut request = sent();
        assert!(!request.hear(&ok(7, None)));
        assert!(resent(request).is_empty());
    }

    #[test]
    fn other_answers_do_not_matter() {
        let mut request = sent();
        assert!(!request.hear(&ok(6, None)));
        assert!(!request.hear(&ok(7, Some("k3"))));
        assert!(!request.hear(&no(6, Refusal::NotYourSeat)));
        assert_eq!(resent(request), [6_000, 11_000]);
    }

    #[test]
    fn a_request_that_is_refused_for_now_is_sent_again_later() {
        for why in [Refusal::Unavailable, Refusal::SlowDown] {
            let mut request = sent();
            assert!(!request.hear(&no(7, why)));
            assert_eq!(resent(request), [6_000, 11_000]);
        }
    }

    #[test]
    fn a_request_that_is_refused_for_good_is_over() {
        for why in [Refusal::NotYourSeat, Refusal::Unknown, Refusal::Broken] {
            let mut request = sent();
            assert!(request.hear(&no(7, why)));
            assert!(!request.hear(&no(7, why)));
            assert!(resent(request).is_empty());
        }
    }
}
