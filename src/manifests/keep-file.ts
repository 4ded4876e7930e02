import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Cluster } from '../model/pools.ts';
import { staticObject } from './dist-app.ts';
import { managedBy, wave } from './metadata.ts';

/**
 * The one object that a shard of a cluster always has, with or without leases: a GitOps engine that finds a
 * folder gone altogether prunes nothing. It says how the cluster is laid out, and never of leases. `shard` is one of
 * shardFolders.
 */
export class KeepObject extends staticObject(k8s.KubeConfigMap) {
  constructor(scope: Construct, id: string, { metallb, naming }: Cluster, shard: string) {
    super(scope, id, {
      metadata: {
        name: shard === '' ? 'leasehold' : `leasehold-${shard}`,
        namespace: metallb.namespace,
        labels: { ...managedBy },
        annotations: { ...wave('ConfigMap') },
      },
      data: { layout: metallb.layout, naming },
    });
  }
}
