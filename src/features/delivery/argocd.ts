import type { TreeMap } from '../../manifests/manifest.ts';
import { managedBy } from '../../manifests/metadata.ts';
import { yamlText } from '../../manifests/yaml-text.ts';
import { distFolder } from '../../model/folders.ts';
import { type Shards, shardFolders } from '../../model/pools.ts';

/** A cluster that Argo CD is to apply manifests in. */
export interface ArgoCDCluster {
  /** Its name in the pool file. */
  readonly name: string;
  /** The URL of its API server, as Argo CD knows the cluster. */
  readonly server: string;
  readonly shards: Shards;
}

/** What Argo CD is to apply, and from where. */
export interface ArgoCDTarget {
  /** The repository, without credentials; nothing in it that a pattern of an AppProject reads. */
  readonly repo: string;
  /** A fully qualified name, of a branch or a tag: a shorter one may name either. */
  readonly revision: string;
  /** Where `leases/` stands in the repository: empty, or with a slash at its end. */
  readonly folder: string;
  /** The namespace of Argo CD. */
  readonly namespace: string;
  /** The name of the AppProject, and the beginning of the names of its Applications. */
  readonly project: string;
  /** In the order of the pool file, no two with one server. */
  readonly clusters: readonly ArgoCDCluster[];
}

/**
 * The objects that let Argo CD apply `dist/`: an AppProject that allows what leasehold writes and nothing else, and one
 * Application for each shard of each cluster. What they say and leave out is explained in docs/gitops.md.
 */
export function argocdText(target: ArgoCDTarget): string {
  return yamlText([
    projectOf(target),
    ...target.clusters.flatMap((cluster) =>
      shardFolders(cluster.shards).map((shard) => applicationOf(target, cluster, shard)),
    ),
  ]);
}

const apiVersion = 'argoproj.io/v1alpha1';

/** The kinds of the whole cluster that leasehold writes. */
const clusterKinds = [
  { group: '', kind: 'Namespace' },
  { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicy' },
  { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicyBinding' },
];

/** The kinds in namespaces that leasehold writes. */
const namespacedKinds = [
  { group: '', kind: 'ConfigMap' },
  { group: '', kind: 'Service' },
  { group: 'akash.network', kind: 'ProviderLeasedIP' },
  { group: 'metallb.io', kind: 'BGPAdvertisement' },
  { group: 'metallb.io', kind: 'IPAddressPool' },
  { group: 'metallb.io', kind: 'L2Advertisement' },
  { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
];

function projectOf({ repo, namespace, project, clusters }: ArgoCDTarget): TreeMap {
  return {
    apiVersion,
    kind: 'AppProject',
    metadata: { name: project, namespace },
    spec: {
      description: 'What leasehold writes, and nothing else',
      sourceRepos: [repo],
      // Namespaces come with leases, so the project cannot name them.
      destinations: clusters.map(({ server }) => ({ server, namespace: '*' })),
      clusterResourceWhitelist: clusterKinds,
      namespaceResourceWhitelist: namespacedKinds,
    },
  };
}

/**
 * Without a finalizer: who deletes the Application deletes no Service. Without the annotation manifest-generate-paths: a
 * commit that comes while Argo CD retries, and that retry fails, would never be tried (argo-cd 3.5:
 * controller/appcontroller.go alreadyAttemptedSync).
 */
function applicationOf(
  { repo, revision, folder, namespace, project }: ArgoCDTarget,
  { name, server }: ArgoCDCluster,
  shard: string,
): TreeMap {
  return {
    apiVersion,
    kind: 'Application',
    metadata: {
      // No cluster has a dot in its name, so a shard is never called as another cluster is.
      name: `${project}-${name}${shard && `.${shard}`}`,
      namespace,
      annotations: {
        'argocd.argoproj.io/compare-options': 'ServerSideDiff=false',
      },
    },
    spec: {
      project,
      source: {
        repoURL: repo,
        targetRevision: revision,
        path: `${folder}${distFolder}/${name}${shard && `/${shard}`}`,
        directory: { recurse: true },
      },
      destination: { server },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '1m' } },
      },
    },
  };
}

/**
 * A patch of the ConfigMap `argocd-cm`: with it Argo CD calls a Service of leasehold's healthy once it has the addresses
 * that it is pinned to, and not as soon as it has any. Every other Service is judged as Argo CD judges it by itself
 * (gitops-engine: pkg/health/health_service.go). What it is for is explained in docs/gitops.md.
 */
export function argocdHealthText(): string {
  return yamlText([{ data: { 'resource.customizations.health.Service': serviceHealth } }]);
}

const [[label, ours]] = Object.entries(managedBy) as [[string, string]];

/** Argo CD gives a script Lua's tables, and not its texts: two addresses are compared in both orders. */
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
