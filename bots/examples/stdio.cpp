// A whole bot in C++. Needs no library: messages come as lines of JSON on standard input, answers go to standard
// output.
//
// Change `choose`. Print what is no answer to std::cerr: it is kept in the bot's log.
#include <iostream>
#include <random>
#include <string>
#include <vector>

bool is_looked_at;  // by somebody: answers may carry layers over the board
std::mt19937_64 chance;  // the only chance you should use: a rerun then repeats

// One of the legal actions, each a text in its quotes; `message` has all that this seat may know.
std::string choose(const std::string& message, const std::vector<std::string>& legal) {
    (void)message;
    return legal[chance() % legal.size()];
}

// Where the value of the last `"key":` of a message begins, npos if it has none. Lines have no blanks outside texts.
std::size_t value_of(const std::string& message, const std::string& key) {
    const std::size_t found = message.rfind(key);
    return found == std::string::npos ? found : found + key.size();
}

// The texts of the list that begins at a place, with their quotes.
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
            if (is_start) chance.seed(std::stoull(line.substr(seed)));  // prepare here: this time is not the turn's
            is_looked_at = value_of(line, "\"lens\":true") != std::string::npos;
            std::cout << "{\"type\":\"ready\",\"version\":\"1\",\"language\":\"c++\"}" << std::endl;
        } else if (line.rfind("{\"type\":\"turn\"", 0) == 0 && legal != std::string::npos) {
            const std::string action = choose(line, texts_at(line, legal));
            // kinds: heat, path, nodes, frontier, arrows, all with a list of numbers as data, and text
            const std::string shown = ",\"shown\":[{\"name\":\"choice\",\"kind\":\"text\",\"data\":" + action + "}]";
            std::cout << "{\"action\":" << action << (is_looked_at ? shown : "") << "}" << std::endl;  // endl sends it
        }
    }
    return 0;
}
