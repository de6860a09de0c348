//! Bytes as a hostile client sends them: frames and requests that no library would make.

#![allow(dead_code, reason = "each test program uses a part")]

use std::time::Duration;

use rules::Random;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// A frame of a WebSocket, masked as those of clients are.
pub(crate) struct Frame {
    pub(crate) is_final: bool,
    pub(crate) opcode: u8,
    pub(crate) payload: Vec<u8>,
    /// The length that is announced, if it is not that of the payload.
    pub(crate) announced: Option<u64>,
}

impl Frame {
    pub(crate) fn text(payload: impl Into<Vec<u8>>) -> Self {
        Self {
            is_final: true,
            opcode: 1,
            payload: payload.into(),
            announced: None,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let n = self.announced.unwrap_or(self.payload.len() as u64);
        let mut bytes = vec![u8::from(self.is_final) << 7 | self.opcode];
        match n {
            0..126 => bytes.push(0x80 | u8::try_from(n).unwrap()),
            126..65_536 => {
                bytes.push(0x80 | 126);
                bytes.extend(u16::try_from(n).unwrap().to_be_bytes());
            }
            _ => {
                bytes.push(0x80 | 127);
                bytes.extend(n.to_be_bytes());
            }
        }
        let mask = [7, 77, 177, 27];
        bytes.extend(mask);
        bytes.extend(
            self.payload
                .iter()
                .zip(mask.iter().cycle())
                .map(|(a, b)| a ^ b),
        );
        bytes
    }
}

/// A WebSocket whose frames are written by hand.
pub(crate) async fn websocket(address: &str, token: Option<&str>) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    shake_hands(&mut stream, address, token).await;
    stream
}

/// Makes a connection a WebSocket.
pub(crate) async fn shake_hands(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    host: &str,
    token: Option<&str>,
) {
    let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n"));
    let request = format!(
        "GET /ws HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         sec-websocket-protocol: parlour.1\r\n{}\r\n",
        authorization.unwrap_or_default()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8_lossy(&head);
    assert!(head.starts_with("HTTP/1.1 101"), "{head}");
}

/// Reads until the server closes the connection; an error if it does not.
pub(crate) async fn read_to_end(stream: &mut TcpStream) -> Result<Vec<u8>, &'static str> {
    let mut read = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match timeout(Duration::from_secs(30), stream.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => return Ok(read),
            Ok(Ok(n)) => read.extend(&buffer[..n]),
            Err(_) => return Err("the server does not close the connection"),
        }
    }
}

/// Changes bytes, removes and inserts some, repeats a part or cuts it off.
pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let n = u32::try_from(bytes.len()).unwrap();
        let i = random.below(n.max(1)) as usize;
        let byte = u8::try_from(random.below(256)).unwrap();
        match random.below(7) {
            _ if n == 0 => bytes.push(byte),
            0 => bytes[i] = byte,
            1 => bytes[i] ^= 1 << random.below(8),
            2 => drop(bytes.remove(i)),
            3 => bytes.insert(i, byte),
            4 => bytes.truncate(i),
            5 => {
                let part = bytes[i..].to_vec();
                bytes.extend(part.iter().take(200));
            }
            _ => {
                let odd = ODD[random.below(u32::try_from(ODD.len()).unwrap()) as usize];
                bytes.splice(i..i, odd.bytes());
            }
        }
    }
}

const ODD: [&str; 14] = [
    "null",
    "-1",
    "1e999",
    "9007199254740992",
    "18446744073709551616",
    "[[[[[[[[",
    "{\"t\":",
    "\\u0000",
    "\\ud800",
    "\"g\":\"../..\"",
    "%2e%2e/",
    "\r\n",
    "\u{202e}",
    "\u{0}",
];
