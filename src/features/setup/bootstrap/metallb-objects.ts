import type { TreeMap } from '../../../core/manifests/manifest.ts';
import { yamlText } from '../../../core/manifests/yaml-text.ts';
import { firstMetalLB, isSince } from '../../../core/model/planes.ts';
import type { MetalLBInstall, MetalLBSource } from './metallb-install.ts';

/**
 * The labels of MetalLB's namespace: its speakers use the host network, which Pod Security
 * Admission allows only for privileged pods. MetalLB: config/native/ns.yaml.
 */
export const privilegedLabels = {
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
} as const;

/** Keeps engines from deleting the namespace, and with it every pool and address. */
export const keptAnnotations = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
} as const;

/** The namespace of MetalLB. It has no label of leasehold, which only manages leases. */
export function metalLBNamespace(name: string): TreeMap {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: privilegedLabels, annotations: keptAnnotations },
  };
}

/** MetalLB's chart. With this release name, the names of its objects begin with `metallb-`. */
export const metalLBChart = {
  repository: 'https://metallb.github.io/metallb',
  name: 'metallb',
  release: 'metallb',
} as const;

/**
 * Values for the chart of one version. They set what the chart's defaults change between versions
 * (FRR from 0.13.10 on, frr-k8s from 0.16 on), so that an upgrade keeps the mode, and what
 * leasehold needs: the CRDs, and a webhook that fails closed. MetalLB: charts/metallb/values.yaml.
 */
export function metalLBValues({
  version,
  bgp,
  loadBalancerClass,
}: Omit<MetalLBInstall, 'namespace'>): TreeMap {
  return {
    loadBalancerClass,
    controller: { webhookMode: 'enabled' },
    crds: { enabled: true, validationFailurePolicy: 'Fail' },
    frrk8s: isSince(version, firstMetalLB.frrK8s) ? { enabled: bgp === 'frr-k8s' } : undefined,
    speaker: { frr: { enabled: bgp === 'frr' } },
  };
}

/**
 * A values file for Helm, with the commands that use it. `cluster` is set when it must be named.
 */
export function helmText(install: MetalLBInstall, cluster: string | undefined): string {
  const { version, namespace } = install;
  const { repository, name, release } = metalLBChart;
  const which = cluster === undefined ? '' : ` --cluster ${cluster}`;
  const lines = [
    `Values of the chart ${name} ${version}. The namespace comes first:`,
    `  npx --no -- leasehold bootstrap namespace${which} | kubectl apply -f -`,
    `  helm upgrade --install ${release} ${name} --repo ${repository} --version ${version} --namespace ${namespace} --values FILE`,
  ];
  return commented(lines, yamlText([metalLBValues(install)]));
}

/** YAML below comment lines. */
export function commented(lines: readonly string[], yaml: string): string {
  return `${lines.map((line) => `# ${line}\n`).join('')}${yaml}`;
}

/** The MetalLB that Flux installs. */
export interface MetalLBFlux {
  /** The namespace of Flux's own objects. */
  readonly namespace: string;
  /** The name of the HelmRepository and the HelmRelease. */
  readonly name: string;
  readonly install: MetalLBInstall;
}

/**
 * MetalLB's namespace, and a HelmRepository and a HelmRelease of its chart. docs/bootstrap.md
 * explains their fields.
 */
export function metalLBFluxText(target: MetalLBFlux): string {
  return yamlText([
    metalLBNamespace(target.install.namespace),
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'HelmRepository',
      metadata: { name: target.name, namespace: target.namespace },
      spec: { interval: '1h', url: metalLBChart.repository },
    },
    releaseOf(target),
  ]);
}

/**
 * Helm keeps its record in MetalLB's namespace under the usual release name, so a release installed
 * by hand is taken over. Has no remediation: uninstalling a failed release would delete the CRDs,
 * and with them every pool.
 */
function releaseOf({ namespace, name, install }: MetalLBFlux): TreeMap {
  const { name: chart, release } = metalLBChart;
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name, namespace },
    spec: {
      interval: '1h',
      chart: {
        spec: {
          chart,
          version: install.version,
          sourceRef: { kind: 'HelmRepository', name },
        },
      },
      releaseName: release,
      storageNamespace: install.namespace,
      targetNamespace: install.namespace,
      values: metalLBValues(install),
    },
  };
}

/**
 * A `kustomization.yaml` of MetalLB's own manifest, for clusters without Helm. The manifest
 * contains the namespace `metallb-system` with its labels. MetalLB: config/manifests.
 */
export function metalLBKustomizeText({ version, bgp }: MetalLBInstall): string {
  const url = `https://raw.githubusercontent.com/metallb/metallb/v${version}/config/manifests/metallb-${bgp}.yaml`;
  const lines = [
    `MetalLB ${version} without Helm. In a folder of its own, as kustomization.yaml:`,
    '  kubectl apply --server-side -k .',
  ];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [url],
  };
  return commented(lines, yamlText([kustomization]));
}

/**
 * Labels of the controller's pods. MetalLB: charts/metallb/templates/_helpers.tpl,
 * config/controllers/controllers.yaml.
 */
const selectors = {
  chart: {
    'app.kubernetes.io/component': 'controller',
    'app.kubernetes.io/instance': metalLBChart.release,
    'app.kubernetes.io/name': metalLBChart.name,
  },
  manifest: { app: 'metallb', component: 'controller' },
} as const;

/**
 * The Service through which the Akash IP operator reads the metrics of MetalLB before 0.16. The
 * operator looks up `_monitoring._TCP.controller.metallb-system`. Akash provider:
 * cluster/kube/operators/clients/metallb/client.go.
 */
export function monitoringService(namespace: string, source: MetalLBSource): TreeMap {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'controller', namespace },
    spec: {
      type: 'ClusterIP',
      selector: selectors[source],
      ports: [{ name: 'monitoring', protocol: 'TCP', port: 7472, targetPort: 'monitoring' }],
    },
  };
}
