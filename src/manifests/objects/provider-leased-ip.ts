import type { Construct } from 'constructs';
import { ProviderLeasedIp } from '../../../imports/akash.network.ts';
import type { LeaseClaim } from '../../model/claim.ts';
import type { Naming } from '../../model/pools.ts';
import { staticObject } from '../dist-app.ts';
import { akashManaged, leaseLabels, wave } from '../metadata.ts';
import { leasedIPName, leasedIPNamespace } from '../names.ts';

/**
 * The `ProviderLeasedIP` of a claim, with the nine labels that the provider finds its own by.
 * Source: Akash provider, cluster/kube/cluster_ip_connections.go DeclareIP.
 */
export class LeasedIP extends staticObject(ProviderLeasedIp) {
  constructor(scope: Construct, id: string, naming: Naming, claim: LeaseClaim) {
    super(scope, id, {
      metadata: {
        name: leasedIPName(naming, claim),
        namespace: leasedIPNamespace,
        labels: {
          ...leaseLabels(claim.lease),
          ...akashManaged,
          'service-name': claim.service,
          'external-port': String(claim.externalPort),
          proto: claim.protocol,
        },
        annotations: wave('ProviderLeasedIP'),
      },
      spec: {
        leaseId: claim.lease,
        serviceName: claim.service,
        port: claim.port,
        externalPort: claim.externalPort,
        sharingKey: claim.sharingKey,
        protocol: claim.protocol,
      },
    });
  }
}
