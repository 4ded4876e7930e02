import type { Outcome } from '../../core/model/problem.ts';
import type { InputFile } from '../../core/text/yaml/template-hints.ts';
import type { Imported } from './imported.ts';
import type { SourceDocuments } from './metallb/metallb-source.ts';

type Example = readonly [purpose: string, line: string];

/** A source of pools. */
interface SourceOfPools {
  /** For the help. */
  readonly description: string;
  /** True when its pools already serve Services, declared or not. */
  readonly isServing: boolean;
  /** Two for the help: what a command line is for, and the line. */
  readonly examples: readonly [Example, Example];
  /** Loads the reader of its objects, from files or from the answers of a live cluster. */
  readonly objects?: () => Promise<(sources: readonly SourceDocuments[]) => Outcome<Imported>>;
  /** Loads the reader of a source that is only read from files, all together. */
  readonly files?: () => Promise<(files: readonly InputFile[]) => Outcome<Imported>>;
}

/** The sources of pools, in the order of the help. NetBox has no reader here: options choose its pools. */
export const poolSources = {
  cluster: {
    description:
      'the pools, Services and Akash leases of a cluster; without a file, of the live one',
    isServing: true,
    examples: [
      ['read another cluster than the current one', 'import cluster --context production'],
      [
        'read a file: `kubectl get -A -o yaml ipaddresspools,l2advertisements,svc`',
        'import cluster cluster.yaml',
      ],
    ],
    objects: async () => (await import('./cluster/cluster-source.ts')).readClusterObjects,
  },
  vitistack: {
    description:
      "a cluster with vitistack's ipam-operator and its annotations; without a file, the live one",
    isServing: true,
    examples: [
      ['read the cluster of the current context', 'import vitistack'],
      ['declare what an export has', 'import vitistack vitistack.yaml --zone inet'],
    ],
    objects: async () => (await import('./sources/vitistack-source.ts')).readVitistack,
  },
  metallb: {
    description: "MetalLB's objects, or the ConfigMap of 0.12 and earlier",
    isServing: true,
    examples: [
      ['pools and advertisements from a file', 'import metallb metallb.yaml'],
      ['pools from standard input', 'import metallb - --zone edge'],
    ],
    files: async () => (await import('./metallb/metallb-source.ts')).readMetalLB,
  },
  kubespray: {
    description: 'the variables of a Kubespray inventory; later files override earlier ones',
    isServing: true,
    examples: [
      ['pools from the variables of an inventory', 'import kubespray addons.yml'],
      ['later files override earlier ones', 'import kubespray addons.yml k8s-cluster.yml'],
    ],
    files: async () => (await import('./sources/kubespray-source.ts')).readKubespray,
  },
  netbox: {
    description: 'prefixes, IP ranges and IP addresses of NetBox, as its API answers or as CSV',
    isServing: false,
    examples: [
      ['all prefixes with a tag are pools', 'import netbox prefixes.json --tag metallb'],
      [
        'a pool for each zone that a custom field names',
        'import netbox prefixes.json --zone-field k8s_zone',
      ],
    ],
  },
} as const satisfies Readonly<Record<string, SourceOfPools>>;

export type PoolSource = keyof typeof poolSources;

/** The names of the sources of pools. */
export const poolSourceNames = Object.keys(poolSources) as PoolSource[];

/** The facts about a source. */
export function sourceOfPools(name: PoolSource): SourceOfPools {
  return poolSources[name];
}

/** The sources of an import. A tenant's SDL has no pools. */
export const importSources = [...poolSourceNames, 'sdl'] as const;
