//! `parlour serve` as a process, to be killed.

#![allow(dead_code, reason = "each test program uses a part")]

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::{SystemTime, UNIX_EPOCH},
};

use client::Api;
use rustix::process::{Pid, Signal, kill_process};

/// The time, in milliseconds, as SQLite's store and this machine have it.
pub(crate) fn wall_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(now.as_millis()).unwrap()
}

/// A node in a process of its own. It is killed when it is dropped.
pub(crate) struct Node {
    /// Host and port, which stay the same.
    pub(crate) address: String,
    arguments: Vec<String>,
    child: Option<Child>,
    /// The lines that it has written to stderr, also before it was restarted.
    errors: Arc<Mutex<Vec<String>>>,
}

impl Node {
    /// Starts a node with a store, and perhaps a bus, on a free port.
    pub(crate) fn start(store: &str, bus: Option<&str>) -> Self {
        let mut arguments = vec!["--store".to_owned(), store.to_owned()];
        if let Some(bus) = bus {
            arguments.extend(["--bus".to_owned(), bus.to_owned()]);
        }
        let mut node = Self {
            address: "127.0.0.1:0".to_owned(),
            arguments,
            child: None,
            errors: Arc::default(),
        };
        node.restart();
        node
    }

    /// Starts it again. It is ready when this returns.
    pub(crate) fn restart(&mut self) {
        self.kill();
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
            .args(["serve", "--listen", &self.address])
            .args(&self.arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (errors, log) = (child.stderr.take().unwrap(), self.errors.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                writeln!(std::io::stderr(), "{line}").ok();
                log.lock().unwrap().push(line);
            }
        });
        let mut line = String::new();
        let output = child.stdout.as_mut().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        self.child = Some(child);
        let address = line.trim_end().strip_prefix("listening on http://");
        let address = address.and_then(|address| address.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("it does not listen: {line:?}"));
        self.address = address.to_owned();
    }

    /// How many lines of its stderr have this text.
    pub(crate) fn n_errors(&self, text: &str) -> usize {
        let errors = self.errors.lock().unwrap();
        errors.iter().filter(|line| line.contains(text)).count()
    }

    pub(crate) fn api(&self) -> Api {
        Api::new(&self.address)
    }

    pub(crate) fn socket(&self) -> String {
        format!("ws://{}/ws", self.address)
    }

    /// `kill -9`. Returns when that was.
    pub(crate) fn kill(&mut self) -> u64 {
        let now = wall_clock();
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        now
    }

    /// Asks it to leave.
    pub(crate) fn ask_to_leave(&self) {
        let child = self.child.as_ref().unwrap();
        kill_process(Pid::from_child(child), Signal::TERM).unwrap();
    }

    /// Lets it stand still, or go on.
    pub(crate) fn pause(&self, is_paused: bool) {
        let child = self.child.as_ref().unwrap();
        let signal = if is_paused {
            Signal::STOP
        } else {
            Signal::CONT
        };
        kill_process(Pid::from_child(child), signal).unwrap();
    }

    /// Whether it has left, without an error.
    pub(crate) fn has_left(&mut self) -> bool {
        let status = self.child.as_mut().unwrap().try_wait().unwrap();
        if let Some(status) = status {
            assert!(status.success(), "{status}");
            self.child = None;
        }
        status.is_some()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}
