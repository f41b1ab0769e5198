// A whole bot in Go. Needs no module: messages come as lines of JSON on standard input, answers go to standard output.
//
// Change `choose`. Print what is no answer to os.Stderr: it is kept in the bot's log.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

// Message has the parts that are used here; "briefing", "params" and others come too.
type Message struct {
	Type        string          `json:"type"`
	BotSeed     int64           `json:"bot_seed"`
	Lens        bool            `json:"lens"`
	Seat        int             `json:"seat"`
	Observation json.RawMessage `json:"observation"`
	Legal       []string        `json:"legal"`
}

// Layer lies over the board: kind heat, path, nodes, frontier or arrows with numbers as data, or text.
type Layer struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Data any    `json:"data"`
}

// Answer is one line: the answer to a question, or ready.
type Answer struct {
	Type     string  `json:"type"`
	Action   string  `json:"action,omitempty"`
	Shown    []Layer `json:"shown,omitempty"`
	Version  string  `json:"version,omitempty"`
	Language string  `json:"language,omitempty"`
}

var chance = rand.New(rand.NewSource(0)) // the only chance you should use: a rerun then repeats

// choose returns one of the legal actions; the message has all that this seat may know.
func choose(turn Message) string {
	return turn.Legal[chance.Intn(len(turn.Legal))]
}

func main() {
	isLookedAt := false // by somebody: answers may carry layers
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout) // writes a line at once
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // told to leave
		}
		var message Message
		if err := json.Unmarshal(line, &message); err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		switch message.Type {
		case "start":
			isLookedAt = message.Lens
			chance = rand.New(rand.NewSource(message.BotSeed)) // prepare here: this time is not the turn's
			answers.Encode(Answer{Type: "ready", Version: "1", Language: "go"})
		case "hello":
			answers.Encode(Answer{Type: "ready", Version: "1", Language: "go"})
		case "turn":
			answer := Answer{Type: "action", Action: choose(message)}
			if isLookedAt {
				answer.Shown = []Layer{{"choice", "text", answer.Action}}
			}
			answers.Encode(answer)
		}
	}
}
