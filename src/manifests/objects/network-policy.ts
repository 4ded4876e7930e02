import { k8s } from 'cdk8s-plus-28';
import type { LeaseClaim } from '../../model/claim.ts';
import type { Manifest } from '../manifest.ts';
import { akashManaged, leaseLabels, wave } from '../metadata.ts';
import { leaseNamespace, networkPolicyName } from '../names.ts';
import { selectorOf } from './service.ts';

/**
 * The NetworkPolicy that lets IPv6 in to the pods and the port behind a claim's Service, whoever sends it. The Akash
 * provider shuts off the pods of a lease, and its own policy for leased IPs, `akash-<service>-ip`, lets in 0.0.0.0/0
 * alone (cluster/kube/builder/netpol.go).
 */
export function networkPolicyManifest(claim: LeaseClaim): Manifest {
  const { spec } = k8s.KubeNetworkPolicy.manifest({
    spec: {
      podSelector: { matchLabels: { ...selectorOf(claim) } },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ ipBlock: { cidr: '::/0' } }],
          ports: [{ port: k8s.IntOrString.fromNumber(claim.port), protocol: claim.protocol }],
        },
      ],
    },
  });
  return {
    ...k8s.KubeNetworkPolicy.GVK,
    metadata: {
      name: networkPolicyName(claim),
      namespace: leaseNamespace('akash', claim.lease),
      labels: { ...leaseLabels(claim.lease), ...akashManaged },
      annotations: wave('NetworkPolicy'),
    },
    spec,
  };
}
