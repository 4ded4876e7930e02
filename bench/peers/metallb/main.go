// MetalLB's own allocator, as its controller calls it: COUNT Services get an address of one pool, RANGE, within SECONDS.
// With `pinned`, each Service names its address, and none is searched.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"go.universe.tf/metallb/internal/allocator"
	"go.universe.tf/metallb/internal/config"
	"go.universe.tf/metallb/internal/ipfamily"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func main() {
	_, block, err := net.ParseCIDR(os.Args[1])
	check(err)
	count, seconds := number(os.Args[2]), number(os.Args[3])
	isPinned := len(os.Args) > 4 && os.Args[4] == "pinned"
	services := make([]*v1.Service, count)
	keys := make([]string, count)
	for i := range services {
		meta := metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("s%d", i)}
		services[i] = &v1.Service{ObjectMeta: meta}
		keys[i] = "default/" + meta.Name
	}
	a := allocator.New(func(string) {})
	pool := &config.Pool{Name: "default", CIDR: []*net.IPNet{block}, AutoAssign: true}
	a.SetPools(&config.Pools{ByName: map[string]*config.Pool{"default": pool}})
	ports := []allocator.Port{{Proto: "TCP", Port: 80}}

	started, before := time.Now(), cpu()
	limit := time.Duration(seconds) * time.Second
	given := 0
	for ; given < count && (given%64 != 0 || time.Since(started) < limit); given++ {
		if isPinned {
			check(a.Assign(keys[given], services[given], []net.IP{at(block, given)}, ports, "", ""))
		} else {
			_, err := a.Allocate(keys[given], services[given], ipfamily.ForCIDR(block), ports, "", "")
			check(err)
		}
	}
	report(given, time.Since(started), cpu()-before)
}

// at is the address of a place in a block.
func at(block *net.IPNet, place int) net.IP {
	ip := append(net.IP{}, block.IP...)
	for i := len(ip) - 1; place > 0; i-- {
		ip[i] += byte(place)
		place >>= 8
	}
	return ip
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	check(err)
	return n
}

func usage() syscall.Rusage {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return used
}

func cpu() time.Duration {
	used := usage()
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func report(given int, wall, used time.Duration) {
	said := map[string]float64{
		"given": float64(given), "wall": wall.Seconds(), "cpu": used.Seconds(), "megabytes": float64(usage().Maxrss) / 1024,
	}
	check(json.NewEncoder(os.Stdout).Encode(said))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
