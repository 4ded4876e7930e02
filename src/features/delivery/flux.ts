import type { TreeMap } from '../../manifests/manifest.ts';
import { annotationPrefix } from '../../manifests/metadata.ts';
import { yamlText } from '../../manifests/yaml-text.ts';
import { distFolder } from '../../model/folders.ts';
import { type MetalLB, type Shards, shardFolders } from '../../model/pools.ts';

/** A git repository that Flux takes manifests from. */
export interface GitSource {
  readonly kind: 'GitRepository';
  /** Without credentials. */
  readonly url: string;
  readonly branch: string;
  /** Where `leases/` stands in the repository: empty, or with a slash at its end. */
  readonly folder: string;
}

/** An artifact that `flux push artifact` made of `dist/`, and that Flux takes manifests from. */
export interface ArtifactSource {
  readonly kind: 'OCIRepository';
  /** `oci://`, a registry and a name in it, without credentials. */
  readonly url: string;
  readonly tag: string;
}

/** What Flux is to apply in the cluster it runs in, and from where. */
export interface FluxTarget {
  readonly source: GitSource | ArtifactSource;
  /** The namespace of all objects. */
  readonly namespace: string;
  /** The name of the source, and of the Kustomizations or their beginning. */
  readonly name: string;
  /** The Secret with what opens the repository or registry; undefined for one that everybody may read. */
  readonly secret: string | undefined;
  /** The name in the pool file of the cluster that Flux runs in. */
  readonly cluster: string;
  /** The shards of that cluster. */
  readonly shards: Shards;
  /** The MetalLB of that cluster. */
  readonly metallb: MetalLB;
  /** True when it is ready only once every Service of type LoadBalancer has the addresses that it is pinned to. */
  readonly waitForAddresses: boolean;
}

/**
 * The objects that let Flux apply the manifests of one cluster: a source, and a Kustomization for each shard. What they
 * say and leave out is explained in docs/gitops.md.
 */
export function fluxText(target: FluxTarget): string {
  return yamlText([
    sourceOf(target),
    ...shardFolders(target.shards).map((shard) => kustomizationOf(target, shard)),
  ]);
}

function sourceOf({ source, namespace, name, secret }: FluxTarget): TreeMap {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: source.kind,
    metadata: { name, namespace },
    spec: {
      interval: '1m',
      url: source.url,
      ref: source.kind === 'GitRepository' ? { branch: source.branch } : { tag: source.tag },
      ignore: source.kind === 'GitRepository' ? onlyDist(source.folder) : undefined,
      secretRef: secret === undefined ? undefined : { name: secret },
    },
  };
}

/**
 * Patterns that let in nothing but `dist/` of a folder: they count after those of each `.sourceignore` in the repository,
 * by which anybody could hide a manifest (fluxcd/source-controller: GitRepository `.spec.ignore`).
 */
function onlyDist(folder: string): string {
  const names = `${folder}${distFolder}`.split('/');
  const lines = names.map((_, index) => {
    const above = names.slice(0, index).join('/');
    return `${above && `/${above}`}/*\n!/${names.slice(0, index + 1).join('/')}/\n`;
  });
  return lines.join('');
}

/** Orphan: who deletes the Kustomization deletes no Service. */
function kustomizationOf(target: FluxTarget, shard: string): TreeMap {
  const { source, namespace, name, cluster, metallb, waitForAddresses } = target;
  const dist = source.kind === 'GitRepository' ? `${source.folder}${distFolder}/` : '';
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: `${name}${shard && `.${shard}`}`, namespace },
    spec: {
      interval: '10m',
      retryInterval: '30s',
      timeout: '2m',
      path: `./${dist}${cluster}${shard && `/${shard}`}`,
      prune: true,
      deletionPolicy: 'Orphan',
      wait: true,
      healthCheckExprs: waitForAddresses ? [serviceHealth(metallb)] : undefined,
      sourceRef: { kind: source.kind, name },
    },
  };
}

/**
 * When a Service is current, in CEL: once it has every address that it is pinned to. Flux otherwise takes one of type
 * LoadBalancer for current once it has a cluster IP (fluxcd/cli-utils: kstatus/status/core.go serviceConditions).
 */
function serviceHealth(metallb: MetalLB): TreeMap {
  const annotation = `${annotationPrefix(metallb)}/loadBalancerIPs`;
  const pinned = `has(spec.loadBalancerIP) ? [spec.loadBalancerIP] : metadata.annotations['${annotation}'].split(',')`;
  const isThere = 'status.loadBalancer.ingress.exists(live, live.ip == pinned)';
  return {
    apiVersion: 'v1',
    kind: 'Service',
    current: `spec.type != 'LoadBalancer' || has(status.loadBalancer.ingress) && (${pinned}).all(pinned, ${isThere})`,
  };
}
