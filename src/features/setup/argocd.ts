import { managedBy, type TreeMap } from '../../core/manifests/manifest.ts';
import { yamlText } from '../../core/manifests/yaml-text.ts';
import {
  emittedKinds,
  isOfPlane,
  type LiveKind,
  liveKinds,
  traitsOf,
} from '../../core/model/kinds.ts';
import { compareText } from '../../core/model/order.ts';
import type { Plane } from '../../core/model/planes.ts';
import { type Shards, shardFolders } from '../../core/model/pools.ts';
import { distFolder } from '../../core/model/repository-paths.ts';
import { type ArgoCDProject, application, appProject } from './argocd-objects.ts';

/** A cluster that Argo CD applies manifests to. */
export interface ArgoCDCluster {
  /** Its name in the pool file. */
  readonly name: string;
  /** The URL of its API server, as Argo CD knows the cluster. */
  readonly server: string;
  readonly shards: Shards;
  readonly plane: Pick<Plane, 'kind'> & { readonly movedFrom?: Plane['kind'] | undefined };
}

/**
 * The manifests that Argo CD applies, and their source. The name of the AppProject is the prefix of
 * the names of its Applications.
 */
export interface ArgoCDTarget extends ArgoCDProject {
  /** The repository, without credentials and without pattern characters of an AppProject. */
  readonly repo: string;
  /** A fully qualified ref: a short name may be a branch or a tag. */
  readonly revision: string;
  /** The folder with `leases/` in the repository: empty, or with a trailing slash. */
  readonly folder: string;
  /** In the order of the pool file, each with its own server. */
  readonly clusters: readonly ArgoCDCluster[];
}

/**
 * The objects by which Argo CD applies `dist/`: an AppProject that allows only what leasehold
 * writes, and one Application for each shard of each cluster. docs/gitops.md explains their fields.
 */
export function argocdText(target: ArgoCDTarget): string {
  return yamlText([
    projectOf(target),
    ...target.clusters.flatMap((cluster) =>
      shardFolders(cluster.shards).map((shard) => applicationOf(target, cluster, shard)),
    ),
  ]);
}

/** The kinds of a scope that leasehold writes for the clusters, by group and kind. */
function kindsOf(
  { clusters }: ArgoCDTarget,
  scope: { readonly isNamespaced: boolean },
): readonly TreeMap[] {
  return emittedKinds
    .filter((name) => clusters.some(({ plane }) => isOfAny(name, plane)))
    .filter((name) => (traitsOf(name).isNamespaced ?? true) === scope.isNamespaced)
    .map((name) => liveKinds[name])
    .sort(
      (left, right) => compareText(left.group, right.group) || compareText(left.kind, right.kind),
    )
    .map(({ group, kind }) => ({ group, kind }));
}

/** True for a kind of a plane, and of the one from which it takes over: Argo CD prunes what the project allows. */
function isOfAny(name: LiveKind, { kind, movedFrom }: ArgoCDCluster['plane']): boolean {
  return isOfPlane(name, kind) || (movedFrom !== undefined && isOfPlane(name, movedFrom));
}

function projectOf(target: ArgoCDTarget): TreeMap {
  return appProject(target, {
    description: 'What leasehold writes, and nothing else',
    repository: target.repo,
    // Leases bring their own namespaces, so the project cannot list them.
    destinations: target.clusters.map(({ server }) => ({ server, namespace: '*' })),
    clusterKinds: kindsOf(target, { isNamespaced: false }),
    namespacedKinds: kindsOf(target, { isNamespaced: true }),
  });
}

/**
 * Has no finalizer: deleting the Application must not delete Services. Has no annotation
 * manifest-generate-paths: a commit that arrives during a retry that fails would never be synced
 * (argo-cd 3.5: controller/appcontroller.go alreadyAttemptedSync).
 */
function applicationOf(
  target: ArgoCDTarget,
  { name, server }: ArgoCDCluster,
  shard: string,
): TreeMap {
  return application(target, {
    // Cluster names have no dots, so the name of a shard never equals that of another cluster.
    name: `${target.project}-${name}${shard && `.${shard}`}`,
    annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=false' },
    source: {
      repoURL: target.repo,
      targetRevision: target.revision,
      path: `${target.folder}${distFolder}/${name}${shard && `/${shard}`}`,
      directory: { recurse: true },
    },
    destination: { server },
    syncPolicy: { automated: { prune: true, selfHeal: true } },
  });
}

/**
 * A patch of the ConfigMap `argocd-cm` by which a Service from leasehold is healthy once it has the
 * addresses that it is pinned to, not as soon as it has any. Other Services keep Argo CD's built-in
 * health check (gitops-engine: pkg/health/health_service.go). docs/gitops.md explains its use.
 */
export function argocdHealthText(): string {
  return yamlText([{ data: { 'resource.customizations.health.Service': serviceHealth } }]);
}

const [[label, ours]] = Object.entries(managedBy) as [[string, string]];

/** Argo CD offers scripts no Lua string library, so two addresses are compared in both orders. */
const serviceHealth = `local annotations = obj.metadata.annotations or {}
local labels = obj.metadata.labels or {}
local ingress = obj.status and obj.status.loadBalancer and obj.status.loadBalancer.ingress or {}
if obj.spec.type ~= "LoadBalancer" then
  return { status = "Healthy" }
end
if #ingress == 0 then
  return { status = "Progressing", message = "waits for an address" }
end
if labels["${label}"] ~= "${ours}" then
  return { status = "Healthy" }
end
local wanted = obj.spec.loadBalancerIP
  or annotations["metallb.io/loadBalancerIPs"]
  or annotations["metallb.universe.tf/loadBalancerIPs"]
local first = ingress[1].ip or ""
local second = ingress[2] and ingress[2].ip or ""
local both = { first .. "," .. second, second .. "," .. first }
if wanted == nil
  or (#ingress == 1 and wanted == first)
  or (#ingress == 2 and (wanted == both[1] or wanted == both[2]))
then
  return { status = "Healthy" }
end
return { status = "Progressing", message = "waits for " .. wanted }
`;
