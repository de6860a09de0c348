//! The messages have the form that the contract gives them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use protocol::{ClientMessage, Event, LARGEST_MESSAGE, ServerMessage};

/// Checks that `text` is a message, and is written as it was read.
#[track_caller]
fn check(text: &str) {
    let message = ClientMessage::parse(text).unwrap();
    assert_eq!(message.to_json(), text);
}

#[test]
fn messages_of_clients_round_trip() {
    check(r#"{"t":"join","g":"k3"}"#);
    check(r#"{"t":"join","g":"k3","v":4}"#);
    check(r##"{"t":"turn","g":"k3","id":7,"at":4,"m":["2,-2>-1,1","#0,0>1,1"],"ms":812}"##);
    check(r#"{"t":"do","g":"k3","id":8,"what":"resign"}"#);
    check(r#"{"t":"do","g":"k3","id":8,"what":"accept","of":5}"#);
    check(r#"{"t":"do","g":"k3","id":8,"what":"say","phrase":11}"#);
    check(r#"{"t":"do","g":"k3","id":8,"what":"claim","as":"draw"}"#);
    check(r#"{"t":"seek","id":1,"pools":["takeover/3+2"]}"#);
    check(r#"{"t":"unseek"}"#);
    check(r#"{"t":"leave","g":"k3"}"#);
    check(r#"{"t":"ping","n":3}"#);
}

#[test]
fn unknown_fields_are_ignored() {
    let message = ClientMessage::parse(r#"{"t":"ping","n":3,"new":[1]}"#);
    assert_eq!(message, Ok(ClientMessage::Ping { n: 3 }));
}

/// Checks that `text` is refused, with the number and the match that could be read.
#[track_caller]
fn refuse(text: &str, id: Option<u64>, g: Option<&str>) {
    let error = ClientMessage::parse(text).unwrap_err();
    assert_eq!((error.id, error.g.as_deref()), (id, g), "{error}");
}

#[test]
fn what_is_no_message_is_refused() {
    refuse("", None, None);
    refuse("[]", None, None);
    refuse("{", None, None);
    refuse(r#"{"t":"jump","id":3,"g":"k3"}"#, Some(3), Some("k3"));
    refuse(
        r#"{"t":"turn","g":"k3","id":7,"at":4,"m":[],"ms":812}"#,
        Some(7),
        Some("k3"),
    );
    refuse(
        r#"{"t":"turn","g":"k3","id":-7,"at":4,"m":["b2"]}"#,
        None,
        Some("k3"),
    );
    refuse(
        r#"{"t":"do","g":"k3","id":8,"what":"accept"}"#,
        Some(8),
        Some("k3"),
    );
    refuse(
        r#"{"t":"do","g":"k3","id":8,"what":"say","phrase":12}"#,
        Some(8),
        Some("k3"),
    );
    refuse(
        r#"{"t":"do","g":"k3","id":9007199254740992,"what":"draw"}"#,
        Some(1 << 53),
        Some("k3"),
    );
    refuse(
        &format!(
            r#"{{"t":"ping","n":3,"x":"{}"}}"#,
            "x".repeat(LARGEST_MESSAGE)
        ),
        None,
        None,
    );
}

#[test]
fn messages_of_the_server_round_trip() {
    for text in [
        r#"{"t":"hi","you":{"id":"p1","name":"Guest 12","guest":true},"now":5,"live":["k3"]}"#,
        r#"{"t":"ev","g":"k3","v":5,"at":5,"e":{"k":"turn","by":"first","m":["b2"]},"fen":"x","turn":"second","result":"none","status":"playing","clock":{"first":1,"second":2,"running":"second"}}"#,
        r#"{"t":"ev","g":"k3","v":1,"at":0,"e":{"k":"say","by":"first","phrase":3},"fen":"x","turn":"first","result":"none","status":"playing","clock":{"first":1,"second":2,"running":null},"abort_at":30000}"#,
        r#"{"t":"ok","id":7,"g":"k3","v":5}"#,
        r#"{"t":"no","id":7,"g":"k3","why":"not-your-turn","v":5}"#,
        r#"{"t":"no","why":"broken","message":"expected value at line 1 column 1"}"#,
        r#"{"t":"paired","g":"k3","seat":"first"}"#,
        r#"{"t":"pong","n":1,"now":2}"#,
        r#"{"t":"here","g":"k3","seat":"second","is":false,"claim":99}"#,
        r#"{"t":"over"}"#,
    ] {
        assert_eq!(ServerMessage::parse(text).unwrap().to_json(), text);
    }
}

#[test]
fn events_round_trip() {
    for text in [
        r#"{"k":"turn","by":"first","m":["b2"],"left":900,"lag":20}"#,
        r#"{"k":"offer","by":"first","what":"takeback"}"#,
        r#"{"k":"decline","by":"second","what":"draw","of":7}"#,
        r#"{"k":"takeback","by":"first","n":2}"#,
        r#"{"k":"resign","by":"first"}"#,
        r#"{"k":"draw"}"#,
        r#"{"k":"abort"}"#,
        r#"{"k":"timeout","by":"first"}"#,
        r#"{"k":"claim","by":"first","as":"win"}"#,
        r#"{"k":"say","by":"first","phrase":3}"#,
        r#"{"k":"rematch","g":"k4"}"#,
        r#"{"k":"time","to":"first","ms":100}"#,
    ] {
        assert_eq!(Event::parse(text).unwrap().to_json(), text);
    }
}

#[test]
fn logs_of_older_servers_are_read() {
    let decline = r#"{"k":"decline","by":"second","what":"draw"}"#;
    assert!(matches!(
        Event::parse(decline),
        Ok(Event::Decline { of: 0, .. })
    ));
}
