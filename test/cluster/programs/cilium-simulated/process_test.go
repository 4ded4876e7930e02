package lbipam

import (
	"context"
	"encoding/json"
	"log/slog"
	"reflect"
	"slices"
	"testing/synctest"

	"github.com/cilium/hive/job"
	meta_v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"leasehold.dev/test/cluster/cilium/simulated"

	cilium_api_v2 "github.com/cilium/cilium/pkg/k8s/apis/cilium.io/v2"
	cilium_api_v2alpha1 "github.com/cilium/cilium/pkg/k8s/apis/cilium.io/v2alpha1"
	"github.com/cilium/cilium/pkg/k8s/resource"
	slim_core_v1 "github.com/cilium/cilium/pkg/k8s/slim/k8s/api/core/v1"
	client_typed_v1 "github.com/cilium/cilium/pkg/k8s/slim/k8s/client/clientset/versioned/typed/core/v1"
)

// A process is LB-IPAM between two starts.
type process struct {
	*simulated.World
	pools    *feed[*cilium_api_v2.CiliumLoadBalancerIPPool]
	services *feed[*slim_core_v1.Service]
	ipam     *LBIPAM
	context  context.Context
	end      func()
	isBusy   bool
}

func start(w *simulated.World) simulated.Process {
	p := &process{World: w}
	p.pools = &feed[*cilium_api_v2.CiliumLoadBalancerIPPool]{process: p, kind: poolKind}
	p.services = &feed[*slim_core_v1.Service]{process: p, kind: serviceKind}
	p.context, p.end = context.WithCancel(context.Background())
	params := lbIPAMParams{
		logger:    slog.New(slog.DiscardHandler),
		lbClasses: []string{cilium_api_v2alpha1.BGPLoadBalancerClass, cilium_api_v2alpha1.L2AnnounceLoadBalancerClass},
		// Both families are on, as in the operator's own configuration.
		ipv4Enabled: true, ipv6Enabled: true,
		poolClient: poolWriter{p}, svcClient: serviceWriter{process: p},
		poolResource: p.pools, svcResource: p.services,
		jobGroup: group{process: p}, metrics: newMetrics(), defaultIPAM: true,
	}
	// Before 1.19 it is an option of the operator, on by default: Services share one port number by TCP and by UDP.
	if option := reflect.ValueOf(&params).Elem().FieldByName("lbProtoDiff"); option.IsValid() {
		*(*bool)(option.Addr().UnsafePointer()) = true
	}
	p.ipam = newLBIPAM(params)
	p.run()
	return p
}

// run starts LB-IPAM's loop and returns when it waits for an event.
func (p *process) run() {
	go p.ipam.Run(p.context, nil)
	synctest.Wait()
}

// A group gets a job when LB-IPAM goes back to sleep, as it does without a pool: its own loop, anew.
type group struct {
	job.Group
	*process
}

func (g group) Add(...job.Job) {
	if g.context.Err() == nil {
		g.Note("sleeps")
		go g.ipam.Run(g.context, nil)
	}
}

func (p *process) Stop() {
	p.end()
	p.pools.close()
	p.services.close()
	synctest.Wait()
}

func (p *process) Sees(at simulated.Place, _ simulated.Object) {
	p.Repeats(at)
}

func (p *process) Repeats(at simulated.Place) {
	key := resource.Key{Namespace: at.Namespace, Name: at.Name}
	switch at.Kind {
	case poolKind:
		p.pools.enqueue(key)
	case serviceKind:
		p.services.enqueue(key)
	}
}

// Can hands one event to LB-IPAM.
func (p *process) Can() []func() {
	if p.isBusy {
		return nil
	}
	return append(p.pools.can(), p.services.can()...)
}

// A feed is a resource.Resource: it hands LB-IPAM the events of a kind, in any order of the keys.
type feed[T runtime.Object] struct {
	resource.Resource[T]
	process *process
	kind    string
	// The channel of the subscriber; nil without one.
	events chan resource.Event[T]
	queue  []resource.Key
	failed []resource.Key
	// Keys of the first list that were not handed over yet: the sync event comes after them.
	first  map[resource.Key]bool
	synced bool
	known  map[resource.Key]T
}

// Events begins with all that the watch has brought.
func (f *feed[T]) Events(context.Context, ...resource.EventsOpt) <-chan resource.Event[T] {
	*f = feed[T]{
		process: f.process, kind: f.kind, events: make(chan resource.Event[T]),
		first: map[resource.Key]bool{}, known: map[resource.Key]T{},
	}
	for _, at := range f.process.InAnyOrder(f.kind) {
		key := resource.Key{Namespace: at.Namespace, Name: at.Name}
		f.first[key] = true
		f.enqueue(key)
	}
	return f.events
}

func (f *feed[T]) close() {
	if f.events != nil {
		close(f.events)
		f.events = nil
	}
}

func (f *feed[T]) enqueue(key resource.Key) {
	if f.events != nil && !slices.Contains(f.queue, key) {
		f.queue = append(f.queue, key)
	}
}

func (f *feed[T]) can() []func() {
	var can []func()
	if len(f.queue) > 0 {
		can = append(can, f.emitKey)
	}
	if f.events != nil && !f.synced && len(f.first) == 0 {
		can = append(can, func() {
			f.emit(resource.Event[T]{Kind: resource.Sync}, func(err error) { f.synced = err == nil })
		})
	}
	if len(f.failed) > 0 {
		can = append(can, func() {
			for _, key := range f.failed {
				f.enqueue(key)
			}
			f.failed = nil
		})
	}
	return can
}

// emitKey hands over what is known of a key now. One that came and went unseen gives no event.
func (f *feed[T]) emitKey() {
	chosen := f.process.Random.IntN(len(f.queue))
	key := f.queue[chosen]
	event := resource.Event[T]{Kind: resource.Upsert, Key: key}
	seen, isThere := f.process.Seen[simulated.Place{Kind: f.kind, Namespace: key.Namespace, Name: key.Name}].(T)
	known, wasKnown := f.known[key]
	switch {
	case isThere:
		event.Object = seen
	case wasKnown:
		event.Kind, event.Object = resource.Delete, known
	}
	f.queue = slices.Delete(f.queue, chosen, chosen+1)
	if !isThere && !wasKnown {
		delete(f.first, key)
		return
	}
	// LB-IPAM may subscribe anew while it handles this.
	first := f.first
	isTaken := f.emit(event, func(err error) {
		if err != nil {
			f.failed = append(f.failed, key)
		} else if event.Kind == resource.Delete {
			delete(f.known, key)
		}
	})
	if !isTaken {
		f.enqueue(key)
		return
	}
	delete(first, key)
}

// emit hands over an event and returns once LB-IPAM waits again. False when LB-IPAM does not listen to this kind now.
func (f *feed[T]) emit(event resource.Event[T], done func(error)) bool {
	if event.Kind == resource.Upsert {
		f.known[event.Key] = event.Object
	}
	event.Done = func(err error) {
		f.process.Note("%s of %s %s: %v", event.Kind, f.kind, event.Key, err)
		done(err)
	}
	select {
	case f.events <- event:
	default:
		return false
	}
	f.process.isBusy = true
	synctest.Wait()
	f.process.isBusy = false
	return true
}

// What LB-IPAM writes the status of pools and of Services with: a JSON patch that replaces all of it.
type poolWriter struct{ *process }

func (w poolWriter) Patch(
	_ context.Context, name string, _ types.PatchType, data []byte, _ meta_v1.PatchOptions, _ ...string,
) (*cilium_api_v2.CiliumLoadBalancerIPPool, error) {
	at := simulated.Place{Kind: poolKind, Name: name}
	return nil, w.patch(at, func(live simulated.Object) (simulated.Object, error) {
		written := live.(*cilium_api_v2.CiliumLoadBalancerIPPool).DeepCopy()
		return written, replaceStatus(data, &written.Status)
	})
}

type serviceWriter struct {
	client_typed_v1.ServiceInterface
	*process
	namespace string
}

func (w serviceWriter) Services(namespace string) client_typed_v1.ServiceInterface {
	return serviceWriter{process: w.process, namespace: namespace}
}

func (w serviceWriter) Patch(
	_ context.Context, name string, _ types.PatchType, data []byte, _ meta_v1.PatchOptions, _ ...string,
) (*slim_core_v1.Service, error) {
	at := simulated.Place{Kind: serviceKind, Namespace: w.namespace, Name: name}
	return nil, w.patch(at, func(live simulated.Object) (simulated.Object, error) {
		written := live.(*slim_core_v1.Service).DeepCopy()
		err := replaceStatus(data, &written.Status)
		w.Note("%s gets %v", at, addressesOf(written))
		return written, err
	})
}

func (p *process) patch(at simulated.Place, change func(simulated.Object) (simulated.Object, error)) error {
	p.Meanwhile()
	return p.Write(at, change)
}

func replaceStatus[Status any](data []byte, status *Status) error {
	var patches []struct{ Value Status }
	if err := json.Unmarshal(data, &patches); err != nil {
		return err
	}
	*status = patches[0].Value
	return nil
}
