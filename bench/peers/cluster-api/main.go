// What cluster-api's in-cluster IPAM provider does to give COUNT claims an address of one pool, RANGE, within SECONDS: its controller
// makes the sets of the pool and of the addresses in use, and searches the first free one. With `search`, the sets are at hand: only
// the search is left. Its lists of IPAddresses and its writes to the API server are left out.
package main

import (
	"encoding/json"
	"net/netip"
	"os"
	"strconv"
	"syscall"
	"time"

	"go4.org/netipx"
	"sigs.k8s.io/cluster-api-ipam-provider-in-cluster/internal/poolutil"
)

func main() {
	pool, err := poolutil.AddressesToIPSet([]string{os.Args[1]})
	check(err)
	count, seconds := number(os.Args[2]), number(os.Args[3])
	isSearch := len(os.Args) > 4 && os.Args[4] == "search"
	first := pool.Ranges()[0].From()
	used := make([]string, 0, count)

	started, before := time.Now(), cpu()
	limit := time.Duration(seconds) * time.Second
	given := 0
	for ; given < count && time.Since(started) < limit; given++ {
		inUse := &netipx.IPSet{}
		if !isSearch {
			inUse, err = poolutil.AddressesToIPSet(used)
			check(err)
		} else if given > 0 {
			last, err := netip.ParseAddr(used[given-1])
			check(err)
			var builder netipx.IPSetBuilder
			builder.AddRange(netipx.IPRangeFrom(first, last))
			inUse, err = builder.IPSet()
			check(err)
		}
		address, err := poolutil.FindFreeAddress(pool, inUse)
		check(err)
		used = append(used, address.String())
	}
	report(given, time.Since(started), cpu()-before)
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
