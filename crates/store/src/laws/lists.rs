use std::sync::Arc;

use protocol::{MatchResult, MatchStatus};

use super::{NOW, event, head, new_match};
use crate::{MatchFilter, MatchHead, Store, Take};

fn ids(heads: &[MatchHead]) -> Vec<&str> {
    heads.iter().map(|head| head.id.as_str()).collect()
}

/// Lists of matches, on an empty store.
pub(super) async fn check(store: &Arc<dyn Store>) {
    assert_eq!(store.live_matches(0, 10).await.unwrap(), []);
    // Two of the same moment, which pages must not lose.
    for (i, created) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)] {
        let (first, second) = if i % 2 == 0 { ("x", "y") } else { ("z", "x") };
        let mut new = new_match(&format!("list-{i}"), first, second);
        new.created = NOW + created;
        new.head.deadline = (i != 1).then_some(NOW + 10 * (5 - i));
        new.head.state = format!("state {i}");
        store.create_match(new).await.unwrap();
    }
    let mut over = event("list-3", 1, None, "over");
    over.head = head(MatchStatus::Aborted, MatchResult::None);
    store.append(over).await.unwrap();

    let begun = store.begun_after(NOW + 1).await.unwrap();
    let begun: Vec<_> = begun.iter().map(|begun| begun.id.as_str()).collect();
    assert_eq!(begun, ["list-4"]);
    assert_eq!(store.begun_after(NOW + 3).await.unwrap(), []);

    let list = |filter, before, limit| store.matches_of("x", filter, before, limit);
    let all = list(MatchFilter::All, None, 10).await.unwrap();
    assert_eq!(
        ids(&all),
        ["list-4", "list-3", "list-2", "list-1", "list-0"]
    );
    let playing = list(MatchFilter::Playing, None, 10).await.unwrap();
    assert_eq!(ids(&playing), ["list-4", "list-2", "list-1", "list-0"]);
    let ended = list(MatchFilter::Ended, None, 10).await.unwrap();
    assert_eq!(ids(&ended), ["list-3"]);
    let mut paged = list(MatchFilter::All, None, 2).await.unwrap();
    while let Some(last) = paged.last().map(|head| head.id.clone()) {
        let page = store
            .matches_of("x", MatchFilter::All, Some(&last), 2)
            .await;
        let page = page.unwrap();
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, all);
    assert_eq!(
        list(MatchFilter::All, Some("nowhere"), 2).await.unwrap(),
        []
    );
    let of_y = store
        .matches_of("y", MatchFilter::All, None, 10)
        .await
        .unwrap();
    assert_eq!(ids(&of_y), ["list-4", "list-2", "list-0"]);
    assert_eq!(all[1].head.status, MatchStatus::Aborted);
    assert_eq!(all[1].ended, Some(NOW + 1));
    assert_eq!(all[2].head.state, "state 2");

    let live = store.live_matches(NOW, 3).await.unwrap();
    assert_eq!(ids(&live), ["list-4", "list-2", "list-1"]);
    // Without a deadline, a match is listed as long as something happens in it.
    let live = store.live_matches(NOW + 1, 10).await.unwrap();
    assert_eq!(ids(&live), ["list-4", "list-2", "list-0"]);
    let mut turn = event("list-1", 1, None, "turn");
    turn.time = NOW + 20;
    store.append(turn).await.unwrap();
    let live = store.live_matches(NOW + 19, 10).await.unwrap();
    assert_eq!(ids(&live), ["list-4", "list-2", "list-1", "list-0"]);
    let live = store.live_matches(NOW + 20, 10).await.unwrap();
    assert_eq!(ids(&live), ["list-4", "list-2", "list-0"]);
    assert_eq!(store.due(NOW + 9, 10).await.unwrap(), [""; 0]);
    assert_eq!(store.due(NOW + 30, 10).await.unwrap(), ["list-4", "list-2"]);
    assert_eq!(
        store.due(NOW + 60, 10).await.unwrap(),
        ["list-4", "list-2", "list-0"]
    );
    assert_eq!(store.due(NOW + 60, 1).await.unwrap(), ["list-4"]);

    let mut asked: Vec<String> = (0..700).map(|i| format!("list-{i}")).collect();
    let versions = store.versions(&asked).await.unwrap();
    assert_eq!(versions.len(), 5);
    assert_eq!((versions["list-3"], versions["list-4"]), (1, 0));
    asked.truncate(3);
    assert_eq!(store.versions(&asked).await.unwrap().len(), 3);
    assert!(store.versions(&[]).await.unwrap().is_empty());
    assert_eq!(store.load_match("nowhere").await.unwrap(), None);
    assert_eq!(store.match_head("nowhere").await.unwrap(), None);
}

/// Any text is stored as it is, and any text may be asked for.
pub(super) async fn check_texts(store: &Arc<dyn Store>) {
    let long = "0123456789abcdef".repeat(4096);
    let texts = [
        "",
        "it's \"$1\" ?1 %s \\ --;",
        "囲碁 ✓ 🎲",
        "a\nb\tc\r",
        &long,
    ];
    for (i, text) in texts.into_iter().enumerate() {
        let id = format!("text-{i}");
        let mut new = new_match(&id, "x' OR 1 = 1", "\u{1f600}");
        new.options = text.to_owned();
        new.head.state = text.to_owned();
        store.create_match(new).await.unwrap();
        let mut append = event(&id, 1, Some("it's \"$1\""), text);
        append.head.state = text.to_owned();
        append.record = Some(text.to_owned());
        store.append(append).await.unwrap();
        let stored = store.load_match(&id).await.unwrap().unwrap();
        assert_eq!(
            (
                stored.head.options.as_str(),
                stored.head.head.state.as_str()
            ),
            (text, text)
        );
        assert_eq!(stored.head.first, "x' OR 1 = 1");
        assert_eq!(stored.events[0].body, text);
        assert_eq!(stored.events[0].cause.as_deref(), Some("it's \"$1\""));
        assert_eq!(stored.record.as_deref(), Some(text));
    }
    for text in ["", "\0", "a\0b", "' OR 1 = 1", &long] {
        assert_eq!(store.match_head(text).await.unwrap(), None);
        assert_eq!(store.player(text).await.unwrap(), None);
        assert_eq!(store.player_by_name(text).await.unwrap(), None);
        assert_eq!(store.login(text).await.unwrap(), None);
        assert_eq!(store.session(text).await.unwrap(), None);
        assert_eq!(store.challenge(text, NOW).await.unwrap(), None);
        let nothing = new_match("nothing", "x", "y");
        let take = store.take_challenge(text, "x", NOW, nothing).await.unwrap();
        assert_eq!(take, Take::Unknown);
    }
}
