// Cilium's LB-IPAM alone: the part of its operator that gives Services their addresses, from its own packages. The
// whole operator also announces, and does not build without modules that are not published.
//
//	lb-ipam --k8s-kubeconfig-path FILE [--default-lb-service-ipam lbipam|nodeipam|none]
package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/cilium/hive/cell"
	"github.com/spf13/pflag"

	"github.com/cilium/cilium/operator/pkg/lbipam"
	"github.com/cilium/cilium/pkg/hive"
	"github.com/cilium/cilium/pkg/k8s"
	ciliumv2 "github.com/cilium/cilium/pkg/k8s/apis/cilium.io/v2"
	"github.com/cilium/cilium/pkg/k8s/client"
	"github.com/cilium/cilium/pkg/k8s/resource"
	"github.com/cilium/cilium/pkg/k8s/utils"
	"github.com/cilium/cilium/pkg/option"
)

// pools is what the operator's own package provides, which needs modules that are not published.
func pools(lc cell.Lifecycle, cs client.Clientset) resource.Resource[*ciliumv2.CiliumLoadBalancerIPPool] {
	lw := utils.ListerWatcherFromTyped[*ciliumv2.CiliumLoadBalancerIPPoolList](cs.CiliumV2().CiliumLoadBalancerIPPools())
	return resource.New[*ciliumv2.CiliumLoadBalancerIPPool](lc, lw)
}

func main() {
	option.Config.EnableIPv4 = true
	option.Config.EnableIPv6 = true
	// The default of the operator's own flag.
	option.Config.LoadBalancerProtocolDifferentiation = true
	h := hive.New(
		client.Cell,
		lbipam.Cell,
		cell.Provide(func() *option.DaemonConfig {
			return &option.DaemonConfig{EnableBGPControlPlane: true, EnableL2Announcements: true}
		}),
		cell.Provide(k8s.DefaultServiceWatchConfig),
		cell.Config(k8s.DefaultConfig),
		cell.Provide(k8s.ServiceResource, pools),
	)
	h.RegisterFlags(pflag.CommandLine)
	pflag.Parse()
	if err := h.Run(slog.Default()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
