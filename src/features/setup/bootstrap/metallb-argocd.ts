import type { TreeMap } from '../../../core/manifests/manifest.ts';
import { yamlText } from '../../../core/manifests/yaml-text.ts';
import { type ArgoCDProject, application, appProject } from '../argocd-objects.ts';
import type { MetalLBInstall } from './metallb-install.ts';
import {
  keptAnnotations,
  metalLBChart,
  metalLBValues,
  privilegedLabels,
} from './metallb-objects.ts';

/** MetalLB for one cluster. */
interface ArgoCDInstall {
  /** The cluster's name in the pool file. */
  readonly name: string;
  /** The URL of its API server, as Argo CD knows the cluster. */
  readonly server: string;
  readonly install: MetalLBInstall;
}

/**
 * Where Argo CD installs MetalLB. The name of the AppProject is also the name of its only
 * Application, or the prefix of the names of several.
 */
export interface MetalLBArgoCD extends ArgoCDProject {
  /** In the order of the pool file. */
  readonly clusters: readonly ArgoCDInstall[];
}

/** Cluster-scoped kinds that the chart renders, with and without FRR. */
const clusterKinds = [
  { group: '', kind: 'Namespace' },
  { group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' },
  { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
  { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' },
  { group: 'rbac.authorization.k8s.io', kind: 'ClusterRoleBinding' },
];

const namespacedKinds = [
  { group: '', kind: 'ConfigMap' },
  { group: '', kind: 'Secret' },
  { group: '', kind: 'Service' },
  { group: '', kind: 'ServiceAccount' },
  { group: 'apps', kind: 'DaemonSet' },
  { group: 'apps', kind: 'Deployment' },
  { group: 'rbac.authorization.k8s.io', kind: 'Role' },
  { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
];

/**
 * An AppProject that allows MetalLB's chart and what it renders, and an Application for each
 * cluster. docs/bootstrap.md explains their fields.
 */
export function metalLBArgoCDText(target: MetalLBArgoCD): string {
  const { clusters } = target;
  return yamlText([
    projectOf(target),
    ...clusters.map((cluster) => applicationOf(target, cluster, clusters.length > 1)),
  ]);
}

function projectOf(target: MetalLBArgoCD): TreeMap {
  return appProject(target, {
    description: "MetalLB's chart, and nothing else",
    repository: metalLBChart.repository,
    destinations: target.clusters.map(({ server, install }) => ({
      namespace: install.namespace,
      server,
    })),
    clusterKinds,
    namespacedKinds,
  });
}

/**
 * Has no pruning and no finalizer: the release contains the CRDs, and deleting them deletes every
 * pool. MetalLB writes its webhook's certificate into objects of the chart
 * (charts/metallb/charts/crds): Argo CD must ignore that field, or it would reset it forever.
 */
function applicationOf(
  target: MetalLBArgoCD,
  { name, server, install }: ArgoCDInstall,
  isOneOfMany: boolean,
): TreeMap {
  const { repository, name: chart, release } = metalLBChart;
  return application(target, {
    name: isOneOfMany ? `${target.project}-${name}` : target.project,
    source: {
      repoURL: repository,
      chart,
      targetRevision: install.version,
      helm: { releaseName: release, valuesObject: metalLBValues(install) },
    },
    destination: { namespace: install.namespace, server },
    ignoreDifferences: [
      {
        group: 'admissionregistration.k8s.io',
        kind: 'ValidatingWebhookConfiguration',
        jqPathExpressions: ['.webhooks[]?.clientConfig.caBundle'],
      },
      {
        group: 'apiextensions.k8s.io',
        kind: 'CustomResourceDefinition',
        jqPathExpressions: ['.spec.conversion.webhook.clientConfig.caBundle'],
      },
    ],
    syncPolicy: {
      automated: { prune: false, selfHeal: true },
      managedNamespaceMetadata: { labels: privilegedLabels, annotations: keptAnnotations },
      syncOptions: ['CreateNamespace=true', 'RespectIgnoreDifferences=true'],
    },
  });
}
