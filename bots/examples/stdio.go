// A whole bot in Go. It needs no module: it reads lines of JSON from standard input and prints answers.
//
// Change `choose`. Print everything else to os.Stderr: it is kept in the bot's log.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

// Message has the fields that this bot uses; "briefing", "params" and others come too.
type Message struct {
	Type        string          `json:"type"`
	BotSeed     int64           `json:"bot_seed"`
	Lens        bool            `json:"lens"`
	Seat        int             `json:"seat"`
	Observation json.RawMessage `json:"observation"`
	Legal       []string        `json:"legal"`
}

// Layer is shown over the board: its kind is text, or heat, path, nodes, frontier, arrows with numbers as data.
type Layer struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Data any    `json:"data"`
}

// Answer is one line of output: the answer to a question, or ready.
type Answer struct {
	Type     string  `json:"type"`
	Action   string  `json:"action,omitempty"`
	Shown    []Layer `json:"shown,omitempty"`
	Version  string  `json:"version,omitempty"`
	Language string  `json:"language,omitempty"`
}

var chance = rand.New(rand.NewSource(0)) // draw from this only: a rerun then plays the same match

// choose returns one of the legal actions; the message has all that this seat may know.
func choose(turn Message) string {
	return turn.Legal[chance.Intn(len(turn.Legal))]
}

func main() {
	isLookedAt := false // true if spectators watch: answers may carry layers
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
			chance = rand.New(rand.NewSource(message.BotSeed)) // prepare here: this time does not count for the turn
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
