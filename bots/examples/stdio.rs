// A whole bot in Rust. It needs no crate: it reads lines of JSON from standard input and prints answers.
//
// Change `choose`. Print everything else with `eprintln!`: it is kept in the bot's log.
use std::io::{self, BufRead, Write};

/// Draw from this only: a rerun then plays the same match.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

/// Return a legal action, a text in its quotes; `_message` has all that this seat may know.
fn choose<'a>(_message: &str, legal: &[&'a str], chance: &mut Chance) -> &'a str {
    legal[chance.below(legal.len())]
}

/// Return what follows the last `"key":` of a message. Lines have no blanks outside texts.
fn value_of<'a>(message: &'a str, key: &str) -> Option<&'a str> {
    message.rfind(key).map(|found| &message[found + key.len()..])
}

/// Return the texts of a list, with their quotes.
fn texts_of(list: &str) -> Vec<&str> {
    let (bytes, mut texts, mut at) = (list.as_bytes(), Vec::new(), 0);
    while bytes[at] == b'"' || bytes[at] == b',' {
        let first = if bytes[at] == b',' { at + 1 } else { at };
        let mut last = first + 1;
        while bytes[last] != b'"' {
            last += if bytes[last] == b'\\' { 2 } else { 1 };
        }
        texts.push(&list[first..=last]);
        at = last + 1;
    }
    texts
}

fn main() -> io::Result<()> {
    let mut chance = Chance(1);
    let mut is_looked_at = false; // true if spectators watch: answers may carry layers over the board
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with("{\"type\":\"hello\"") || line.starts_with("{\"type\":\"start\"") {
            if let Some(seed) = value_of(&line, "\"bot_seed\":") {
                let digits: String = seed.chars().take_while(char::is_ascii_digit).collect();
                chance = Chance(digits.parse::<u64>().unwrap_or(0) * 2 + 1); // prepare here: this time does not count
            }
            is_looked_at = value_of(&line, "\"lens\":true").is_some();
            writeln!(out, "{{\"type\":\"ready\",\"version\":\"1\",\"language\":\"rust\"}}")?;
        } else if line.starts_with("{\"type\":\"turn\"") {
            let legal = texts_of(value_of(&line, "\"legal\":[").unwrap_or("]"));
            let action = choose(&line, &legal, &mut chance);
            // kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
            let layer = format!("{{\"name\":\"choice\",\"kind\":\"text\",\"data\":{action}}}");
            let shown = if is_looked_at { format!(",\"shown\":[{layer}]") } else { String::new() };
            writeln!(out, "{{\"action\":{action}{shown}}}")?;
        }
        out.flush()?; // otherwise the answer waits in a buffer
    }
    Ok(())
}
