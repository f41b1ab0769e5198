// A whole bot in Go. It needs no module: it reads lines of JSON from standard input and prints answers.
//
// In bomber it searches breadth first; in other games it answers at random. Change `choose`. Print everything else to
// os.Stderr: it is kept in the bot's log.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

// Cell is [x, y]: x to the right, y down, [0, 0] top left.
type Cell [2]int

// Cells is a set of cells.
type Cells map[Cell]bool

// View has what a seat of bomber sees.
type View struct {
	Size, Position   Cell
	Ammo             int
	Metal, Soft, Ore []Cell
	Bombs, Treasure  []Cell
	Tokens           []Cell `json:"ammo_tokens"`
	Opponents        []struct{ Position Cell }
}

// Message has the fields that this bot uses; "briefing" and others come too.
type Message struct {
	Type        string                     `json:"type"`
	BotSeed     int64                      `json:"bot_seed"`
	Params      map[string]json.RawMessage `json:"params"`
	Lens        bool                       `json:"lens"`
	Observation json.RawMessage            `json:"observation"`
	Legal       []string                   `json:"legal"`
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

var names = []string{"up", "down", "left", "right"}
var steps = []Cell{{0, -1}, {0, 1}, {-1, 0}, {1, 0}}

var chance = rand.New(rand.NewSource(0)) // draw from this only: a rerun then plays the same match
var reach int
var bombsBefore []Cell

// choose returns a legal action; the message has all that this seat may know.
func choose(turn Message) string {
	var view View
	if json.Unmarshal(turn.Observation, &view) != nil || view.Tokens == nil { // another game
		return turn.Legal[chance.Intn(len(turn.Legal))]
	}
	taken, danger, soon, beside, wanted := Cells{}, Cells{}, Cells{}, Cells{}, Cells{}
	for _, places := range [][]Cell{view.Metal, view.Soft, view.Ore, view.Bombs} {
		taken.add(places)
	}
	for _, other := range view.Opponents {
		taken[other.Position] = true
	}
	wanted.add(view.Treasure)
	wanted.add(view.Tokens)
	for _, bomb := range append(append([]Cell{}, view.Bombs...), bombsBefore...) {
		danger.addBlast(bomb)
	}
	bombsBefore = view.Bombs // a bomb that is gone has left fire, which is not shown
	isSafe := func(cell Cell) bool { return !danger[cell] && !soon[cell] }
	if danger[view.Position] {
		return firstStep(view, taken, nil, isSafe)
	}
	for _, block := range append(append([]Cell{}, view.Soft...), view.Ore...) {
		for _, step := range steps {
			beside[Cell{block[0] + step[0], block[1] + step[1]}] = view.Ammo > 0
		}
	}
	soon.addBlast(view.Position)
	if beside[view.Position] && firstStep(view, taken, nil, isSafe) != "wait" {
		return "bomb" // there is a way out
	}
	return firstStep(view, taken, danger, func(cell Cell) bool { return wanted[cell] || beside[cell] })
}

// firstStep returns the first step of a shortest path to a goal; "wait" if it is here, or if there is no path.
func firstStep(view View, taken, danger Cells, isGoal func(Cell) bool) string {
	first := map[Cell]string{view.Position: "wait"}
	for waiting := []Cell{view.Position}; len(waiting) > 0; waiting = waiting[1:] {
		here := waiting[0]
		if isGoal(here) {
			return first[here]
		}
		for way, step := range steps {
			cell := Cell{here[0] + step[0], here[1] + step[1]}
			isOutside := cell[0] < 0 || cell[1] < 0 || cell[0] >= view.Size[0] || cell[1] >= view.Size[1]
			if isOutside || first[cell] != "" || taken[cell] || danger[cell] {
				continue
			}
			first[cell] = first[here]
			if first[here] == "wait" {
				first[cell] = names[way]
			}
			waiting = append(waiting, cell)
		}
	}
	return "wait"
}

func (cells Cells) add(places []Cell) {
	for _, place := range places {
		cells[place] = true
	}
}

// addBlast adds the cells that a bomb's fire may reach; walls are ignored.
func (cells Cells) addBlast(bomb Cell) {
	for far := 0; far <= reach; far++ {
		for _, step := range steps {
			cells[Cell{bomb[0] + far*step[0], bomb[1] + far*step[1]}] = true
		}
	}
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
			isLookedAt, reach, bombsBefore = message.Lens, 0, nil
			json.Unmarshal(message.Params["blast_radius"], &reach) // other games have none
			chance = rand.New(rand.NewSource(message.BotSeed))     // prepare here: this time does not count for the turn
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
