// A whole bot in C++17. It needs no library: it reads lines of JSON from standard input and prints answers.
//
// In bomber it searches breadth first; in other games it answers at random. Change `Match::choose`. Print everything
// else to std::cerr: it is kept in the bot's log.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

// A JSON value: a number, true or false as text; a text without its quotes; a list; or an object.
struct Json {
    std::string text;
    std::vector<Json> list;
    std::map<std::string, Json> object;

    bool has(const std::string &key) const { return object.count(key) > 0; }
    const Json &operator[](const std::string &key) const { return object.at(key); }
    int number() const { return std::atoi(text.c_str()); }
};

// Read the value at `at`; `at` is moved behind it. Lines have no blanks outside texts, and escapes stay as they are.
Json read(const std::string &line, size_t &at) {
    Json value;
    if (line[at] == '"') {
        for (at++; line[at] != '"'; at++) {
            value.text += line[at];
            if (line[at] == '\\') value.text += line[++at];
        }
        at++;
    } else if (line[at] == '[') {
        for (at++; line[at] != ']'; at += line[at] == ',') value.list.push_back(read(line, at));
        at++;
    } else if (line[at] == '{') {
        for (at++; line[at] != '}'; at += line[at] == ',') {
            std::string key = read(line, at).text;
            value.object[key] = read(line, ++at);
        }
        at++;
    } else {
        while (at < line.size() && std::string(",]}").find(line[at]) == std::string::npos) value.text += line[at++];
    }
    return value;
}

using Cell = std::pair<int, int>; // x to the right, y down, (0, 0) top left
using Cells = std::set<Cell>;
const std::vector<std::pair<std::string, Cell>> STEPS = {{"up", {0, -1}}, {"down", {0, 1}}, {"left", {-1, 0}}, {"right", {1, 0}}};

Cell cell_of(const Json &place) { return {place.list[0].number(), place.list[1].number()}; }

void add(Cells &cells, const Json &places) {
    for (const Json &place : places.list) cells.insert(cell_of(place));
}

class Match {
public:
    explicit Match(const Json &start) : is_looked_at(start.has("lens") && start["lens"].text == "true") {
        chance = std::strtoull(start["bot_seed"].text.c_str(), nullptr, 10) * 2 + 1;
        if (start["params"].has("blast_radius")) reach = start["params"]["blast_radius"].number();
    }

    const bool is_looked_at; // spectators watch: answers may carry layers over the board

    // Return a legal action; turn["observation"] has all that this seat may know.
    std::string choose(const Json &turn) {
        const Json &view = turn["observation"];
        if (!view.has("ammo_tokens")) { // another game
            chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
            return turn["legal"].list[chance % turn["legal"].list.size()].text;
        }
        size = cell_of(view["size"]), here = cell_of(view["position"]);
        Cells blocks, taken, bombs, wanted;
        add(blocks, view["soft"]), add(blocks, view["ore"]);
        add(bombs, view["bombs"]), add(wanted, view["treasure"]), add(wanted, view["ammo_tokens"]);
        add(taken, view["metal"]);
        taken.insert(blocks.begin(), blocks.end()), taken.insert(bombs.begin(), bombs.end());
        for (const Json &other : view["opponents"].list) taken.insert(cell_of(other["position"]));
        Cells danger, soon, beside;
        for (Cell bomb : bombs) blast(bomb, danger);
        for (Cell bomb : bombs_before) blast(bomb, danger);
        bombs_before = bombs; // a bomb that is gone has left fire, which is not shown
        auto is_safe = [&](Cell cell) { return !danger.count(cell) && !soon.count(cell); };
        if (danger.count(here)) return first_step(taken, is_safe);
        for (Cell block : blocks)
            for (const auto &[step, by] : STEPS)
                if (view["ammo"].number() > 0) beside.insert({block.first + by.first, block.second + by.second});
        blast(here, soon);
        if (beside.count(here) && first_step(taken, is_safe) != "wait") return "bomb"; // there is a way out
        taken.insert(danger.begin(), danger.end());
        return first_step(taken, [&](Cell cell) { return wanted.count(cell) || beside.count(cell); });
    }

private:
    uint64_t chance = 1; // draw from this only: a rerun then plays the same match
    int reach = 0;
    Cell size, here;
    Cells bombs_before;

    // Add the cells that a bomb's fire may reach; walls are ignored.
    void blast(Cell bomb, Cells &cells) const {
        for (int far = 0; far <= reach; far++)
            for (const auto &[step, by] : STEPS) cells.insert({bomb.first + far * by.first, bomb.second + far * by.second});
    }

    // Return the first step of a shortest path to a goal; "wait" if it is here, or if there is no path.
    std::string first_step(const Cells &avoided, const std::function<bool(Cell)> &is_goal) const {
        std::map<Cell, std::string> first = {{here, "wait"}};
        std::queue<Cell> waiting({here});
        for (; !waiting.empty(); waiting.pop()) {
            auto [x, y] = waiting.front();
            if (is_goal({x, y})) return first[{x, y}];
            for (const auto &[step, by] : STEPS) {
                Cell cell = {x + by.first, y + by.second};
                bool is_outside = cell.first < 0 || cell.second < 0 || cell.first >= size.first || cell.second >= size.second;
                if (is_outside || first.count(cell) || avoided.count(cell)) continue;
                first[cell] = first[{x, y}] == "wait" ? step : first[{x, y}];
                waiting.push(cell);
            }
        }
        return "wait";
    }
};

int main() {
    std::vector<Match> match; // none or one
    for (std::string line; std::getline(std::cin, line);) {
        size_t at = 0;
        const Json message = read(line, at);
        const std::string type = message["type"].text;
        if (type == "start") std::vector<Match>{Match(message)}.swap(match);
        if (type == "hello" || type == "start") {
            std::cout << R"({"type":"ready","version":"1","language":"c++"})" << std::endl;
        } else if (type == "turn") {
            const std::string action = '"' + match[0].choose(message) + '"';
            // kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
            const std::string shown = R"(,"shown":[{"name":"choice","kind":"text","data":)" + action + "}]";
            std::cout << "{\"action\":" << action << (match[0].is_looked_at ? shown : "") << "}" << std::endl; // flushed
        }
    }
}
