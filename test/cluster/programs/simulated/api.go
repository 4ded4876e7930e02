package simulated

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Place is the kind, the namespace and the name of an object.
type Place struct {
	Kind, Namespace, Name string
}

func (p Place) String() string {
	return p.Kind + " " + p.service()
}

// service is `namespace/name`.
func (p Place) service() string {
	return p.Namespace + "/" + p.Name
}

// An Object is what the API has in a place, as the type that the controller reads.
type Object interface {
	GetResourceVersion() string
	SetResourceVersion(string)
}

// Why a write failed.
var (
	// ErrGone: there is no such object.
	ErrGone = errors.New("the object is not there")
	// ErrConflict: the object is another one than the writer had seen. Now and then it comes without a reason.
	ErrConflict = errors.New("the object has been modified")
	// ErrLost: it was written, and the answer got lost.
	ErrLost = errors.New("the answer is lost")
	// ErrKilled: the process is no more.
	ErrKilled = errors.New("killed")
)

// An API holds what is live, and tells it to one watcher.
type API struct {
	plane   Plane
	random  *rand.Rand
	live    map[Place]Object
	version int
	// What the watch of each kind has not delivered yet. Within a kind the order is that of the changes.
	undelivered map[string][]Place
	history     map[Place][]Object
	judge       *judge
	// No write fails without a reason.
	isReliable bool
}

// Live is the object in a place, or nil.
func (a *API) Live(at Place) Object {
	return a.live[at]
}

// Now is the stage that the engine applies.
func (a *API) Now() Stage {
	return a.judge.now
}

// apply makes an object live as a server-side apply does.
func (a *API) apply(at Place, manifest []byte) error {
	object, err := a.plane.Decode(at, manifest, a.live[at])
	if err != nil {
		return err
	}
	if a.plane.Admits != nil {
		if err := a.plane.Admits(a, at, object); err != nil {
			return err
		}
	}
	a.put(at, object)
	return nil
}

func (a *API) remove(at Place) {
	if a.live[at] != nil {
		delete(a.live, at)
		a.tell(at)
	}
}

func (a *API) put(at Place, object Object) {
	a.version++
	object.SetResourceVersion(fmt.Sprint(a.version))
	a.live[at] = object
	a.tell(at)
}

func (a *API) tell(at Place) {
	a.undelivered[at.Kind] = append(a.undelivered[at.Kind], at)
	a.history[at] = append(a.history[at], a.live[at])
}

// write changes a live object for the controller: change gives the new one, which the judge looks at when it is a Service.
func (a *API) write(at Place, change func(live Object) (Object, error)) error {
	live := a.live[at]
	if live == nil {
		return ErrGone
	}
	if !a.isReliable && a.random.IntN(20) == 0 {
		return ErrConflict
	}
	written, err := change(live)
	if err != nil {
		return err
	}
	if isSame(live, written) {
		// The API server makes no new version of it.
		return nil
	}
	a.put(at, written)
	if at.Kind == "Service" {
		a.judge.seesStatus(a, at, a.plane.Addresses(live))
	}
	if !a.isReliable && a.random.IntN(50) == 0 {
		return ErrLost
	}
	return nil
}

func isSame(one, other Object) bool {
	texts := [2][]byte{}
	for index, object := range []Object{one, other} {
		text, err := json.Marshal(object)
		if err != nil {
			panic(err)
		}
		texts[index] = text
	}
	return bytes.Equal(texts[0], texts[1])
}

// Places are those of all live objects of a kind, in order.
func (a *API) Places(kind string) []Place {
	return placesOf(a.live, kind)
}

func placesOf[Value any](all map[Place]Value, kind string) []Place {
	var found []Place
	for at := range all {
		if at.Kind == kind {
			found = append(found, at)
		}
	}
	slices.SortFunc(found, func(one, other Place) int { return strings.Compare(one.String(), other.String()) })
	return found
}
