package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-kit/log"
	metallbv1beta1 "go.universe.tf/metallb/api/v1beta1"
	"go.universe.tf/metallb/internal/config"
	"go.universe.tf/metallb/leasehold/simulated"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// decode keeps the status and MetalLB's own annotation of the object before, as a server-side apply does.
func decode(at simulated.Place, manifest []byte, before simulated.Object) (simulated.Object, error) {
	var object client.Object
	switch at.Kind {
	case "Namespace":
		object = &v1.Namespace{}
	case "IPAddressPool":
		object = &metallbv1beta1.IPAddressPool{}
	case "Service":
		object = &v1.Service{}
	}
	if err := json.Unmarshal(manifest, object); err != nil {
		return nil, err
	}
	if service, ok := object.(*v1.Service); ok {
		setDefaults(service)
		if old, ok := before.(*v1.Service); ok {
			service.Status = old.Status
			keepAllocatedFrom(old, service)
		}
	}
	return object, nil
}

// admits is MetalLB's webhook for pools: it refuses what its configuration would not take with all other live pools.
func admits(api *simulated.API, at simulated.Place, object simulated.Object) error {
	pool, ok := object.(*metallbv1beta1.IPAddressPool)
	if !ok || api.Now().Step && pool.Labels["app.kubernetes.io/managed-by"] == "leasehold" {
		return nil
	}
	if pool.Spec.AutoAssign == nil {
		// The default of the resource definition.
		pool.Spec.AutoAssign = new(bool)
		*pool.Spec.AutoAssign = true
	}
	resources := config.ClusterResources{Pools: []metallbv1beta1.IPAddressPool{*pool}}
	for _, other := range api.Places("IPAddressPool") {
		if other != at {
			resources.Pools = append(resources.Pools, *api.Live(other).(*metallbv1beta1.IPAddressPool))
		}
	}
	_, err := config.For(resources, config.ValidationFor("native"))
	return err
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

// UpdateStatus writes a status and annotations, unless the writer had seen an older object.
func (w writer) UpdateStatus(service *v1.Service) error {
	w.Note("writes %s/%s %v", service.Namespace, service.Name, addressesOf(service))
	at := simulated.Place{Kind: "Service", Namespace: service.Namespace, Name: service.Name}
	err := w.Write(at, func(live simulated.Object) (simulated.Object, error) {
		if live.GetResourceVersion() != service.ResourceVersion {
			return nil, simulated.ErrConflict
		}
		written := live.(*v1.Service).DeepCopy()
		written.Status = *service.Status.DeepCopy()
		written.Annotations = service.DeepCopy().Annotations
		return written, nil
	})
	resource := schema.GroupResource{Resource: "services"}
	switch {
	case errors.Is(err, simulated.ErrGone):
		return apierrors.NewNotFound(resource, service.Name)
	case errors.Is(err, simulated.ErrConflict):
		return apierrors.NewConflict(resource, service.Name, err)
	case errors.Is(err, simulated.ErrLost):
		return apierrors.NewTimeoutError(err.Error(), 1)
	}
	return err
}

func (w writer) Infof(service *v1.Service, _, text string, values ...interface{}) {
	w.Note("%s/%s: "+text, append([]interface{}{service.Namespace, service.Name}, values...)...)
}

func (w writer) Errorf(service *v1.Service, kind, text string, values ...interface{}) {
	w.Infof(service, kind, text, values...)
}

func addressesOf(object simulated.Object) []string {
	var addresses []string
	for _, ingress := range object.(*v1.Service).Status.LoadBalancer.Ingress {
		addresses = append(addresses, ingress.IP)
	}
	slices.Sort(addresses)
	return addresses
}

var silent = log.NewNopLogger()
