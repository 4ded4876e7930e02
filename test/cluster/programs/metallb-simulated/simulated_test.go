// MetalLB's own controller, compiled with this package, in the clusters of simulated: its reconcilers, its allocator and its
// handlers are those of the module.
package main

import (
	"os"
	"testing"

	"go.universe.tf/metallb/leasehold/simulated"
)

func TestMain(*testing.M) {
	plane := simulated.Plane{
		Kinds:  []string{"Namespace", "IPAddressPool", "Service"},
		Decode: decode, Admits: admits, Addresses: addressesOf, Start: start,
	}
	simulated.Main(os.Args[1:], plane, func(play func()) { play() })
}
