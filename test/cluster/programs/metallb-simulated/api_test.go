package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-kit/log"
	metallbv1beta1 "go.universe.tf/metallb/api/v1beta1"
	"go.universe.tf/metallb/internal/config"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The kinds that the controller reads. An engine applies them in this order when it applies in waves.
var kinds = []string{"Namespace", "IPAddressPool", "Service"}

// A place is the kind, the namespace and the name of an object.
type place struct {
	kind string
	types.NamespacedName
}

func (p place) String() string {
	return p.kind + " " + p.NamespacedName.String()
}

// An api holds what is live, and tells it to one watcher.
type api struct {
	random  *rand.Rand
	live    map[place]client.Object
	version int
	// What the watch of each kind has not delivered yet. Within a kind the order is that of the changes.
	undelivered map[string][]place
	history     map[place][]client.Object
	judge       *judge
}

// apply makes an object live as a server-side apply does: the status and MetalLB's own annotation stay.
func (a *api) apply(at place, manifest []byte) error {
	object, err := decoded(at.kind, manifest)
	if err != nil {
		return err
	}
	before := a.live[at]
	if service, ok := object.(*v1.Service); ok {
		setDefaults(service)
		if old, ok := before.(*v1.Service); ok {
			service.Status = old.Status
			keepAllocatedFrom(old, service)
		}
	}
	if pool, ok := object.(*metallbv1beta1.IPAddressPool); ok {
		if err := a.admits(at, pool); err != nil {
			return err
		}
	}
	a.put(at, object)
	return nil
}

// admits is MetalLB's webhook for pools: it refuses what its configuration would not take with all other live pools.
func (a *api) admits(at place, pool *metallbv1beta1.IPAddressPool) error {
	if a.judge.now.Step && pool.Labels["app.kubernetes.io/managed-by"] == "leasehold" {
		return nil
	}
	if pool.Spec.AutoAssign == nil {
		// The default of the resource definition.
		pool.Spec.AutoAssign = new(bool)
		*pool.Spec.AutoAssign = true
	}
	resources := config.ClusterResources{Pools: []metallbv1beta1.IPAddressPool{*pool}}
	for _, other := range a.places("IPAddressPool") {
		if other != at {
			resources.Pools = append(resources.Pools, *a.live[other].(*metallbv1beta1.IPAddressPool))
		}
	}
	_, err := config.For(resources, config.ValidationFor("native"))
	return err
}

func (a *api) remove(at place) {
	if a.live[at] != nil {
		delete(a.live, at)
		a.tell(at)
	}
}

func (a *api) put(at place, object client.Object) {
	a.version++
	object.SetResourceVersion(fmt.Sprint(a.version))
	a.live[at] = object
	a.tell(at)
}

func (a *api) tell(at place) {
	a.undelivered[at.kind] = append(a.undelivered[at.kind], at)
	a.history[at] = append(a.history[at], a.live[at])
}

// updateStatus writes a status and annotations, unless the writer had seen an older object. Now and then it fails though it did
// nothing wrong, before or after it has written.
func (a *api) updateStatus(service *v1.Service) error {
	at := place{"Service", client.ObjectKeyFromObject(service)}
	resource := schema.GroupResource{Resource: "services"}
	live, ok := a.live[at].(*v1.Service)
	if !ok {
		return apierrors.NewNotFound(resource, service.Name)
	}
	if live.ResourceVersion != service.ResourceVersion || a.random.IntN(20) == 0 {
		return apierrors.NewConflict(resource, service.Name, errors.New("the object has been modified"))
	}
	written := live.DeepCopy()
	written.Status = service.Status
	written.Annotations = service.Annotations
	written = written.DeepCopy()
	a.put(at, written)
	a.judge.seesStatus(a, at, written)
	if a.random.IntN(50) == 0 {
		return apierrors.NewTimeoutError("the answer is lost", 1)
	}
	return nil
}

// places are those of all live objects of a kind, in order.
func (a *api) places(kind string) []place {
	return placesOf(a.live, kind)
}

func placesOf(objects map[place]client.Object, kind string) []place {
	var found []place
	for at := range objects {
		if at.kind == kind {
			found = append(found, at)
		}
	}
	slices.SortFunc(found, func(one, other place) int { return strings.Compare(one.String(), other.String()) })
	return found
}

func decoded(kind string, manifest []byte) (client.Object, error) {
	var object client.Object
	switch kind {
	case "Namespace":
		object = &v1.Namespace{}
	case "IPAddressPool":
		object = &metallbv1beta1.IPAddressPool{}
	case "Service":
		object = &v1.Service{}
	}
	return object, json.Unmarshal(manifest, object)
}

// setDefaults fills in what an API server with two families does, as far as MetalLB reads it.
func setDefaults(service *v1.Service) {
	spec := &service.Spec
	for index := range spec.Ports {
		if spec.Ports[index].Protocol == "" {
			spec.Ports[index].Protocol = v1.ProtocolTCP
		}
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []v1.IPFamily{v1.IPv4Protocol}
	}
	for _, family := range spec.IPFamilies {
		if family == v1.IPv4Protocol {
			spec.ClusterIPs = append(spec.ClusterIPs, "10.96.0.1")
		} else {
			spec.ClusterIPs = append(spec.ClusterIPs, "fd96::1")
		}
	}
	spec.ClusterIP = spec.ClusterIPs[0]
}

func keepAllocatedFrom(old, service *v1.Service) {
	for key, value := range old.Annotations {
		if strings.HasSuffix(key, "/ip-allocated-from-pool") {
			if service.Annotations == nil {
				service.Annotations = map[string]string{}
			}
			service.Annotations[key] = value
		}
	}
}

// The part of MetalLB's own client that its controller writes with.
type writer struct {
	*process
}

func (w writer) UpdateStatus(service *v1.Service) error {
	if w.isKilled {
		return errors.New("killed")
	}
	err := w.api.updateStatus(service)
	if err != nil {
		w.judge.counts.Failed++
	}
	w.note("writes %s/%s %v: %v", service.Namespace, service.Name, addressesOf(service), err)
	return err
}

func (w writer) Infof(service *v1.Service, _, text string, values ...interface{}) {
	w.note("%s/%s: %s", service.Namespace, service.Name, fmt.Sprintf(text, values...))
}

func (w writer) Errorf(service *v1.Service, _, text string, values ...interface{}) {
	w.note("%s/%s: %s", service.Namespace, service.Name, fmt.Sprintf(text, values...))
}

func addressesOf(service *v1.Service) []string {
	var addresses []string
	for _, ingress := range service.Status.LoadBalancer.Ingress {
		addresses = append(addresses, ingress.IP)
	}
	slices.Sort(addresses)
	return addresses
}

var silent = log.NewNopLogger()
