// A whole bot in Rust. It needs no crate: it reads lines of JSON from standard input and prints answers.
//
// In bomber it searches breadth first; in other games it answers at random. Change `Match::choose`. Print everything
// else with `eprintln!`: it is kept in the bot's log.
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, BufRead, Write};

/// A JSON value: numbers, true, false and null are kept as words; escapes in texts stay as they are.
enum Json {
    Word(String),
    Text(String),
    List(Vec<Json>),
    Object(HashMap<String, Json>),
}

impl Json {
    /// Read the value at `at`, which is moved behind it. Lines have no blanks outside texts.
    fn read(line: &[u8], at: &mut usize) -> Json {
        let first = *at;
        *at += 1;
        match line[first] {
            b'"' => {
                while line[*at] != b'"' {
                    *at += if line[*at] == b'\\' { 2 } else { 1 };
                }
                *at += 1;
                Json::Text(String::from_utf8_lossy(&line[first + 1..*at - 1]).into_owned())
            }
            b'[' => {
                let mut list = Vec::new();
                while line[*at] != b']' {
                    list.push(Json::read(line, at));
                    *at += (line[*at] == b',') as usize;
                }
                *at += 1;
                Json::List(list)
            }
            b'{' => {
                let mut object = HashMap::new();
                while line[*at] != b'}' {
                    let key = Json::read(line, at).text().to_string();
                    *at += 1; // the colon
                    object.insert(key, Json::read(line, at));
                    *at += (line[*at] == b',') as usize;
                }
                *at += 1;
                Json::Object(object)
            }
            _ => {
                while *at < line.len() && !b",]}".contains(&line[*at]) {
                    *at += 1;
                }
                Json::Word(String::from_utf8_lossy(&line[first..*at]).into_owned())
            }
        }
    }

    fn get(&self, key: &str) -> Option<&Json> {
        if let Json::Object(object) = self { object.get(key) } else { None }
    }

    /// Return a word or a text; "" for lists and objects.
    fn text(&self) -> &str {
        if let Json::Word(text) | Json::Text(text) = self { text } else { "" }
    }

    fn list(&self) -> &[Json] {
        if let Json::List(list) = self { list } else { &[] }
    }

    fn cell(&self) -> Cell {
        let number = |at: usize| self.list()[at].text().parse().unwrap_or(0);
        (number(0), number(1))
    }
}

type Cell = (i32, i32); // x to the right, y down, (0, 0) top left
type Cells = HashSet<Cell>;
const STEPS: [(&str, Cell); 4] = [("up", (0, -1)), ("down", (0, 1)), ("left", (-1, 0)), ("right", (1, 0))];

fn around(cell: Cell, far: i32) -> impl Iterator<Item = Cell> {
    STEPS.iter().map(move |(_, (dx, dy))| (cell.0 + far * dx, cell.1 + far * dy))
}

#[derive(Default)]
struct Match {
    chance: u64, // draw from this only: a rerun then plays the same match
    is_looked_at: bool, // spectators watch: answers may carry layers over the board
    reach: i32,
    bombs_before: Cells,
}

impl Match {
    /// Prepare here: this time does not count for the turn.
    fn new(start: &Json) -> Match {
        let number = |value: Option<&Json>| value.and_then(|value| value.text().parse::<u64>().ok());
        Match {
            chance: number(start.get("bot_seed")).unwrap_or(0) * 2 + 1,
            is_looked_at: start.get("lens").map(Json::text) == Some("true"),
            reach: number(start.get("params").and_then(|params| params.get("blast_radius"))).unwrap_or(0) as i32,
            bombs_before: Cells::new(),
        }
    }

    /// Return a legal action; `view` has all that this seat may know.
    fn choose(&mut self, view: &Json, legal: &[Json]) -> String {
        if view.get("ammo_tokens").is_none() { // another game
            self.chance ^= self.chance << 13;
            self.chance ^= self.chance >> 7;
            self.chance ^= self.chance << 17;
            return legal[(self.chance % legal.len() as u64) as usize].text().to_string();
        }
        let of = |key: &str| view.get(key).map_or(&[][..], Json::list);
        let cells = |keys: &[&str]| -> Cells { keys.iter().flat_map(|key| of(key)).map(Json::cell).collect() };
        let (size, here) = (view.get("size").unwrap().cell(), view.get("position").unwrap().cell());
        let mut taken = cells(&["metal", "soft", "ore", "bombs"]);
        taken.extend(of("opponents").iter().map(|other| other.get("position").unwrap().cell()));
        let (bombs, mut goals) = (cells(&["bombs"]), cells(&["treasure", "ammo_tokens"]));
        let danger: Cells = bombs.union(&self.bombs_before).flat_map(|bomb| self.blast(*bomb)).collect();
        self.bombs_before = bombs; // a bomb that is gone has left fire, which is not shown
        if danger.contains(&here) {
            return first_step(here, size, &taken, |cell| !danger.contains(&cell));
        }
        if view.get("ammo").unwrap().text() != "0" {
            let beside: Cells = cells(&["soft", "ore"]).into_iter().flat_map(|block| around(block, 1)).collect();
            let soon: Cells = self.blast(here).into_iter().collect();
            let out = first_step(here, size, &taken, |cell| !danger.contains(&cell) && !soon.contains(&cell));
            if beside.contains(&here) && out != "wait" {
                return "bomb".to_string();
            }
            goals.extend(beside);
        }
        taken.extend(danger);
        first_step(here, size, &taken, |cell| goals.contains(&cell))
    }

    /// Return the cells that a bomb's fire may reach; walls are ignored.
    fn blast(&self, bomb: Cell) -> Vec<Cell> {
        (0..=self.reach).flat_map(|far| around(bomb, far)).collect()
    }
}

/// Return the first step of a shortest path to a goal; "wait" if it is here, or if there is no path.
fn first_step(here: Cell, size: Cell, avoided: &Cells, is_goal: impl Fn(Cell) -> bool) -> String {
    let mut first = HashMap::from([(here, "wait")]);
    let mut waiting = VecDeque::from([here]);
    while let Some(at) = waiting.pop_front() {
        if is_goal(at) {
            return first[&at].to_string();
        }
        for (name, (dx, dy)) in STEPS {
            let cell = (at.0 + dx, at.1 + dy);
            let is_inside = (0..size.0).contains(&cell.0) && (0..size.1).contains(&cell.1);
            if is_inside && !first.contains_key(&cell) && !avoided.contains(&cell) {
                first.insert(cell, if at == here { name } else { first[&at] });
                waiting.push_back(cell);
            }
        }
    }
    "wait".to_string()
}

fn main() -> io::Result<()> {
    let mut game = Match::default();
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let message = Json::read(line?.as_bytes(), &mut 0);
        let kind = message.get("type").map_or("", Json::text);
        if kind == "start" {
            game = Match::new(&message);
        }
        if kind == "hello" || kind == "start" {
            writeln!(out, "{{\"type\":\"ready\",\"version\":\"1\",\"language\":\"rust\"}}")?;
        } else if let ("turn", Some(view), Some(legal)) = (kind, message.get("observation"), message.get("legal")) {
            let action = game.choose(view, legal.list());
            // kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
            let layer = format!("{{\"name\":\"choice\",\"kind\":\"text\",\"data\":\"{action}\"}}");
            let shown = if game.is_looked_at { format!(",\"shown\":[{layer}]") } else { String::new() };
            writeln!(out, "{{\"action\":\"{action}\"{shown}}}")?;
        }
        out.flush()?; // otherwise the answer waits in a buffer
    }
    Ok(())
}
