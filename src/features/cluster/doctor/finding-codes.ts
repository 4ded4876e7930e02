import type { CodeExplanation } from '../../../model/codes/problem-codes.ts';

/**
 * Everything that `leasehold doctor` looks at, by code, in the order in which it tells. The code is the
 * contract: scripts and tests go by it; the wording of findings may change. No code is a problem's too.
 */
export const findingCodes = {
  KUBERNETES_VERSION: {
    title: 'The version of the API server.',
    fix: 'Upgrade Kubernetes to 1.31 or later, or set metallb.layout: lease before anything is leased: layout: pool has a ValidatingAdmissionPolicy that uses isIP and cidr.',
  },
  METALLB_NAMESPACE: {
    title: 'The namespace that leases/pools.yaml says MetalLB runs in.',
    fix: 'Install MetalLB, or name the namespace it runs in with metallb.namespace and run leasehold synth.',
  },
  METALLB_KINDS: {
    title: "Whether the cluster serves MetalLB's kinds: IPAddressPool and its advertisements.",
    fix: "Install MetalLB 0.13.9 or later with its CRDs (the chart's crds.enabled). Without them, nothing of dist/ can be applied.",
  },
  AKASH_KINDS: {
    title: 'Whether the cluster serves ProviderLeasedIP, which emit.providerLeasedIP writes.',
    fix: "Install the Akash provider's CRDs, or set emit.providerLeasedIP: false and run leasehold synth.",
  },
  METALLB_CONTROLLER: {
    title: "Whether MetalLB's controller runs, in the declared namespace. It gives the addresses.",
    fix: 'Look at the pods of its Deployment: kubectl describe says why they do not run. If MetalLB runs in another namespace, say so with metallb.namespace.',
  },
  METALLB_RELEASE: {
    title: "The MetalLB that runs, from its controller's image, against metallb.version.",
    fix: 'Set metallb.version in leases/pools.yaml to what runs, and run leasehold synth. MetalLB before 0.14.9 silently ignores metallb.io/ annotations, which is how Services share an address or ask for two.',
  },
  METALLB_CLASS: {
    title:
      'The loadBalancerClass that MetalLB serves (--lb-class), against metallb.loadBalancerClass.',
    fix: 'Set metallb.loadBalancerClass in leases/pools.yaml to what the controller and the speakers run with, and run leasehold synth. Told only when one of the two has a class.',
  },
  METALLB_BGP: {
    title:
      'Whether MetalLB can advertise by BGP what pools ask for: its native mode knows no IPv6 and no large communities.',
    fix: "Run MetalLB in FRR mode (the chart's frrk8s.enabled or speaker.frr.enabled), or change the pools. Told only when a pool asks for more than native mode can do.",
  },
  METALLB_SPEAKERS: {
    title: "Whether MetalLB's speakers run. They announce the addresses.",
    fix: 'Look at the pods of its DaemonSet: kubectl describe says why they do not start. Tolerations and node selectors say on which nodes they run.',
  },
  POD_SECURITY: {
    title:
      'Whether the namespace of MetalLB lets its speakers start: they use the network of the host.',
    fix: 'Label the namespace pod-security.kubernetes.io/enforce=privileged, as MetalLB asks for.',
  },
  STRICT_ARP: {
    title: 'Whether kube-proxy answers ARP for every address on every node.',
    fix: 'In IPVS mode it does unless ipvs.strictARP is true; traffic then goes to nodes that do not announce the address. Set it, and restart kube-proxy.',
  },
  METALLB_WEBHOOK: {
    title: 'Whether the API server asks MetalLB before it takes an IPAddressPool.',
    fix: "Run the controller with its webhook (the chart's controller.webhookMode: enabled), and let MetalLB fill in caBundle.",
  },
  METALLB_ADMISSION: {
    title: 'What MetalLB says to a pool that overlaps itself, in a dry run: it must refuse it.',
    fix: 'With no webhook, one overlapping pool silently stops the whole configuration of MetalLB. With one that does not answer, no pool can be applied: see that the API server reaches the controller (network policies, firewalls, the Service of the webhook).',
  },
  METALLB_CONFIGURATION: {
    title: 'Whether MetalLB takes the configuration that its objects make together.',
    fix: 'Correct or delete the object that MetalLB names. Told only by MetalLB 0.15.3 and later.',
  },
  FOREIGN_POOLS: {
    title:
      'IPAddressPools that leasehold did not write and that overlap a declared pool, or one another.',
    fix: 'MetalLB refuses pools that overlap. Take a live pool over with leasehold import cluster, or take its addresses out of leases/pools.yaml. Delete a pool only when no Service has an address of it: its Services would lose theirs. A pool that dist/ has under its name is taken over by the first sync.',
  },
  AKASH_OPERATOR: {
    title: 'Whether an Akash IP operator runs.',
    fix: 'Scale it to 0: it rewrites our Services without their addresses and sharing keys. Set AKASH_IP_OPERATOR=false at the provider first, or it stops bidding.',
  },
  METALLB_METRICS: {
    title:
      'MetalLB 0.16 and later serves its metrics over HTTPS only; the Akash IP operator asks over HTTP.',
    fix: 'Scale the operator to 0, as it has to be for leasehold. Told only when both run.',
  },
  OPERATOR_BARRIER: {
    title: "Whether the log of a running Akash IP operator says 'barrier is locked'.",
    fix: "Its loop does not run: MetalLB's metrics were not reached (the operator started first, or MetalLB is 0.16 or later), or one ProviderLeasedIP is malformed. Remove the cause: it comes back by itself within seconds; if it does not, delete the pod. Told only when one runs.",
  },
  AKASH_PROVIDER: {
    title: 'Whether the Akash provider waits for an IP operator, and one answers.',
    fix: "With AKASH_IP_OPERATOR=true, the provider waits for the operator's /health before it serves: :8443/status hangs, and it does not bid. Let leasehold serve answer in the operator's place (leasehold bootstrap serve), or set it to false; it then bids on no order that wants a leased IP.",
  },
  AKASH_POLICIES: {
    title:
      'Whether the Akash provider writes NetworkPolicies, which emit.networkPolicies adds IPv6 to.',
    fix: "Set emit.networkPolicies to what the provider does, and run leasehold synth. It writes them unless AKASH_DEPLOYMENT_NETWORK_POLICIES_ENABLED is false; the chart's deploymentnetworkpoliciesenabled sets a variable without that prefix, which the provider does not read. Told only where a pool has IPv6 addresses.",
  },
} as const satisfies Readonly<Record<string, CodeExplanation>>;

/** One of {@link findingCodes}. */
export type FindingCode = keyof typeof findingCodes;
