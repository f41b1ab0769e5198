// A whole bot in C++. It needs no library: it reads lines of JSON from standard input and prints answers.
//
// Change `choose`. Print everything else to std::cerr: it is kept in the bot's log.
#include <iostream>
#include <random>
#include <string>
#include <vector>

bool is_looked_at;  // true if spectators watch: answers may carry layers over the board
std::mt19937_64 chance;  // draw from this only: a rerun then plays the same match

// Return a legal action, a text in its quotes; `message` has all that this seat may know.
std::string choose(const std::string& message, const std::vector<std::string>& legal) {
    (void)message;
    return legal[chance() % legal.size()];
}

// Return where the value of the last `"key":` of a message begins, or npos. Lines have no blanks outside texts.
std::size_t value_of(const std::string& message, const std::string& key) {
    const std::size_t found = message.rfind(key);
    return found == std::string::npos ? found : found + key.size();
}

// Return the texts of the list that begins at a place, with their quotes.
std::vector<std::string> texts_at(const std::string& message, std::size_t at) {
    std::vector<std::string> texts;
    while (message[at] == '"' || message[at] == ',') {
        const std::size_t first = message[at] == ',' ? at + 1 : at;
        std::size_t last = first + 1;
        while (message[last] != '"') last += message[last] == '\\' ? 2 : 1;
        texts.push_back(message.substr(first, last - first + 1));
        at = last + 1;
    }
    return texts;
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const std::size_t legal = value_of(line, "\"legal\":["), seed = value_of(line, "\"bot_seed\":");
        const bool is_start = line.rfind("{\"type\":\"start\"", 0) == 0;
        if (is_start || line.rfind("{\"type\":\"hello\"", 0) == 0) {
            if (is_start) chance.seed(std::stoull(line.substr(seed)));  // prepare here: it does not count for the turn
            is_looked_at = value_of(line, "\"lens\":true") != std::string::npos;
            std::cout << "{\"type\":\"ready\",\"version\":\"1\",\"language\":\"c++\"}" << std::endl;
        } else if (line.rfind("{\"type\":\"turn\"", 0) == 0 && legal != std::string::npos) {
            const std::string action = choose(line, texts_at(line, legal));
            // kinds: text, or heat, path, nodes, frontier, arrows with a list of numbers as data
            const std::string shown = ",\"shown\":[{\"name\":\"choice\",\"kind\":\"text\",\"data\":" + action + "}]";
            std::cout << "{\"action\":" << action << (is_looked_at ? shown : "") << "}" << std::endl;  // endl sends it
        }
    }
    return 0;
}
