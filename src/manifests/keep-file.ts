import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Cluster } from '../model/pools.ts';
import { staticObject } from './dist-app.ts';
import { managedBy, wave } from './metadata.ts';

/**
 * The ConfigMap that a shard of a cluster always has, with or without leases: a GitOps engine prunes
 * nothing when the whole folder is missing. It records the layout and naming of the cluster. `shard`
 * is one of shardFolders.
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
