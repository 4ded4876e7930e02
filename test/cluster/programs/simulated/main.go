// Package simulated has clusters that exist only in this program. What a cluster does around a controller is chosen by a seed:
// changes come late, again, and in another order, writes fail, the process ends anywhere, and the engine applies a part.
// The controller is the data plane's own: metallb-simulated and cilium-simulated plug it in. It needs the standard library only.
package simulated

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

// A Plane plugs a controller in, with the objects as its own types.
type Plane struct {
	// The kinds that the controller reads. An engine applies them in this order when it applies in waves.
	Kinds []string
	// Decode reads a manifest with the defaults of the API server. It keeps what controllers wrote to the object before, which
	// may be nil.
	Decode func(at Place, manifest []byte, before Object) (Object, error)
	// Admits is the webhook. Nil for none.
	Admits func(api *API, at Place, object Object) error
	// Addresses are those in the status of a Service, in the order of texts.
	Addresses func(service Object) []string
	// Faults are what must not be true of the live objects once nothing more happens. Nil for none.
	Faults func(api *API) []string
	// GivesParts is true for a controller that gives a Service one of its two addresses while it cannot give both.
	GivesParts bool
	// Start begins with all that is live, as a program does that waits for its first lists.
	Start func(w *World) Process
}

// A Process is a controller between two starts.
type Process interface {
	// Sees takes what a watch has brought. The object is nil when it is deleted.
	Sees(at Place, object Object)
	// Repeats takes something once more that is known.
	Repeats(at Place)
	// Can has what the controller could do next.
	Can() []func()
	// Stop ends it for good.
	Stop()
}

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

// Main reads histories from a file, plays each with every seed from the first to the last, up to the first violation, and prints
// what it saw: FILE FIRST LAST. With the number of a history it plays only that one. Each play is run by alone.
func Main(arguments []string, plane Plane, alone func(play func())) {
	number := func(index int) int {
		value, err := strconv.Atoi(arguments[index])
		if err != nil {
			panic(err)
		}
		return value
	}
	text, err := os.ReadFile(arguments[0])
	if err != nil {
		panic(err)
	}
	var histories [][]Stage
	if err := json.Unmarshal(text, &histories); err != nil {
		panic(err)
	}
	var said report
	for index, stages := range histories {
		if len(arguments) > 3 && number(3) != index {
			continue
		}
		for seed := number(1); seed <= number(2) && said.Violation == nil; seed++ {
			alone(func() {
				w, seen := play(plane, stages, uint64(index)<<32+uint64(seed))
				said.Orders += seen
				said.Counts.add(w.judge.counts)
				if len(w.judge.violations) > 0 {
					said.Violation = &violation{index, seed, seen, w.judge.violations, w.order}
				}
			})
		}
	}
	printed, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(printed))
}
