package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A stage is what is committed for a cluster, and who may have which address by it.
type stage struct {
	Objects []json.RawMessage
	// The planned addresses of each Service.
	Table map[string][]string
	// The holder of each Service.
	Holders map[string]string
	// A step of a change of the layout: it is committed once the stage before is applied, and MetalLB's webhooks leave out the
	// objects of leasehold.
	Step bool
}

// A world is one cluster: an API, an engine that applies stages, and MetalLB's controller.
type world struct {
	random  *rand.Rand
	api     *api
	judge   *judge
	process *process
	// What the engine has still to do, and what it has made live.
	todo    []change
	applied map[place]json.RawMessage
	tried   int
	isCalm  bool
	order   []string
}

// A change is an object to apply, or one to delete when there is no manifest.
type change struct {
	at       place
	manifest json.RawMessage
}

func newWorld(seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, seed))
	w := &world{random: random, judge: &judge{}, applied: map[place]json.RawMessage{}}
	w.api = &api{
		random: random, judge: w.judge, live: map[place]client.Object{},
		undelivered: map[string][]place{}, history: map[place][]client.Object{},
	}
	w.start()
	return w
}

// play takes a cluster through all stages of a history. Returns how many it saw, and what was wrong.
func play(stages []stage, seed uint64) (*world, int) {
	w := newWorld(seed)
	together := 0
	for index, next := range stages {
		w.judge.expects(next)
		if !next.Step && w.random.IntN(8) == 0 {
			w.loseAll()
		}
		w.plan(next)
		together++
		isLast := index == len(stages)-1
		isAwaited := !isLast && stages[index+1].Step
		if !isLast && !isAwaited && w.random.IntN(4) == 0 {
			// The engine gets stuck on the way, or the next commit comes before anybody has looked.
			w.todo = w.todo[:w.random.IntN(len(w.todo)+1)]
			w.goOn(w.random.IntN(40))
			continue
		}
		w.goOn(w.random.IntN(200))
		w.calmDown()
		if together > 1 {
			// docs/gitops.md, after a long pause of the engine: a Service may wait until it is touched.
			w.judge.counts.Waited += len(w.judge.stranded(w.api))
			w.touchAll()
			w.calmDown()
		}
		if len(w.judge.stranded(w.api)) > 0 {
			// MetalLB counts a Service that was deleted while its controller started, until the next start.
			w.note("restarts, since a Service waits")
			w.judge.counts.Healed++
			w.start()
			w.calmDown()
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
func (w *world) plan(next stage) {
	wanted := map[place]json.RawMessage{}
	for _, manifest := range next.Objects {
		wanted[placeOf(manifest)] = manifest
	}
	var applies, deletes []change
	for _, kind := range kinds {
		for _, at := range placesIn(wanted, kind) {
			if !bytes.Equal(wanted[at], w.applied[at]) {
				applies = append(applies, change{at, wanted[at]})
			}
		}
		for _, at := range placesIn(w.applied, kind) {
			if wanted[at] == nil && kind != "Namespace" {
				deletes = append(deletes, change{at, nil})
			}
		}
	}
	w.shuffle(deletes)
	w.shuffle(applies)
	way := w.random.IntN(4)
	if way < 2 {
		slices.SortStableFunc(applies, func(one, other change) int {
			return slices.Index(kinds, one.at.kind) - slices.Index(kinds, other.at.kind)
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
	w.note("the engine has %d changes, way %d", len(w.todo), way)
}

func (w *world) shuffle(changes []change) {
	w.random.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
}

// applyNext does one change. What the webhook refuses is tried again after the others.
func (w *world) applyNext() {
	next := w.todo[0]
	w.todo = w.todo[1:]
	if next.manifest == nil {
		w.note("deletes %s", next.at)
		w.api.remove(next.at)
		delete(w.applied, next.at)
		w.tried = 0
		return
	}
	err := w.api.apply(next.at, next.manifest)
	w.note("applies %s: %v", next.at, err)
	if err != nil {
		w.judge.counts.Denied++
		w.todo = append(w.todo, next)
		w.tried++
		return
	}
	w.applied[next.at] = next.manifest
	w.tried = 0
}

func (w *world) isEngineStuck() bool {
	return len(w.todo) > 0 && w.tried >= len(w.todo)
}

// goOn lets so many things happen.
func (w *world) goOn(steps int) {
	for range steps {
		if !w.step() {
			return
		}
		if w.process.isKilled || w.random.IntN(150) == 0 {
			w.note("restarts")
			w.judge.counts.Restarts++
			w.start()
		}
	}
}

// meanwhile lets up to two things happen while a reconciler is at work; now and then the process ends there.
func (w *world) meanwhile() {
	for range w.random.IntN(3) {
		w.step()
	}
	if !w.isCalm && w.random.IntN(1500) == 0 {
		w.note("is killed")
		w.process.isKilled = true
	}
}

// step lets one thing happen: the engine applies, a change is delivered, a reconciler takes a request, again or for the first
// time. False when there is nothing more to happen.
func (w *world) step() bool {
	p := w.process
	var can []func()
	if len(w.todo) > 0 && !w.isEngineStuck() {
		can = append(can, w.applyNext, w.applyNext)
	}
	for _, kind := range kinds {
		if len(w.api.undelivered[kind]) > 0 {
			deliver := func() { p.deliver(kind) }
			can = append(can, deliver, deliver)
		}
	}
	for _, worker := range []*worker{&p.pools, &p.services} {
		if len(worker.queue) > 0 && !worker.isBusy {
			can = append(can, func() { p.work(worker) })
		}
		if len(worker.failed) > 0 {
			can = append(can, worker.retry)
		}
	}
	if len(can) == 0 {
		return false
	}
	if !w.isCalm && w.random.IntN(40) == 0 {
		p.repeat()
	}
	can[w.random.IntN(len(can))]()
	return true
}

// repeat delivers something once more that is known.
func (p *process) repeat() {
	if known := p.inAnyOrder(kinds[p.random.IntN(len(kinds))]); len(known) > 0 {
		p.enqueue(known[0])
	}
}

const mostSteps = 20_000

// calmDown waits until all is applied and delivered, and the queues are empty.
func (w *world) calmDown() {
	w.isCalm = true
	defer func() { w.isCalm = false }()
	for range mostSteps {
		if w.process.isKilled {
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
func (w *world) loseAll() {
	w.note("all is lost")
	clear(w.api.live)
	clear(w.applied)
	w.start()
	w.judge.counts.Rebuilt++
}

func (w *world) touchAll() {
	for _, at := range w.api.places("Service") {
		w.process.enqueue(at)
	}
}

func (w *world) note(format string, values ...any) {
	w.order = append(w.order, fmt.Sprintf(format, values...))
}

func placesIn(manifests map[place]json.RawMessage, kind string) []place {
	var found []place
	for at := range manifests {
		if at.kind == kind {
			found = append(found, at)
		}
	}
	slices.SortFunc(found, func(one, other place) int { return strings.Compare(one.String(), other.String()) })
	return found
}

func placeOf(manifest json.RawMessage) place {
	var head struct {
		Kind     string
		Metadata struct{ Namespace, Name string }
	}
	if err := json.Unmarshal(manifest, &head); err != nil {
		panic(err)
	}
	return place{head.Kind, types.NamespacedName{Namespace: head.Metadata.Namespace, Name: head.Metadata.Name}}
}
