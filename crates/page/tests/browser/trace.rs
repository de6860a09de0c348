//! What the browser's own trace says about frames, tasks and clicks.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::chromium::Chromium;

/// What is traced: tasks and animation frames, frames of the compositor, and how long
/// input takes to the screen.
const CATEGORIES: [&str; 4] = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "input",
];

/// How many bytes of a trace are fetched at a time.
const CHUNK: usize = 1 << 20;

/// The time between two frames of a screen, in milliseconds.
const FRAME: f64 = 1000.0 / 60.0;

/// A frame is late after so many milliseconds.
pub(crate) const LATE: f64 = 1.5 * FRAME;

/// A worker that is busy for longer thinks, in milliseconds.
const THOUGHT: f64 = 10.0;

/// Something that took time, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Span {
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Span {
    pub(crate) fn duration(self) -> f64 {
        self.end - self.start
    }

    fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    fn contains(self, time: f64) -> bool {
        (self.start..=self.end).contains(&time)
    }
}

/// Something that a thread did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Task {
    pub(crate) span: Span,
    /// How long it had a processor, in milliseconds: on a busy machine less than
    /// it took.
    pub(crate) effort: f64,
}

/// How a click came to the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Answered {
    /// From the finger to the screen, in milliseconds.
    pub(crate) time: f64,
    /// Which frame after it showed something new: 1 is the next.
    pub(crate) n_frames: usize,
}

/// The trace of one page.
#[derive(Default, Debug)]
pub(crate) struct Trace {
    /// What the thread of the interface did.
    tasks: Vec<Task>,
    /// What workers did.
    worker_tasks: Vec<Span>,
    /// When the thread of the interface began a frame.
    main_frames: Vec<f64>,
    /// Animation frames by their number.
    animation_frames: Vec<(u64, Task)>,
    /// When they were asked for.
    requests: HashMap<u64, f64>,
    /// When something new was on the screen.
    presented: Vec<f64>,
    /// Presses and releases of the mouse, until they were on the screen.
    inputs: Vec<Span>,
}

impl Trace {
    /// Reads the events of a trace.
    pub(crate) fn new(events: &[Value]) -> Self {
        let mut trace = Self::default();
        let at = |event: &Value| event["ts"].as_f64().unwrap_or_default() / 1000.0;
        let place = |event: &Value| (event["pid"].as_u64(), event["tid"].as_u64());
        let named = |name: &'static str| events.iter().filter(move |event| event["name"] == name);
        let threads: HashMap<_, _> = named("thread_name")
            .map(|event| (place(event), event["args"]["name"].as_str()))
            .collect();
        // Other processes belong to the browser.
        let process = named("FireAnimationFrame")
            .next()
            .map(|event| event["pid"].clone());
        let ours = |name: &'static str| {
            named(name).filter(|event| Some(&event["pid"]) == process.as_ref())
        };
        let span = |event: &Value| {
            let start = at(event);
            let end = start + event["dur"].as_f64().unwrap_or_default() / 1000.0;
            Span { start, end }
        };
        let task = |event: &Value| Task {
            span: span(event),
            effort: event["tdur"].as_f64().unwrap_or_default() / 1000.0,
        };
        let number = |event: &Value| event["args"]["data"]["id"].as_u64().unwrap_or_default();
        for event in ours("RunTask") {
            match threads.get(&place(event)) {
                Some(Some("CrRendererMain")) => trace.tasks.push(task(event)),
                Some(Some("DedicatedWorker thread")) => trace.worker_tasks.push(span(event)),
                _ => {}
            }
        }
        trace.main_frames = ours("BeginMainThreadFrame").map(at).collect();
        trace.animation_frames = ours("FireAnimationFrame")
            .map(|event| (number(event), task(event)))
            .collect();
        trace.requests = ours("RequestAnimationFrame")
            .map(|event| (number(event), at(event)))
            .collect();
        // Events in two parts: the first tells what, the second when it was over.
        let mut begun = HashMap::new();
        for event in events
            .iter()
            .filter(|event| Some(&event["pid"]) == process.as_ref())
        {
            let Some(name @ ("PipelineReporter" | "EventLatency")) = event["name"].as_str() else {
                continue;
            };
            let id = (name, event["id2"]["local"].as_str());
            if event["ph"] == "b" {
                begun.insert(id, event);
            } else if let Some(first) = begun.remove(&id) {
                let (start, end) = (at(first), at(event));
                let args = &first["args"];
                let kind = args["event_latency"]["event_type"].as_str();
                if args["frame_reporter"]["state"] == "STATE_PRESENTED_ALL" {
                    trace.presented.push(end);
                } else if matches!(kind, Some("MOUSE_PRESSED" | "MOUSE_RELEASED")) {
                    trace.inputs.push(Span { start, end });
                }
            }
        }
        trace.main_frames.sort_by(f64::total_cmp);
        trace.presented.sort_by(f64::total_cmp);
        trace
            .animation_frames
            .sort_by(|(_, a), (_, b)| a.span.start.total_cmp(&b.span.start));
        trace
    }

    /// When things were seen to move: from each animation frame that asks for the next
    /// to the last of its row.
    pub(crate) fn animations(&self) -> Vec<Span> {
        let mut animations: Vec<Span> = Vec::new();
        for pair in self.animation_frames.windows(2) {
            let [(_, frame), (next_number, next)] = *pair else {
                continue;
            };
            let (frame, next) = (frame.span, next.span);
            let asked = self.requests.get(&next_number);
            if !asked.is_some_and(|&asked| frame.contains(asked)) {
                continue;
            }
            match animations.last_mut() {
                Some(last) if last.end == frame.start => last.end = next.start,
                _ => animations.push(Span {
                    start: frame.start,
                    end: next.start,
                }),
            }
        }
        // What is over within some frames is no motion but an answer to the pointer.
        animations.retain(|animation| animation.duration() > 100.0);
        animations
    }

    /// The times between frames on the screen while things moved.
    pub(crate) fn gaps(&self) -> Vec<f64> {
        let animations = self.animations();
        let pairs = self.presented.windows(2).filter(|pair| {
            let is_inside = |animation: &Span| pair.iter().all(|&at| animation.contains(at));
            animations.iter().any(is_inside)
        });
        pairs.map(|pair| pair[1] - pair[0]).collect()
    }

    /// How long the drawing of each of these frames had a processor.
    pub(crate) fn drawings(&self) -> Vec<f64> {
        let animations = self.animations();
        let frames = self.animation_frames.iter().filter(|(_, frame)| {
            let is_inside = |animation: &Span| animation.contains(frame.span.start);
            animations.iter().any(is_inside)
        });
        frames.map(|(_, frame)| frame.effort).collect()
    }

    /// When the machine thought.
    pub(crate) fn thoughts(&self) -> Vec<Span> {
        let tasks = self.worker_tasks.iter().copied();
        tasks.filter(|task| task.duration() > THOUGHT).collect()
    }

    /// The tasks of the interface while the machine thought.
    pub(crate) fn tasks_while_thinking(&self) -> Vec<Task> {
        let thoughts = self.thoughts();
        let is_meanwhile = |task: &Task| thoughts.iter().any(|thought| thought.overlaps(task.span));
        self.tasks.iter().copied().filter(is_meanwhile).collect()
    }

    /// The tasks of the interface's thread.
    pub(crate) fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// How each press and each release of the mouse came to the screen.
    pub(crate) fn answers(&self) -> Vec<Answered> {
        let answers = self.inputs.iter().map(|input| {
            let frames = self.main_frames.iter().skip_while(|&&at| at < input.start);
            let drawn = self
                .animation_frames
                .iter()
                .find(|(_, frame)| frame.span.start >= input.start);
            let until = drawn.map_or(f64::INFINITY, |(_, frame)| frame.span.start);
            Answered {
                time: input.duration(),
                n_frames: frames.take_while(|&&at| at <= until).count(),
            }
        });
        answers.collect()
    }
}

impl Chromium {
    pub(crate) fn start_trace(&mut self) {
        let config = json!({"includedCategories": CATEGORIES});
        let params = json!({"transferMode": "ReturnAsStream", "traceConfig": config});
        self.send("Tracing.start", params);
    }

    pub(crate) fn end_trace(&mut self) -> Trace {
        self.send("Tracing.end", json!({}));
        let complete = self.wait_for_event("Tracing.tracingComplete");
        assert_eq!(complete["dataLossOccurred"], false, "the trace has gaps");
        let stream = &complete["stream"];
        let mut text = String::new();
        loop {
            let chunk = self.send("IO.read", json!({"handle": stream, "size": CHUNK}));
            text += chunk["data"].as_str().unwrap();
            if chunk["eof"] == true {
                break;
            }
        }
        self.send("IO.close", json!({"handle": stream}));
        let trace: Value = serde_json::from_str(&text).unwrap();
        Trace::new(trace["traceEvents"].as_array().unwrap())
    }
}

/// A made-up trace with one of everything.
#[test]
fn a_trace_is_read() {
    let thread = |tid: u64, name: &str| json!({"name": "thread_name", "pid": 1, "tid": tid, "args": {"name": name}});
    let task = |tid: u64, ms: u64, long: u64| json!({"name": "RunTask", "pid": 1, "tid": tid, "ts": ms * 1000, "dur": long * 1000, "tdur": long * 500});
    let frame = |id: u64, ms: u64| {
        let data = json!({"data": {"id": id}});
        [
            json!({"name": "RequestAnimationFrame", "pid": 1, "ts": (ms - 16) * 1000, "args": data}),
            json!({"name": "FireAnimationFrame", "pid": 1, "ts": ms * 1000, "dur": 2000, "tdur": 1000, "args": data}),
            json!({"name": "BeginMainThreadFrame", "pid": 1, "ts": ms * 1000}),
        ]
    };
    let parts = |name: &str, id: &str, from: u64, to: u64, args: Value| {
        [
            json!({"name": name, "ph": "b", "pid": 1, "id2": {"local": id}, "ts": from * 1000, "args": args}),
            json!({"name": name, "ph": "e", "pid": 1, "id2": {"local": id}, "ts": to * 1000, "args": {}}),
        ]
    };
    let shown = |ms: u64| {
        let state = json!({"frame_reporter": {"state": "STATE_PRESENTED_ALL"}});
        parts("PipelineReporter", &ms.to_string(), ms - 8, ms, state)
    };
    let mut events = vec![
        thread(1, "CrRendererMain"),
        thread(2, "DedicatedWorker thread"),
        task(1, 1000, 30),
        task(1, 1290, 20),
        task(1, 1400, 70),
        task(2, 1100, 200),
    ];
    // Each asks for the next, ten times.
    for n in 0..=10 {
        events.extend(frame(n, 1000 + 16 * n));
    }
    for ms in [1010, 1026, 1042, 1090, 1106, 1900] {
        events.extend(shown(ms));
    }
    let press = json!({"event_latency": {"event_type": "MOUSE_PRESSED"}});
    events.extend(parts("EventLatency", "0", 990, 1010, press));
    let trace = Trace::new(&events);
    let animation = Span {
        start: 1000.0,
        end: 1160.0,
    };
    assert_eq!(trace.animations(), [animation]);
    assert_eq!(trace.gaps(), [16.0, 16.0, 48.0, 16.0]);
    assert_eq!(trace.thoughts().len(), 1);
    assert_eq!(trace.drawings(), [1.0; 11]);
    let task = Task {
        span: Span {
            start: 1290.0,
            end: 1310.0,
        },
        effort: 10.0,
    };
    assert_eq!(trace.tasks_while_thinking(), [task]);
    let answer = Answered {
        time: 20.0,
        n_frames: 1,
    };
    assert_eq!(trace.answers(), [answer]);
}
