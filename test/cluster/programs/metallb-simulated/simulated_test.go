// MetalLB's own controller, compiled with this package, in clusters that exist only here. Its reconcilers, its allocator and its
// handlers are those of the module; what a cluster does around them is chosen by a seed: changes come late, again, and in another
// order, writes fail, the process ends anywhere, and the engine applies a part.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"
)

type report struct {
	Orders    int
	Counts    counts
	Violation *violation `json:",omitempty"`
}

type violation struct {
	History, Seed, Stage int
	What                 []string
	Order                []string
}

// TestMain reads histories from a file, and plays each with every seed from the first to the last, up to the first violation:
// FILE FIRST LAST. With the number of a history it plays only that one.
func TestMain(*testing.M) {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var histories [][]stage
	if err := json.Unmarshal(text, &histories); err != nil {
		panic(err)
	}
	var said report
	for index, stages := range histories {
		if len(os.Args) > 4 && number(4) != index {
			continue
		}
		for seed := number(2); seed <= number(3) && said.Violation == nil; seed++ {
			w, seen := play(stages, uint64(index)<<32+uint64(seed))
			said.Orders += seen
			said.Counts.add(w.judge.counts)
			if len(w.judge.violations) > 0 {
				said.Violation = &violation{index, seed, seen, w.judge.violations, w.order}
			}
		}
	}
	printed, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(printed))
}

func number(argument int) int {
	value, err := strconv.Atoi(os.Args[argument])
	if err != nil {
		panic(err)
	}
	return value
}
