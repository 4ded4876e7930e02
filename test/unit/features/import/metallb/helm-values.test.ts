import { describe, expect, it } from 'vitest';
import { formatRange } from '../../../../../src/core/net/range.ts';
import { readMetalLB } from '../../../../../src/features/import/metallb/metallb-source.ts';

const config = `configInline:
  address-pools:
  - { name: lan, protocol: layer2, addresses: [192.0.2.0/28] }
`;

const objects = `extraObjects:
- apiVersion: metallb.io/v1beta1
  kind: IPAddressPool
  metadata: { name: lan, namespace: metallb-system }
  spec: { addresses: [192.0.2.0/28] }
- apiVersion: v1
  kind: ConfigMap
  metadata: { name: other }
`;

const indented = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

const release = (values: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: metallb, namespace: flux-system }
spec:
  values:
${indented(values, 4)}`;

const application = (field: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: metallb, namespace: argocd }
spec:
  source:
    helm:
      ${field}
`;

const chart = `apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: { name: metallb, namespace: kube-system }
spec:
  valuesContent: |
${indented(config, 4)}`;

function read(text: string) {
  const bytes = new TextEncoder().encode(text);
  const imported = readMetalLB([{ name: 'a.yaml', bytes }]);
  if (!imported.ok) throw new Error(JSON.stringify(imported.problems));
  const { pools, notes } = imported.value;
  return {
    pools: pools.map(
      ({ name, ranges }) => `${name} ${ranges.map((one) => formatRange(one.range))}`,
    ),
    at: pools.map(({ at }) => `${at.line}:${at.column}`),
    notes: notes.map(({ effect, subject }) => `${effect} ${subject}`),
  };
}

describe('the pools in the values of a chart', () => {
  it.each([
    ['a values file', config, 'the values of the chart'],
    [
      'the values file of a chart that depends on it',
      `metallb:\n${indented(config, 2)}`,
      'the values of the chart',
    ],
    ['a values file with objects', objects, 'the values of the chart'],
    ['a HelmRelease', release(config), 'HelmRelease metallb'],
    ['a HelmRelease with objects', release(objects), 'HelmRelease metallb'],
    [
      'an Application with values as an object',
      application(`valuesObject:\n${indented(config, 8)}`),
      'Application metallb',
    ],
    [
      'an Application with values as text',
      application(`values: |\n${indented(config, 8)}`),
      'Application metallb',
    ],
    ['a HelmChart of K3s', chart, 'HelmChart metallb'],
  ])('of %s are read', (_, text, subject) => {
    const { pools, notes } = read(text);
    expect(pools).toEqual(['lan 192.0.2.0/28']);
    expect(notes).toContain(`changed ${subject}`);
  });

  it('have their places in the file', () => {
    const line = chart.split('\n').findIndex((text) => text.includes('name: lan')) + 1;
    expect(read(chart).at).toEqual([`${line}:17`]);
  });

  it.each([
    [
      'a HelmRelease without pools',
      release('controller: { enabled: true }\n'),
      'HelmRelease metallb',
    ],
    ['an Application with a template', application("values: '{{ x'"), 'Application metallb'],
    ['values without a kind', "a: { apiVersion: metallb.io/v1beta1, kind: '' }\n", 'a document'],
    ['values with a map for a text', 'a: { apiVersion: {}, kind: x }\n', 'a document'],
    ['values without pools', 'controller: { enabled: true }\n', 'a document'],
  ])('%s is left', (_, text, subject) => {
    expect(read(text)).toMatchObject({ pools: [], notes: [`left ${subject}`] });
  });
});
