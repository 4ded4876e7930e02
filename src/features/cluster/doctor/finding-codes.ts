import type { CodeExplanation, FeatureCode } from '../../../core/model/codes/problem-codes.ts';

/**
 * What `leasehold doctor` checks, by code, in the order of the report; the checks of features follow. Scripts and tests
 * rely on the codes; the wording can change. A code is never also the code of a problem.
 */
export const findingCodes = {
  KUBERNETES_VERSION: {
    title: 'The version of the API server.',
    fix: 'Upgrade Kubernetes to 1.31 or later, or set metallb.layout: lease before the first lease. With layout: pool, leasehold writes a ValidatingAdmissionPolicy that uses isIP and cidr.',
  },
  METALLB_NAMESPACE: {
    title: 'The namespace of MetalLB in leases/pools.yaml.',
    fix: 'Install MetalLB, or set metallb.namespace to the namespace that it runs in and run `leasehold synth`.',
  },
  METALLB_KINDS: {
    title: 'The kinds of MetalLB, IPAddressPool and its advertisements, are served.',
    fix: "Install MetalLB 0.13.9 or later with its CRDs (the chart's crds.enabled). Without them, nothing in dist/ can be applied.",
  },
  AKASH_KINDS: {
    title: 'The kinds ProviderLeasedIP and ProviderHost, if dist/ has them, are served.',
    fix: "Install the Akash provider's CRDs, or set emit.providerLeasedIP and emit.providerHost to false and run `leasehold synth`.",
  },
  METALLB_CONTROLLER: {
    title: "MetalLB's controller, which assigns addresses, runs in the declared namespace.",
    fix: 'Check the pods of its Deployment with `kubectl describe`. If MetalLB runs in another namespace, set metallb.namespace.',
  },
  METALLB_RELEASE: {
    title: "The running version of MetalLB, from its controller's image, matches metallb.version.",
    fix: 'To raise it, upgrade MetalLB first and metallb.version in leases/pools.yaml afterwards; to lower it, the other way round. Run `leasehold synth`. MetalLB before 0.14.9 silently ignores metallb.io/ annotations, which Services need to share an address or to get two.',
  },
  METALLB_CLASS: {
    title:
      'The loadBalancerClass that MetalLB serves (--lb-class) matches metallb.loadBalancerClass.',
    fix: 'Give the controller and the speakers the declared class. Before the first Service, you can instead set metallb.loadBalancerClass in leases/pools.yaml to theirs and run `leasehold synth`; later that is CLASS_CHANGED. Reported only when one of the two has a class.',
  },
  METALLB_BGP: {
    title:
      'MetalLB can advertise by BGP what the pools need. Its native mode has no IPv6 and no large communities.',
    fix: "Run MetalLB in FRR mode (the chart's frrk8s.enabled or speaker.frr.enabled), or change the pools. Reported only when a pool needs more than the native mode.",
  },
  METALLB_SPEAKERS: {
    title: "MetalLB's speakers, which announce the addresses, run.",
    fix: 'Check the pods of its DaemonSet with `kubectl describe`. Tolerations and node selectors determine the nodes that they run on.',
  },
  METALLB_NODES: {
    title: 'MetalLB can announce the addresses of each pool from a node.',
    fix: "A node that announces matches advertise.nodeSelectors of the pool, runs a ready speaker, and does not have the label node.kubernetes.io/exclude-from-external-load-balancers, which kubeadm gives to control planes, and so to the node of a one-node cluster. Remove the label, or start the speakers with --ignore-exclude-lb (the chart's speaker.ignoreExcludeLB). MetalLB before 0.14.0 ignores the label; 0.14.9 does not announce from cordoned nodes.",
  },
  METALLB_INTERFACES: {
    title: 'The nodes have the interfaces that the pools are announced on.',
    fix: 'Set advertise.l2.interfaces in leases/pools.yaml to interfaces that the nodes have, and run `leasehold synth`. Reported only when a speaker says in a recent event that its node has none of them.',
  },
  POD_SECURITY: {
    title: "The namespace of MetalLB admits its speakers, which use the host's network.",
    fix: 'Label the namespace pod-security.kubernetes.io/enforce=privileged, as MetalLB requires.',
  },
  STRICT_ARP: {
    title: 'No node answers ARP for every address through kube-proxy.',
    fix: 'In IPVS mode it does unless ipvs.strictARP is true. Traffic then goes to nodes that do not announce the address. Set it, and restart kube-proxy.',
  },
  METALLB_WEBHOOK: {
    title: 'The API server calls the webhook of MetalLB for an IPAddressPool.',
    fix: "Run the controller with its webhook (the chart's controller.webhookMode: enabled), and let MetalLB fill in caBundle.",
  },
  METALLB_ADMISSION: {
    title: 'MetalLB rejects a pool that overlaps itself, in a dry run.',
    fix: 'Without a webhook, one overlapping pool silently stops the whole configuration of MetalLB. With a webhook that does not answer, no pool can be applied: check that the API server can reach the controller (network policies, firewalls, the Service of the webhook).',
  },
  METALLB_CONFIGURATION: {
    title: 'MetalLB accepts its configuration.',
    fix: 'Correct or delete the wrong object, mostly what was changed last: MetalLB does not always name it. Reported only by MetalLB 0.15.3 and later.',
  },
  FOREIGN_POOLS: {
    title:
      'IPAddressPools that leasehold did not write and that overlap a declared pool, or one another.',
    fix: 'MetalLB rejects pools that overlap. Take over a live pool with `leasehold import cluster`, or remove its addresses from leases/pools.yaml. Delete a pool only when no Service has an address from it, because its Services would lose their addresses. A pool with the same name as one in dist/ is taken over by the first sync.',
  },
  CILIUM_KINDS: {
    title: 'The kinds of Cilium that dist/ has are served.',
    fix: 'Install Cilium 1.18.2 or later. Without its kinds, nothing in dist/ can be applied.',
  },
  CILIUM_OPERATOR: {
    title: "Cilium's operator, which has LB-IPAM, runs in the declared namespace.",
    fix: 'Check the pods of its Deployment with `kubectl describe`. If Cilium runs in another namespace, set cilium.namespace.',
  },
  CILIUM_RELEASE: {
    title: "The running version of Cilium, from its operator's image, matches cilium.version.",
    fix: 'Upgrade Cilium to 1.18.2 or later: an earlier operator can give Services other addresses when it starts again. Otherwise set cilium.version in leases/pools.yaml and run `leasehold synth`.',
  },
  CILIUM_SETTINGS: {
    title:
      'The settings of Cilium, in its ConfigMap cilium-config, announce what the pools declare.',
    fix: "Set the named values of Cilium's chart, and restart its operator and agents.",
  },
  CILIUM_NODES: {
    title: 'No declared pool contains the address of a node.',
    fix: 'Reserve the address in leases/pools.yaml. A Service on it takes the traffic to all other ports of the node, such as those of the API server.',
  },
  CILIUM_POOLS: {
    title:
      'CiliumLoadBalancerIPPools that leasehold did not write and that overlap a declared pool, or give addresses to every Service; Services whose addresses are in no pool.',
    fix: 'Cilium uses one of two overlapping pools, and can use the other one after a restart. A pool without a serviceSelector gives an address to each Service that asks for none.',
  },
  SECOND_BALANCER: {
    title: 'No Service that the data plane serves has the mark of another load balancer.',
    fix: 'Give the other one a load balancer class of its own, or turn it off: both would set the address of a Service. Reported only when a Service has the mark of MetalLB, kube-vip, Cilium, PureLB, or of a cloud provider such as ServiceLB of K3s. A mark can be left over from one that ran before.',
  },
  AKASH_PROVIDER: {
    title: 'If the Akash provider waits for an IP operator, one answers.',
    fix: "With AKASH_IP_OPERATOR=true, the provider waits for the operator's /health before it serves: :8443/status hangs, and it does not bid. Let `leasehold serve` answer in place of the operator (`leasehold bootstrap serve`), or set it to false. With false, the provider does not bid on orders with a leased IP.",
  },
  AKASH_OPERATOR: {
    title: 'No Akash IP operator runs.',
    fix: 'Scale it to 0: it overwrites the Services of leasehold without their addresses and sharing keys. Set AKASH_IP_OPERATOR=false at the provider first, or it stops bidding.',
  },
  METALLB_METRICS: {
    title:
      'MetalLB 0.16 and later serves its metrics over HTTPS only, but the Akash IP operator requests them over HTTP.',
    fix: 'Scale the operator to 0, which leasehold needs anyway. Reported only when both run.',
  },
  OPERATOR_BARRIER: {
    title: "The log of a running Akash IP operator does not contain 'barrier is locked'.",
    fix: "Its loop does not run: MetalLB's metrics were not reachable (the operator started first, or MetalLB is 0.16 or later), or a ProviderLeasedIP is malformed. Remove the cause. The operator recovers within seconds; otherwise delete its pod. Reported only when one runs.",
  },
  AKASH_POLICIES: {
    title:
      'The setting emit.networkPolicies, which adds IPv6 to the NetworkPolicies of the Akash provider, matches the provider.',
    fix: "Set emit.networkPolicies to match the provider, and run `leasehold synth`. The provider writes NetworkPolicies unless AKASH_DEPLOYMENT_NETWORK_POLICIES_ENABLED is false. The chart's deploymentnetworkpoliciesenabled sets a variable without that prefix, which the provider does not read. Reported only when a pool has IPv6 addresses.",
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

/** One of {@link findingCodes}, or the code of a check that a feature adds. */
export type FindingCode = keyof typeof findingCodes | FeatureCode;
