import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { sha256Hex } from '../../../../src/core/model/digest.ts';
import { type Shards, shardFolders } from '../../../../src/core/model/pools.ts';
import { distFolder } from '../../../../src/core/model/repository-paths.ts';
import type { Kube, KubeObject } from '../kube.ts';
import type { Edit } from '../lease-repository.ts';
import { nameOf, objectsBelow } from '../manifests.ts';
import type { EngineName, Story } from '../story.ts';

/** What each shard has: its folder to `Kind namespace/name`, sorted. */
export type Holdings = ReadonlyMap<string, readonly string[]>;

/** The hex digits that 16 shards go by. */
export const sixteen = shardFolders(16);

/** What is committed for each of 16 or more shards. */
export function committed({ repository }: Story, shards: Shards = 16): Holdings {
  return new Map(
    shardFolders(shards).map((shard) => {
      const folder = join(repository.root, 'dist/default', shard);
      return [shard, existsSync(folder) ? objectsBelow(folder).map(nameOf).sort() : []];
    }),
  );
}

/** Moves the manifests of each shard to paths with a hash, as leasehold gave them before. */
export function hashedPaths({ repository }: Story): Edit {
  const folder = join(repository.root, distFolder, 'default');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths
      .filter((path) => path.split(sep).length === 3)
      .flatMap((path) => {
        const [shard = '', , name = ''] = path.split(sep);
        const hash = `${shard}${sha256Hex(path).slice(0, 11)}`;
        const slug = name.replace(/\.yaml$/, '').replaceAll('.', '-');
        return [
          [`dist/default/${path}`, undefined],
          [
            `dist/default/${shard}/${hash.slice(0, 2)}/${slug}-${hash}.yaml`,
            repository.read(`dist/default/${path}`),
          ],
        ] as const;
      }),
  );
}

/** What the engine says that each of its objects has applied and would prune. */
export async function held(kube: Kube, engine: EngineName): Promise<Holdings> {
  const objects =
    engine === 'Flux'
      ? await kube.list('kustomize.toolkit.fluxcd.io/v1', 'Kustomization')
      : await kube.list('argoproj.io/v1alpha1', 'Application');
  const found = objects.map(
    (one) => [shardOf(one), (engine === 'Flux' ? inventory(one) : resources(one)).sort()] as const,
  );
  return new Map(found.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The engine's object of a shard. */
export function objectOf(engine: EngineName, shard: string): KubeObject {
  return engine === 'Flux'
    ? {
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name: `leases.${shard}`, namespace: 'flux-system' },
      }
    : {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: `leases-default.${shard}`, namespace: 'argocd' },
      };
}

/** Lets the object of one shard work again, while the others rest. */
export async function resumeShard(kube: Kube, engine: EngineName, shard: string): Promise<void> {
  const automated = { prune: true, selfHeal: true };
  const spec = engine === 'Flux' ? { suspend: false } : { syncPolicy: { automated } };
  await kube.merge(objectOf(engine, shard), { spec });
}

/** The shard whose object applied something last, by the mark that the engine leaves; undefined without any. */
export function appliedBy({ metadata }: KubeObject): string | undefined {
  const flux = metadata.labels?.['kustomize.toolkit.fluxcd.io/name'];
  const argo = metadata.annotations?.['argocd.argoproj.io/tracking-id']?.split(':')[0];
  return (flux ?? argo)?.split('.').at(-1);
}

function shardOf({ metadata }: KubeObject): string {
  return metadata.name.split('.').at(-1) ?? '';
}

/** Flux: `namespace_name_group_kind`. */
function inventory({ status }: KubeObject): string[] {
  const entries: readonly { readonly id: string }[] = status?.inventory?.entries ?? [];
  return entries.map(({ id }) => {
    const [namespace, name = '', , kind] = id.split('_');
    return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
  });
}

/** Without namespaces whose last lease has ended: they stay, and nobody minds. */
function resources({ status }: KubeObject): string[] {
  const all: readonly Resource[] = status?.resources ?? [];
  return all
    .filter(({ kind, requiresPruning }) => !(kind === 'Namespace' && requiresPruning))
    .map(({ kind, namespace, name }) => `${kind} ${namespace ? `${namespace}/` : ''}${name}`);
}

interface Resource {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly requiresPruning?: boolean;
}
