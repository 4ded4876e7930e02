import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { LeaseClaim } from '../../model/claim.ts';
import { staticObject } from '../dist-app.ts';
import { akashManaged, leaseLabels, wave } from '../metadata.ts';
import { leaseNamespace, networkPolicyName } from '../names.ts';
import { selectorOf } from './service.ts';

/**
 * The NetworkPolicy that lets IPv6 in to the pods and the port behind a claim's Service, whoever sends it. The Akash
 * provider shuts off the pods of a lease, and its own policy for leased IPs, `akash-<service>-ip`, lets in 0.0.0.0/0
 * alone (cluster/kube/builder/netpol.go).
 */
export class IPv6NetworkPolicy extends staticObject(k8s.KubeNetworkPolicy) {
  constructor(scope: Construct, id: string, claim: LeaseClaim) {
    super(scope, id, {
      metadata: {
        name: networkPolicyName(claim),
        namespace: leaseNamespace('akash', claim.lease),
        labels: { ...leaseLabels(claim.lease), ...akashManaged },
        annotations: wave('NetworkPolicy'),
      },
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
  }
}
