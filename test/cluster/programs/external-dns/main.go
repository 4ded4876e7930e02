// external-dns without the providers of clouds: its sources, its plan, its registry of TXT records and its provider in
// memory, as its own main joins them. Each request is one round; the answer has the records after it, as JSON:
//
//	external-dns PORT ZONE[,ZONE]... [FLAG]...
package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	log "github.com/sirupsen/logrus"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns/validation"
	"sigs.k8s.io/external-dns/plan"
	"sigs.k8s.io/external-dns/provider/inmemory"
	"sigs.k8s.io/external-dns/registry/txt"
	"sigs.k8s.io/external-dns/source"
	"sigs.k8s.io/external-dns/source/annotations"
	"sigs.k8s.io/external-dns/source/wrappers"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	cfg := externaldns.NewConfig()
	must(0, cfg.ParseFlags(os.Args[3:]))
	must(0, validation.ValidateConfig(cfg))
	annotations.SetAnnotationPrefix(cfg.AnnotationPrefix)
	crlog.SetLogger(logr.Discard())

	endpoints := must(wrappers.Build(ctx, must(source.NewSourceConfig(cfg))))
	provider := inmemory.NewInMemoryProvider(inmemory.InMemoryInitZones(strings.Split(os.Args[2], ",")))
	registry := must(txt.New(cfg, provider))

	// One round of external-dns's own loop.
	round := func() ([]*endpoint.Endpoint, error) {
		current, err := registry.Records(ctx)
		if err != nil {
			return nil, err
		}
		found, err := endpoints.Endpoints(ctx)
		if err != nil {
			return nil, err
		}
		desired, err := registry.AdjustEndpoints(found)
		if err != nil {
			return nil, err
		}
		changes := (&plan.Plan{
			Policies:       []plan.Policy{plan.Policies[cfg.Policy]},
			Current:        current,
			Desired:        desired,
			DomainFilter:   endpoint.MatchAllDomainFilters{registry.GetDomainFilter()},
			ManagedRecords: cfg.ManagedDNSRecordTypes,
			OwnerID:        registry.OwnerID(),
		}).Calculate().Changes
		if changes.HasChanges() {
			if err := registry.ApplyChanges(ctx, changes); err != nil {
				return nil, err
			}
		}
		return provider.Records(ctx)
	}

	var one sync.Mutex
	http.HandleFunc("/", func(answer http.ResponseWriter, _ *http.Request) {
		one.Lock()
		defer one.Unlock()
		records, err := round()
		if err != nil {
			http.Error(answer, err.Error(), http.StatusInternalServerError)
			return
		}
		must(0, json.NewEncoder(answer).Encode(records))
	})
	log.Fatal(http.Serve(must(net.Listen("tcp", "127.0.0.1:"+os.Args[1])), nil))
}
