// Package util has the provider's own HTTP client and static endpoint. Looking for the operator in a cluster stands in a
// file that needs modules which the proxy does not give: here an endpoint must be given.
package util

import (
	"context"
	"errors"
	"net"

	"cosmossdk.io/log"
)

var errServiceClient = errors.New("the client was asked for the other of HTTP and HTTPS")

// NewServiceDiscoveryAgent gives the agent that the provider uses for an endpoint that is named by hand.
func NewServiceDiscoveryAgent(
	_ context.Context, _ log.Logger, _, _, _ string, endpoint *net.SRV,
) (ServiceDiscoveryAgent, error) {
	if endpoint == nil {
		return nil, errors.New("no endpoint is named")
	}
	return staticServiceDiscoveryAgent(*endpoint), nil
}
