// Cilium's own LB-IPAM, compiled with this package, in the clusters of simulated: its loop, its stores and its rules are those of
// the module.
package lbipam

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"leasehold.dev/test/cluster/cilium/simulated"

	cilium_api_v2 "github.com/cilium/cilium/pkg/k8s/apis/cilium.io/v2"
	slim_core_v1 "github.com/cilium/cilium/pkg/k8s/slim/k8s/api/core/v1"
)

const (
	namespaceKind = "Namespace"
	poolKind      = "CiliumLoadBalancerIPPool"
	serviceKind   = "Service"
)

var arguments = os.Args[1:]

func TestMain(m *testing.M) {
	os.Args = os.Args[:1]
	os.Exit(m.Run())
}

// TestHistories plays what the arguments say: simulated.Main. LB-IPAM's loop runs in a goroutine, and so each play is in a bubble, in
// which it is known when that loop waits.
func TestHistories(t *testing.T) {
	plane := simulated.Plane{
		Kinds:  []string{namespaceKind, poolKind, serviceKind},
		Decode: decode, Addresses: addressesOf, Faults: conflicts, GivesParts: true, Start: start,
	}
	simulated.Main(arguments, plane, func(play func()) { synctest.Test(t, func(*testing.T) { play() }) })
}

func decode(at simulated.Place, manifest []byte, before simulated.Object) (simulated.Object, error) {
	switch at.Kind {
	case poolKind:
		pool := &cilium_api_v2.CiliumLoadBalancerIPPool{}
		if old, ok := before.(*cilium_api_v2.CiliumLoadBalancerIPPool); ok {
			pool.Status = *old.Status.DeepCopy()
		}
		return pool, json.Unmarshal(manifest, pool)
	case serviceKind:
		service := &slim_core_v1.Service{}
		if old, ok := before.(*slim_core_v1.Service); ok {
			service.Status = *old.Status.DeepCopy()
		}
		if err := json.Unmarshal(manifest, service); err != nil {
			return nil, err
		}
		for index := range service.Spec.Ports {
			if service.Spec.Ports[index].Protocol == "" {
				service.Spec.Ports[index].Protocol = slim_core_v1.ProtocolTCP
			}
		}
		if len(service.Spec.IPFamilies) == 0 {
			service.Spec.IPFamilies = []slim_core_v1.IPFamily{slim_core_v1.IPv4Protocol}
		}
		return service, nil
	}
	namespace := &slim_core_v1.Namespace{}
	return namespace, json.Unmarshal(manifest, namespace)
}

func addressesOf(object simulated.Object) []string {
	var addresses []string
	for _, ingress := range object.(*slim_core_v1.Service).Status.LoadBalancer.Ingress {
		addresses = append(addresses, ingress.IP)
	}
	slices.Sort(addresses)
	return addresses
}

// conflicts are the pools of which LB-IPAM uses one only.
func conflicts(api *simulated.API) []string {
	var found []string
	for _, at := range api.Places(poolKind) {
		for _, condition := range api.Live(at).(*cilium_api_v2.CiliumLoadBalancerIPPool).Status.Conditions {
			if condition.Type == ciliumPoolConflict && condition.Status == "True" {
				found = append(found, strings.TrimSpace(at.String()+": "+condition.Message))
			}
		}
	}
	return found
}
