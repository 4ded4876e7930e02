import type { TreeMap } from '../../../manifests/manifest.ts';
import { yamlText } from '../../../manifests/yaml-text.ts';
import { isSince } from '../../../model/metallb-version.ts';
import { commented } from './comment.ts';
import type { MetalLBInstall } from './metallb-choices.ts';

/** MetalLB's chart. The release is called as the chart: the names of what it makes then begin with `metallb-`. */
export const metalLBChart = {
  repository: 'https://metallb.github.io/metallb',
  name: 'metallb',
  release: 'metallb',
} as const;

/**
 * Values for the chart of one version. They say what the chart's defaults changed between versions (FRR from 0.13.10
 * on, frr-k8s from 0.16 on), so that an upgrade changes nothing that nobody asked for, and what leasehold relies on:
 * the definitions, and a webhook that refuses rather than lets pass. MetalLB: charts/metallb/values.yaml.
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
    // The chart knows frr-k8s since 0.14.
    frrk8s: isSince(version, '0.14.0') ? { enabled: bgp === 'frr-k8s' } : undefined,
    speaker: { frr: { enabled: bgp === 'frr' } },
  };
}

/** A file of values for Helm, with the commands that use it. `cluster` is the one of the pool file, when it must be said. */
export function helmText(install: MetalLBInstall, cluster: string | undefined): string {
  const { version, namespace } = install;
  const { repository, name, release } = metalLBChart;
  const which = cluster === undefined ? '' : ` --cluster ${cluster}`;
  const lines = [
    `Values of the chart ${name} ${version}. The namespace comes first:`,
    `  npx --no leasehold bootstrap namespace${which} | kubectl apply -f -`,
    `  helm upgrade --install ${release} ${name} --repo ${repository} --version ${version} --namespace ${namespace} --values FILE`,
  ];
  return commented(lines, yamlText([metalLBValues(install)]));
}
