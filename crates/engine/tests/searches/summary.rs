/// The last report without times, and the move.
pub(crate) fn summary(said: &[String]) -> String {
    let last = |start: &str| {
        let mut lines = said.iter().rev();
        lines
            .find_map(|line| line.strip_prefix(start))
            .unwrap_or("")
    };
    let report = last("info ");
    let (start, times) = report.split_once(" nps ").unwrap_or((report, ""));
    let line = times.split_once(" pv ").map_or("", |(_, line)| line);
    format!("{start} pv {line} bestmove {}", last("bestmove "))
}
