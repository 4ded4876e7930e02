// Traefik without its certificates from DNS providers, which take modules that the proxy lacks: its provider for the
// Gateway API, which reads routes, tells their status and finds the addresses behind them, its provider for Ingress,
// and its muxer, which picks a route for a request. Between them stands a reverse proxy of Go's library. The header
// Routed-To of an answer names the server that gave it, as Traefik names it:
//
//	KUBECONFIG=FILE traefik PORT
package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"sync/atomic"

	"github.com/rs/zerolog/log"
	"github.com/traefik/traefik/v3/pkg/config/dynamic"
	"github.com/traefik/traefik/v3/pkg/middlewares/requestdecorator"
	muxer "github.com/traefik/traefik/v3/pkg/muxer/http"
	"github.com/traefik/traefik/v3/pkg/provider/kubernetes/gateway"
	"github.com/traefik/traefik/v3/pkg/provider/kubernetes/ingress"
	"github.com/traefik/traefik/v3/pkg/safe"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal().Err(err).Send()
	}
	return value
}

// routesOf returns a handler that routes by one configuration of each provider.
func routesOf(configurations map[string]*dynamic.HTTPConfiguration) http.Handler {
	routes := muxer.NewMuxer(must(muxer.NewSyntaxParser()), nil)
	for provider, configuration := range configurations {
		for _, router := range configuration.Routers {
			priority := router.Priority
			if priority == 0 {
				priority = muxer.GetRulePriority(router.Rule)
			}
			handler := serviceOf(configuration, router.Service)
			must(0, routes.AddRoute(router.Rule, router.RuleSyntax, priority, provider, handler))
		}
	}
	return routes
}

// serviceOf returns a handler that asks the first server of a service, as Traefik found it.
func serviceOf(configuration *dynamic.HTTPConfiguration, name string) http.Handler {
	service := configuration.Services[name]
	for service != nil && service.Weighted != nil && len(service.Weighted.Services) > 0 {
		name = service.Weighted.Services[0].Name
		service = configuration.Services[name]
	}
	if service == nil || service.LoadBalancer == nil || len(service.LoadBalancer.Servers) == 0 {
		return http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
			http.Error(answer, "no server of "+name, http.StatusServiceUnavailable)
		})
	}
	proxy := httputil.NewSingleHostReverseProxy(must(url.Parse(service.LoadBalancer.Servers[0].URL)))
	return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		answer.Header().Set("Routed-To", name)
		proxy.ServeHTTP(answer, request)
	})
}

func main() {
	gateways := &gateway.Provider{EntryPoints: map[string]gateway.Entrypoint{"web": {Address: ":80"}}}
	gateways.SetDefaults()
	gateways.StatusAddress = &gateway.StatusAddress{IP: "127.0.0.1"}
	must(0, gateways.Init())
	ingresses := &ingress.Provider{}
	must(0, ingresses.Init())

	messages := make(chan dynamic.Message)
	pool := safe.NewPool(context.Background())
	must(0, gateways.Provide(messages, pool))
	must(0, ingresses.Provide(messages, pool))

	var current atomic.Pointer[http.Handler]
	go func() {
		configurations := map[string]*dynamic.HTTPConfiguration{}
		for message := range messages {
			if message.Configuration == nil || message.Configuration.HTTP == nil {
				continue
			}
			configurations[message.ProviderName] = message.Configuration.HTTP
			routes := routesOf(configurations)
			current.Store(&routes)
		}
	}()
	server := http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		routes := current.Load()
		if routes == nil {
			http.Error(answer, "nothing read yet", http.StatusServiceUnavailable)
			return
		}
		// It finds the host that the muxer matches.
		requestdecorator.New(nil).ServeHTTP(answer, request, (*routes).ServeHTTP)
	})
	log.Fatal().Err(http.Serve(must(net.Listen("tcp", ":"+os.Args[1])), server)).Send()
}
