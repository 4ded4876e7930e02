import type { TreeMap } from '../../../manifests/manifest.ts';
import { yamlText } from '../../../manifests/yaml-text.ts';
import { metalLBChart, metalLBValues } from './metallb-chart.ts';
import type { MetalLBInstall } from './metallb-choices.ts';
import { metalLBNamespace } from './metallb-namespace.ts';

/** What Flux is to install MetalLB as. */
export interface MetalLBFlux {
  /** The namespace of Flux's own objects. */
  readonly namespace: string;
  /** The name of the HelmRepository and the HelmRelease. */
  readonly name: string;
  readonly install: MetalLBInstall;
}

/**
 * MetalLB's namespace, and a HelmRepository and a HelmRelease of its chart. What they say and leave out is explained in
 * docs/bootstrap.md.
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
 * Helm keeps its record in MetalLB's namespace, under the name that the guides give the release: one that was installed
 * by hand is taken over. Without remediation: to uninstall a release that failed would delete the definitions, and
 * with them every pool.
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
