//! State of online play that outlives its screens.
//!
//! Only the data is here, so that it can be a part of the [`Room`](crate::room::Room); what is
//! done with it is in `online`, which is fetched later.

use std::collections::VecDeque;

use js_sys::Promise;
use leptos::prelude::*;
use online::{Connection, Link, OnlineMatch, SeekRequest};
use wasm_bindgen::JsValue;
use web_sys::WebSocket;

use crate::timer::Timer;

/// The state of online play. It is cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct OnlineState {
    /// Who is here.
    pub(crate) me: RwSignal<Identity>,
    pub(crate) link: StoredValue<Link, LocalStorage>,
    /// How the connection is, while there is one.
    pub(crate) connection: RwSignal<Connection>,
    /// The sockets by number: the last one, and perhaps the one before it.
    pub(crate) sockets: StoredValue<Vec<(u32, WebSocket)>, LocalStorage>,
    pub(crate) n_sockets: StoredValue<u32>,
    /// The match that is open.
    pub(crate) current: RwSignal<Option<OnlineMatch>, LocalStorage>,
    /// Steps of the match that are still to be shown.
    pub(crate) queue: StoredValue<VecDeque<play::Event>, LocalStorage>,
    /// Pools that are waited in.
    pub(crate) seeking: RwSignal<Vec<String>>,
    /// Since when.
    pub(crate) seeking_since: StoredValue<u64>,
    pub(crate) seek_request: StoredValue<SeekRequest>,
    /// The open invitation.
    pub(crate) invitation: RwSignal<Option<Invitation>>,
    /// A match that began while another one was played.
    pub(crate) begun: RwSignal<Option<String>>,
    /// One's matches and ratings, as the server has them.
    pub(crate) mine: RwSignal<JsValue, LocalStorage>,
    /// Matches to watch and pools.
    pub(crate) lobby: RwSignal<JsValue, LocalStorage>,
    /// Seconds, for what counts them.
    pub(crate) seconds: RwSignal<u64>,
    /// The error message for the last request.
    pub(crate) trouble: RwSignal<Option<String>>,
    /// The dialog for accounts, if it is open.
    pub(crate) account: RwSignal<Option<AccountForm>>,
    /// How often somebody signed in or out here.
    pub(crate) n_changes: StoredValue<u32>,
    /// Settled once it is known who is here, while the server is asked.
    pub(crate) arrival: StoredValue<Option<Promise>, LocalStorage>,
    pub(crate) n_requests: StoredValue<u64>,
    pub(crate) tick: Timer,
    pub(crate) refresh: Timer,
}

/// Who is here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Identity {
    /// The server has not been asked.
    #[default]
    Unknown,
    /// Nobody that the server knows.
    Nobody,
    /// A player.
    Player {
        /// The name.
        name: String,
        /// Whether there is no account.
        is_guest: bool,
    },
    /// The page comes from a server without online play.
    NoServer,
}

/// An invitation by link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Invitation {
    /// The secret in the link.
    pub(crate) token: String,
    /// The link.
    pub(crate) url: String,
    /// The offer, in words.
    pub(crate) text: String,
}

/// A match on the server that goes on, as a row of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GoingOnline {
    /// Whether it is one's turn.
    pub(crate) is_turn: bool,
    /// The content of the row.
    pub(crate) html: String,
}

/// The purpose of the account dialog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AccountForm {
    /// A new account.
    Create,
    /// Signing in.
    SignIn,
    /// A forgotten password.
    Recover,
    /// The recovery codes of a new account.
    Codes(Vec<String>),
    /// Another password.
    Password,
    /// The account itself, or what is stored about a guest.
    Account,
}
