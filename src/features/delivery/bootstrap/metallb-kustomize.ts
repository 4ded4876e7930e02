import { yamlText } from '../../../manifests/yaml-text.ts';
import { commented } from './comment.ts';
import type { MetalLBInstall } from './metallb-choices.ts';

/**
 * A `kustomization.yaml` of MetalLB's own manifest, for clusters without Helm. The manifest has the namespace with its
 * labels, and has it by name: `metallb-system`. MetalLB: config/manifests.
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
