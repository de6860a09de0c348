/// The subprotocol of the WebSocket.
pub const SUBPROTOCOL: &str = "parlour.1";

/// The largest message of a client, in bytes.
pub const LARGEST_MESSAGE: usize = 4096;

/// The largest message of a server, in bytes.
pub const LARGEST_ANSWER: usize = 64 * 1024;

/// The number of phrases that players can send, numbered from 0.
pub const N_PHRASES: u8 = 12;

/// Ids of clients are below this, so that every JSON parser reads them exactly.
pub const LARGEST_ID: u64 = 1 << 53;
