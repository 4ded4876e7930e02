package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-kit/log"
	metallbv1beta1 "go.universe.tf/metallb/api/v1beta1"
	"go.universe.tf/metallb/internal/allocator"
	"go.universe.tf/metallb/internal/config"
	"go.universe.tf/metallb/internal/k8s/controllers"
	"go.universe.tf/metallb/leasehold/simulated"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A worker is one of the two reconcilers with its queue. It takes its requests in any order.
type worker struct {
	reconciler reconcile.Reconciler
	queue      []ctrl.Request
	// Requests that failed and come again later.
	failed []ctrl.Request
	isBusy bool
}

func (w *worker) add(request ctrl.Request) {
	if !slices.Contains(w.queue, request) {
		w.queue = append(w.queue, request)
	}
}

// A process is MetalLB's controller between two starts.
type process struct {
	client.Client
	*simulated.World
	reload   chan event.GenericEvent
	pools    worker
	services worker
}

func start(w *simulated.World) simulated.Process {
	p := &process{World: w, reload: make(chan event.GenericEvent, 4096)}
	c := &controller{client: writer{p}, ips: newAllocator()}
	reload := func() { p.reload <- controllers.NewReloadEvent() }
	p.pools.reconciler = &controllers.PoolReconciler{
		Client: p, Logger: silent, Namespace: metallbNamespace, ValidateConfig: config.ValidationFor("native"),
		Handler: func(l log.Logger, pools *config.Pools) controllers.SyncState {
			p.Meanwhile()
			return c.SetPools(l, pools)
		},
		ForceReload: reload,
	}
	services := &controllers.ServiceReconciler{Client: p, Logger: silent, Namespace: metallbNamespace, Reload: p.reload}
	services.Handler = afterOthers(p, c.SetBalancer)
	p.services.reconciler = services
	for at := range w.Seen {
		p.Repeats(at)
	}
	return p
}

const metallbNamespace = "metallb-system"

// newAllocator calls the version's own: from 0.16 on it is told whom to tell of counts.
func newAllocator() *allocator.Allocator {
	switch made := any(allocator.New).(type) {
	case func() *allocator.Allocator:
		return made()
	case func(func(string)) *allocator.Allocator:
		return made(func(string) {})
	}
	panic("allocator.New has another signature")
}

// afterOthers lets the rest of the world go on before a handler takes its lock.
func afterOthers[Endpoints any](
	p *process, handle func(log.Logger, string, *v1.Service, Endpoints) controllers.SyncState,
) func(log.Logger, string, *v1.Service, Endpoints) controllers.SyncState {
	return func(l log.Logger, name string, service *v1.Service, endpoints Endpoints) controllers.SyncState {
		p.Meanwhile()
		return handle(l, name, service, endpoints)
	}
}

func (p *process) Sees(at simulated.Place, _ simulated.Object) {
	p.Repeats(at)
}

func (p *process) Repeats(at simulated.Place) {
	request := ctrl.Request{NamespacedName: types.NamespacedName{Namespace: at.Namespace, Name: at.Name}}
	if at.Kind == "Service" {
		p.services.add(request)
	} else {
		p.pools.add(request)
	}
}

// Can reconciles one request, again or for the first time.
func (p *process) Can() []func() {
	var can []func()
	for _, worker := range []*worker{&p.pools, &p.services} {
		if len(worker.queue) > 0 && !worker.isBusy {
			can = append(can, func() { p.work(worker) })
		}
		if len(worker.failed) > 0 {
			can = append(can, worker.retry)
		}
	}
	return can
}

// Stop has nothing to end: a process works only when it is told to.
func (p *process) Stop() {}

// work reconciles one request.
func (p *process) work(w *worker) {
	chosen := p.Random.IntN(len(w.queue))
	request := w.queue[chosen]
	w.queue = slices.Delete(w.queue, chosen, chosen+1)
	w.isBusy = true
	result, err := w.reconciler.Reconcile(context.Background(), request)
	w.isBusy = false
	p.Note("reconciled %s: %v", request, err)
	if err != nil || result.RequeueAfter > 0 {
		w.failed = append(w.failed, request)
	}
	for len(p.reload) > 0 {
		reload := (<-p.reload).Object
		p.services.add(ctrl.Request{NamespacedName: client.ObjectKeyFromObject(reload)})
	}
}

// retry puts what failed into the queue again.
func (w *worker) retry() {
	for _, request := range w.failed {
		w.add(request)
	}
	w.failed = nil
}

// Get reads what the watches have brought.
func (p *process) Get(_ context.Context, name types.NamespacedName, into client.Object, _ ...client.GetOption) error {
	service, isService := into.(*v1.Service)
	if !isService {
		return fmt.Errorf("nobody asks for %T", into)
	}
	seen, ok := p.Seen[simulated.Place{Kind: "Service", Namespace: name.Namespace, Name: name.Name}].(*v1.Service)
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "services"}, name.Name)
	}
	seen.DeepCopyInto(service)
	return nil
}

// List reads what the watches have brought, in any order. There are none of the other kinds.
func (p *process) List(_ context.Context, into client.ObjectList, _ ...client.ListOption) error {
	switch list := into.(type) {
	case *v1.ServiceList:
		for _, at := range p.InAnyOrder("Service") {
			list.Items = append(list.Items, *p.Seen[at].(*v1.Service).DeepCopy())
		}
	case *v1.NamespaceList:
		for _, at := range p.InAnyOrder("Namespace") {
			list.Items = append(list.Items, *p.Seen[at].(*v1.Namespace).DeepCopy())
		}
	case *metallbv1beta1.IPAddressPoolList:
		for _, at := range p.InAnyOrder("IPAddressPool") {
			list.Items = append(list.Items, *p.Seen[at].(*metallbv1beta1.IPAddressPool).DeepCopy())
		}
	}
	return nil
}
