//! A small client of the DevTools protocol.

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a browser may take to end before it is ended.
const FAREWELL: Duration = Duration::from_secs(10);

/// The functions that [`Chromium::call`] finds by name.
const SCRIPTS: [&str; 10] = [
    include_str!("js/page.js"),
    include_str!("js/steps.js"),
    include_str!("js/look.js"),
    include_str!("js/steady.js"),
    include_str!("js/kept.js"),
    include_str!("js/offline.js"),
    include_str!("js/clocks.js"),
    include_str!("js/study.js"),
    include_str!("js/hints.js"),
    include_str!("js/online.js"),
];

/// How a page is to be opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixel_ratio: f64,
    pub(crate) is_touch: bool,
    pub(crate) language: &'static str,
    pub(crate) scheme: &'static str,
    pub(crate) is_calm: bool,
    /// Whether the device's own few colors replace those of the page.
    pub(crate) has_forced_colors: bool,
}

pub(crate) const DESK: Device = Device {
    width: 1280,
    height: 800,
    pixel_ratio: 1.0,
    is_touch: false,
    language: "en-US",
    scheme: "light",
    is_calm: false,
    has_forced_colors: false,
};

pub(crate) const PHONE: Device = Device {
    width: 390,
    height: 844,
    pixel_ratio: 2.0,
    is_touch: true,
    ..DESK
};

/// What a page and its workers take up, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) n_workers: usize,
    pub(crate) page_script: u64,
    pub(crate) page_wasm: u64,
    pub(crate) worker_script: u64,
    pub(crate) worker_wasm: u64,
}

/// A browser with one page.
pub(crate) struct Chromium {
    process: Child,
    folder: PathBuf,
    socket: WebSocket<TcpStream>,
    next_id: u64,
    session: String,
    /// The sessions of the workers that run now.
    workers: Vec<String>,
    /// Everything that was logged or thrown.
    pub(crate) complaints: Vec<String>,
    /// The address of every request.
    pub(crate) requests: Vec<String>,
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // A browser that is gone already needs no end; one that ends by itself
        // takes its children along, which would go on writing to the folder.
        let close = json!({"id": 0, "method": "Browser.close"});
        self.socket.send(Message::text(close.to_string())).ok();
        let start = Instant::now();
        while matches!(self.process.try_wait(), Ok(None)) && start.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(5));
        }
        self.process.kill().ok();
        self.process.wait().ok();
        while self.folder.exists() && start.elapsed() < 2 * FAREWELL {
            if std::fs::remove_dir_all(&self.folder).is_err() {
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// What a function of the folder `js` gave.
#[track_caller]
fn value(name: &str, args: &Value, answer: &Value) -> Value {
    let answer = &answer["result"];
    assert!(
        answer["exceptionDetails"].is_null(),
        "{name}{args}: {answer}"
    );
    answer["result"]["value"].clone()
}

/// A tab of the browser that is not the current one.
pub(crate) struct Tab(String);

impl Chromium {
    /// Starts a browser as if on `device`.
    pub(crate) fn start(device: Device) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("parlour-{}-{n}", std::process::id()));
        Self::start_in(folder, device)
    }

    /// Ends the browser as a crash would, and starts it again with what it had stored.
    pub(crate) fn crash_and_restart(&mut self, device: Device) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        // The folder is the successor's now.
        let folder = std::mem::take(&mut self.folder);
        *self = Self::start_in(folder, device);
    }

    fn start_in(folder: PathBuf, device: Device) -> Self {
        let start = |program: &str| {
            Command::new(program)
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    // Else a test that visits 200 addresses in ten seconds is held back.
                    "--disable-ipc-flooding-protection",
                    "--hide-scrollbars",
                    "--enable-precise-memory-info",
                    "--js-flags=--expose-gc",
                    "--remote-debugging-port=0",
                ])
                .arg(format!("--user-data-dir={}", folder.display()))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
        };
        // Without windows it starts in a third of the time; not every system has that one.
        let mut process = start("chromium-headless-shell")
            .or_else(|_| start("chromium"))
            .expect("chromium can be started");
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("chromium tells its address").unwrap();
            if let Some(address) = line.strip_prefix("DevTools listening on ") {
                break address.to_owned();
            }
        };
        // Whatever else it says must not fill the pipe.
        thread::spawn(move || lines.for_each(drop));
        let host = address
            .strip_prefix("ws://")
            .unwrap()
            .split('/')
            .next()
            .unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(&address, stream).unwrap();
        let mut browser = Self {
            process,
            folder,
            socket,
            next_id: 0,
            session: String::new(),
            workers: Vec::new(),
            complaints: Vec::new(),
            requests: Vec::new(),
        };
        browser.open_tab(device);
        browser
    }

    /// Opens one more tab, and does everything there from now on. Returns the tab before it.
    pub(crate) fn open_tab(&mut self, device: Device) -> Tab {
        let target = self.send("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.send("Target.attachToTarget", target);
        let session = session["sessionId"].as_str().unwrap().to_owned();
        let before = self.switch_to(Tab(session));
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true});
        self.send_to(&self.session.clone(), "Target.setAutoAttach", attach);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.send(&format!("{domain}.enable"), json!({}));
        }
        for script in SCRIPTS {
            self.inject(script);
        }
        self.set_device(device);
        before
    }

    /// Does everything in another tab from now on. Returns the tab before it.
    pub(crate) fn switch_to(&mut self, tab: Tab) -> Tab {
        Tab(std::mem::replace(&mut self.session, tab.0))
    }

    /// Runs a script in every document from now on, before the page's own.
    pub(crate) fn inject(&mut self, script: &str) {
        let source = json!({"source": script});
        self.send("Page.addScriptToEvaluateOnNewDocument", source);
        self.run(script);
    }

    /// Runs a script in the document of now.
    pub(crate) fn run(&mut self, script: &str) {
        let answer = self.send("Runtime.evaluate", json!({"expression": script}));
        let error = &answer["exceptionDetails"];
        assert!(error.is_null(), "{error}");
    }

    pub(crate) fn set_device(&mut self, device: Device) {
        self.send(
            "Emulation.setDeviceMetricsOverride",
            json!({
                "width": device.width, "height": device.height,
                "deviceScaleFactor": device.pixel_ratio, "mobile": device.is_touch,
            }),
        );
        self.send(
            "Emulation.setTouchEmulationEnabled",
            json!({"enabled": device.is_touch}),
        );
        let calm = if device.is_calm {
            "reduce"
        } else {
            "no-preference"
        };
        let forced = if device.has_forced_colors {
            "active"
        } else {
            "none"
        };
        let features = json!([
            {"name": "prefers-color-scheme", "value": device.scheme},
            {"name": "prefers-reduced-motion", "value": calm},
            {"name": "forced-colors", "value": forced},
        ]);
        self.send("Emulation.setEmulatedMedia", json!({"features": features}));
        let agent = self.send("Browser.getVersion", json!({}))["userAgent"].clone();
        let agent = json!({"userAgent": agent, "acceptLanguage": device.language});
        self.send("Emulation.setUserAgentOverride", agent);
    }

    /// Sends a command to the page and waits for its answer.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> Value {
        let is_for_browser = method.starts_with("Target.");
        let session = if is_for_browser {
            String::new()
        } else {
            self.session.clone()
        };
        self.send_to(&session, method, params)
    }

    /// Sends a command to the page, a worker or the browser itself, and waits for
    /// its answer.
    fn send_to(&mut self, session: &str, method: &str, params: Value) -> Value {
        let answer = self.exchange(session, method, params);
        assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        answer["result"].clone()
    }

    /// Sends a command and waits for its answer, which may be an error.
    fn exchange(&mut self, session: &str, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({"id": id, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        self.socket
            .send(Message::text(message.to_string()))
            .unwrap();
        loop {
            let message = self.next_message();
            if message["id"] == id {
                return message;
            }
            self.note(&message);
        }
    }

    fn next_message(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Waits for an event, and gives what it tells.
    #[cfg(feature = "figures")]
    pub(crate) fn wait_for_event(&mut self, method: &str) -> Value {
        loop {
            let message = self.next_message();
            if message["method"] == method {
                return message["params"].clone();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(params["exceptionDetails"].to_string());
            }
            Some("Runtime.consoleAPICalled") if params["type"] != "log" => {
                self.complaints.push(params["args"].to_string());
            }
            Some("Log.entryAdded") => self.complaints.push(params["entry"].to_string()),
            Some("Network.requestWillBeSent") => {
                let address = params["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(address.to_owned());
            }
            Some("Target.attachedToTarget") if params["targetInfo"]["type"] == "worker" => {
                let session = params["sessionId"].as_str().unwrap_or_default();
                self.workers.push(session.to_owned());
            }
            Some("Target.detachedFromTarget") => {
                self.workers
                    .retain(|session| params["sessionId"] != **session);
            }
            _ => {}
        }
    }

    /// Goes to an address and waits until the page can be used. Returns how long
    /// that took.
    pub(crate) fn open(&mut self, address: &str) -> Duration {
        // An address that differs in its fragment only would not load anew.
        self.send("Page.navigate", json!({"url": "about:blank"}));
        let start = Instant::now();
        self.send("Page.navigate", json!({"url": address}));
        self.wait_for("isReady", json!([]));
        start.elapsed()
    }

    /// What a function of the folder `js` gives, with `args`, a list.
    #[track_caller]
    pub(crate) fn call(&mut self, name: &str, args: Value) -> Value {
        let answer = self.evaluate(name, &args);
        assert!(answer["error"].is_null(), "{name}{args}: {answer}");
        value(name, &args, &answer)
    }

    /// The answer to a call of a function of the folder `js`.
    fn evaluate(&mut self, name: &str, args: &Value) -> Value {
        let script = format!("tests.{name}(...{args})");
        let params = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let session = self.session.clone();
        self.exchange(&session, "Runtime.evaluate", params)
    }

    /// Clicks on the first element that `selector` finds.
    #[track_caller]
    pub(crate) fn click_on(&mut self, selector: &str) {
        self.call("click", json!([selector]));
    }

    /// The text of the first element that `selector` finds; empty if there is none.
    #[track_caller]
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.call("text", json!([selector]));
        text.as_str().unwrap().to_owned()
    }

    /// How many elements `selector` finds.
    #[track_caller]
    pub(crate) fn count(&mut self, selector: &str) -> u64 {
        self.call("count", json!([selector])).as_u64().unwrap()
    }

    /// The fragment of the page's address.
    #[track_caller]
    pub(crate) fn fragment(&mut self) -> Value {
        self.call("fragment", json!([]))
    }

    /// What the page and its workers take up now, garbage aside.
    pub(crate) fn memory(&mut self) -> Memory {
        let page = self.session.clone();
        let workers = self.workers.clone();
        let of_workers = workers.iter().map(|session| self.memory_of(session));
        let of_workers = of_workers.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        let of_page = (
            self.heap_of(&page),
            self.call("memoryBytes", json!([])).as_u64().unwrap(),
        );
        Memory {
            n_workers: workers.len(),
            page_script: of_page.0,
            page_wasm: of_page.1,
            worker_script: of_workers.0,
            worker_wasm: of_workers.1,
        }
    }

    /// The bytes of scripts' objects, and of all memories of WebAssembly.
    fn memory_of(&mut self, session: &str) -> (u64, u64) {
        let script = self.heap_of(session);
        // What is held here would not go away by itself.
        let group = "memory";
        let kind = include_str!("js/memory-prototype.js");
        let kind = json!({"expression": kind, "objectGroup": group});
        let kind = self.send_to(session, "Runtime.evaluate", kind);
        let kind = json!({"prototypeObjectId": kind["result"]["objectId"], "objectGroup": group});
        let memories = self.send_to(session, "Runtime.queryObjects", kind);
        let sum = json!({
            "objectId": memories["objects"]["objectId"], "returnByValue": true,
            "functionDeclaration": include_str!("js/sum-of-memories.js"),
        });
        let sum = self.send_to(session, "Runtime.callFunctionOn", sum);
        let group = json!({"objectGroup": group});
        self.send_to(session, "Runtime.releaseObjectGroup", group);
        (script, sum["result"]["value"].as_u64().unwrap())
    }

    /// The bytes of scripts' objects, garbage aside.
    fn heap_of(&mut self, session: &str) -> u64 {
        self.send_to(session, "HeapProfiler.collectGarbage", json!({}));
        let usage = self.send_to(session, "Runtime.getHeapUsage", json!({}));
        usage["usedSize"].as_f64().unwrap() as u64
    }

    /// Waits until a function is true.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, name: &str, args: Value) {
        let start = Instant::now();
        loop {
            let answer = self.evaluate(name, &args);
            // A page that reloads itself has no answer at that moment.
            if answer["error"].is_null() && value(name, &args, &answer) == true {
                return;
            }
            if start.elapsed() >= PATIENCE {
                let trail = self.evaluate("trail", &json!([]));
                panic!("{name}{args} never came true after {trail}");
            }
            thread::sleep(Duration::from_millis(4));
        }
    }

    /// Waits until there is an element that `selector` finds.
    #[track_caller]
    pub(crate) fn wait_for_element(&mut self, selector: &str) {
        self.wait_for("has", json!([selector]));
    }

    pub(crate) fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let is_held = kind != "mouseMoved";
        self.mouse_with(kind, x, y, is_held);
    }

    pub(crate) fn mouse_with(&mut self, kind: &str, x: f64, y: f64, is_held: bool) {
        let button = if is_held { "left" } else { "none" };
        let buttons = i32::from(is_held && kind != "mouseReleased");
        self.send(
            "Input.dispatchMouseEvent",
            json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1}),
        );
    }

    pub(crate) fn click(&mut self, x: f64, y: f64) {
        self.mouse("mouseMoved", x, y);
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
    }

    pub(crate) fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.mouse("mouseMoved", from.0, from.1);
        self.mouse("mousePressed", from.0, from.1);
        for step in 1..=4 {
            let share = f64::from(step) / 4.0;
            let at = |a: f64, b: f64| a + (b - a) * share;
            self.mouse_with("mouseMoved", at(from.0, to.0), at(from.1, to.1), true);
        }
        self.mouse("mouseReleased", to.0, to.1);
    }

    pub(crate) fn tap(&mut self, x: f64, y: f64) {
        let point = json!([{"x": x, "y": y}]);
        let start = json!({"type": "touchStart", "touchPoints": point});
        self.send("Input.dispatchTouchEvent", start);
        let end = json!({"type": "touchEnd", "touchPoints": []});
        self.send("Input.dispatchTouchEvent", end);
    }

    /// A finger goes down at one place and up at another, as quick as can be.
    pub(crate) fn touch(&mut self, from: (f64, f64), to: (f64, f64)) {
        let mut touch = |kind: &str, points: Value| {
            let event = json!({"type": kind, "touchPoints": points});
            self.send("Input.dispatchTouchEvent", event);
        };
        touch("touchStart", json!([{"x": from.0, "y": from.1}]));
        for step in 1..=4 {
            let share = f64::from(step) / 4.0;
            let at = |a: f64, b: f64| a + (b - a) * share;
            let point = json!([{"x": at(from.0, to.0), "y": at(from.1, to.1)}]);
            touch("touchMove", point);
        }
        touch("touchEnd", json!([]));
    }

    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "Tab" => (9, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            "End" => (35, ""),
            "Home" => (36, ""),
            _ => (0, key),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            self.send("Input.dispatchKeyEvent", params);
        }
    }

    /// Writes a figure down beside the pictures.
    pub(crate) fn note_figure(&mut self, figure: &str) {
        if let Some(folder) = std::env::var_os("PARLOUR_PICTURES") {
            std::fs::create_dir_all(&folder).unwrap();
            let name = std::thread::current()
                .name()
                .unwrap_or("test")
                .replace("::", "-");
            std::fs::write(PathBuf::from(folder).join(format!("{name}.txt")), figure).unwrap();
        }
    }

    /// A picture of the page, for people to look at.
    pub(crate) fn screenshot(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("PARLOUR_PICTURES") else {
            return;
        };
        let answer = self.send("Page.captureScreenshot", json!({"format": "png"}));
        let bytes = decoded(answer["data"].as_str().unwrap());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(PathBuf::from(folder).join(format!("{name}.png")), bytes).unwrap();
    }
}

/// Base 64, as the protocol writes pictures.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for byte in text.bytes().take_while(|&byte| byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
        }
    }
    bytes
}

#[test]
fn a_browser_leaves_no_folder_behind() {
    let browser = Chromium::start(DESK);
    let folder = browser.folder.clone();
    assert!(folder.exists());
    drop(browser);
    assert!(!folder.exists());
}
