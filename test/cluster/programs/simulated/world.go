package simulated

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// A Stage is what is committed for a cluster, and who may have which address by it.
type Stage struct {
	Objects []json.RawMessage
	// The planned addresses of each Service.
	Table map[string][]string
	// The holder of each Service.
	Holders map[string]string
	// A step of a change of the layout: it is committed once the stage before is applied, and MetalLB's webhooks leave out the
	// objects of leasehold.
	Step bool
}

// A World is one cluster: an API, an engine that applies stages, and a controller.
type World struct {
	Random *rand.Rand
	// Seen is what the watches have brought.
	Seen     map[Place]Object
	plane    Plane
	isKilled bool
	api      *API
	judge    *judge
	process  Process
	// What the engine has still to do, and what it has made live.
	todo    []change
	applied map[Place]json.RawMessage
	tried   int
	isCalm  bool
	order   []string
}

// A change is an object to apply, or one to delete when there is no manifest.
type change struct {
	at       Place
	manifest json.RawMessage
}

func newWorld(plane Plane, seed uint64) *World {
	random := rand.New(rand.NewPCG(seed, seed))
	w := &World{Random: random, plane: plane, judge: &judge{}, applied: map[Place]json.RawMessage{}}
	w.api = &API{
		plane: plane, random: random, judge: w.judge, live: map[Place]Object{},
		undelivered: map[string][]Place{}, history: map[Place][]Object{},
	}
	w.start()
	return w
}

// start begins the controller anew with all that is live.
func (w *World) start() {
	if w.process != nil {
		w.process.Stop()
	}
	w.isKilled = false
	clear(w.api.undelivered)
	clear(w.api.history)
	w.Seen = maps.Clone(w.api.live)
	w.process = w.plane.Start(w)
}

// Write changes a live object for the controller, unless that was killed: change gives the new one.
func (w *World) Write(at Place, change func(live Object) (Object, error)) error {
	if w.isKilled {
		return ErrKilled
	}
	err := w.api.write(at, change)
	if err != nil {
		w.judge.counts.Failed++
	}
	w.Note("writes %s: %v", at, err)
	return err
}

// InAnyOrder are the places of a kind that the watches have brought.
func (w *World) InAnyOrder(kind string) []Place {
	found := placesOf(w.Seen, kind)
	w.Random.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	return found
}

// play takes a cluster through all stages of a history. Returns how many it saw, and what was wrong.
func play(plane Plane, stages []Stage, seed uint64) (*World, int) {
	w := newWorld(plane, seed)
	defer func() { w.process.Stop() }()
	together := 0
	for index, next := range stages {
		w.judge.expects(next)
		if !next.Step && w.Random.IntN(8) == 0 {
			w.loseAll()
		}
		w.plan(next)
		together++
		isLast := index == len(stages)-1
		isAwaited := !isLast && stages[index+1].Step
		if !isLast && !isAwaited && w.Random.IntN(4) == 0 {
			// The engine gets stuck on the way, or the next commit comes before anybody has looked.
			w.todo = w.todo[:w.Random.IntN(len(w.todo)+1)]
			w.goOn(w.Random.IntN(40))
			continue
		}
		w.goOn(w.Random.IntN(200))
		w.calmDown()
		if together > 1 {
			// docs/gitops.md, after a long pause of the engine: a Service may wait until it is touched.
			w.judge.counts.Waited += len(w.judge.stranded(w.api))
			w.touchAll()
			w.calmDown()
		}
		if len(w.judge.stranded(w.api)) > 0 {
			// MetalLB since 0.14 counts a Service that was deleted while its controller started, until the next start.
			// LB-IPAM counts a Service as served whose status it could not write beside that of another, until the Service
			// changes or the next start (satisfyServices, revalidateAllServices).
			w.Note("restarts, since a Service waits")
			w.judge.counts.Healed++
			w.api.isReliable = true
			w.start()
			w.calmDown()
			w.api.isReliable = false
		}
		w.judge.seesCalm(w.api)
		together = 0
		if len(w.judge.violations) > 0 {
			return w, index + 1
		}
		w.order = w.order[:0]
	}
	return w, len(stages)
}

// plan makes the list of what the engine has to do, in one of the orders that engines have.
func (w *World) plan(next Stage) {
	wanted := map[Place]json.RawMessage{}
	for _, manifest := range next.Objects {
		wanted[placeOf(manifest)] = manifest
	}
	var applies, deletes []change
	for _, kind := range w.plane.Kinds {
		for _, at := range placesOf(wanted, kind) {
			if !bytes.Equal(wanted[at], w.applied[at]) {
				applies = append(applies, change{at, wanted[at]})
			}
		}
		for _, at := range placesOf(w.applied, kind) {
			if wanted[at] == nil && kind != "Namespace" {
				deletes = append(deletes, change{at, nil})
			}
		}
	}
	w.shuffle(deletes)
	w.shuffle(applies)
	way := w.Random.IntN(4)
	if way < 2 {
		slices.SortStableFunc(applies, func(one, other change) int {
			return slices.Index(w.plane.Kinds, one.at.Kind) - slices.Index(w.plane.Kinds, other.at.Kind)
		})
	}
	switch way {
	case 0: // as Flux: what is gone is deleted at the end
		w.todo = append(applies, deletes...)
	case 1: // as Argo CD without PruneLast
		w.todo = append(deletes, applies...)
	case 2: // as kubectl, and somebody deletes the rest
		w.todo = append(applies, deletes...)
	default:
		w.todo = append(applies, deletes...)
		w.shuffle(w.todo)
	}
	w.tried = 0
	w.Note("the engine has %d changes, way %d", len(w.todo), way)
}

func (w *World) shuffle(changes []change) {
	w.Random.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
}

// applyNext does one change. What the webhook refuses is tried again after the others.
func (w *World) applyNext() {
	next := w.todo[0]
	w.todo = w.todo[1:]
	if next.manifest == nil {
		w.Note("deletes %s", next.at)
		w.api.remove(next.at)
		delete(w.applied, next.at)
		w.tried = 0
		return
	}
	err := w.api.apply(next.at, next.manifest)
	w.Note("applies %s: %v", next.at, err)
	if err != nil {
		w.judge.counts.Denied++
		w.todo = append(w.todo, next)
		w.tried++
		return
	}
	w.applied[next.at] = next.manifest
	w.tried = 0
}

func (w *World) isEngineStuck() bool {
	return len(w.todo) > 0 && w.tried >= len(w.todo)
}

// goOn lets so many things happen.
func (w *World) goOn(steps int) {
	for range steps {
		if !w.step() {
			return
		}
		if w.isKilled || w.Random.IntN(150) == 0 {
			w.Note("restarts")
			w.judge.counts.Restarts++
			w.start()
		}
	}
}

// Meanwhile lets up to two things happen while the controller is at work; now and then it is killed there.
func (w *World) Meanwhile() {
	for range w.Random.IntN(3) {
		w.step()
	}
	if !w.isCalm && w.Random.IntN(1500) == 0 {
		w.Note("is killed")
		w.isKilled = true
	}
}

// step lets one thing happen: the engine applies, a change is delivered, the controller does a thing. False when there is nothing more to happen.
func (w *World) step() bool {
	can := w.process.Can()
	if len(w.todo) > 0 && !w.isEngineStuck() {
		can = append(can, w.applyNext, w.applyNext)
	}
	for _, kind := range w.plane.Kinds {
		if len(w.api.undelivered[kind]) > 0 {
			deliver := func() { w.deliver(kind) }
			can = append(can, deliver, deliver)
		}
	}
	if len(can) == 0 {
		return false
	}
	if !w.isCalm && w.Random.IntN(40) == 0 {
		w.repeat()
	}
	can[w.Random.IntN(len(can))]()
	return true
}

// repeat delivers something once more that is known.
func (w *World) repeat() {
	if known := w.InAnyOrder(w.plane.Kinds[w.Random.IntN(len(w.plane.Kinds))]); len(known) > 0 {
		w.process.Repeats(known[0])
	}
}

// deliver brings the next change of a kind. Several changes of one object may come as one.
func (w *World) deliver(kind string) {
	at := w.api.undelivered[kind][0]
	w.api.undelivered[kind] = w.api.undelivered[kind][1:]
	object := w.api.history[at][0]
	w.api.history[at] = w.api.history[at][1:]
	w.Note("sees %s", at)
	if object == nil {
		delete(w.Seen, at)
	} else {
		w.Seen[at] = object
	}
	w.process.Sees(at, object)
}

const mostSteps = 20_000

// calmDown waits until all is applied and delivered, and the queues are empty.
func (w *World) calmDown() {
	w.isCalm = true
	defer func() { w.isCalm = false }()
	for range mostSteps {
		if w.isKilled {
			w.judge.counts.Restarts++
			w.start()
		}
		if !w.step() {
			break
		}
	}
	if w.step() || w.isEngineStuck() {
		w.judge.says(fmt.Sprintf("%d changes are left after %d steps", len(w.todo), mostSteps))
	}
}

// loseAll makes the cluster an empty one: the engine makes all of it anew, with no status to begin from.
func (w *World) loseAll() {
	w.Note("all is lost")
	clear(w.api.live)
	clear(w.applied)
	w.start()
	w.judge.counts.Rebuilt++
}

func (w *World) touchAll() {
	for _, at := range w.api.Places("Service") {
		w.process.Repeats(at)
	}
}

// Note says what happens, for the story of a violation.
func (w *World) Note(format string, values ...any) {
	w.order = append(w.order, fmt.Sprintf(format, values...))
}

func placeOf(manifest json.RawMessage) Place {
	var head struct {
		Kind     string
		Metadata struct{ Namespace, Name string }
	}
	if err := json.Unmarshal(manifest, &head); err != nil {
		panic(err)
	}
	return Place{head.Kind, head.Metadata.Namespace, head.Metadata.Name}
}
