import { describe, expect, it } from 'vitest';
import {
  akashOperatorFindings,
  isRunningAkashOperator,
} from '../../../../../src/features/cluster/live/akash-operator.ts';

interface Words {
  readonly name?: string;
  readonly labels?: Record<string, string>;
  readonly replicas?: number | undefined;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

const deployment = ({ name = 'web', labels = {}, replicas = 1, ...container }: Words) => ({
  metadata: { name, namespace: 'akash-services', labels },
  spec: { replicas, template: { spec: { containers: [{ name: 'main', ...container }] } } },
});

describe('isRunningAkashOperator', () => {
  it.each<[string, Words]>([
    ['its name', { name: 'operator-ip' }],
    ['its component', { labels: { 'akash.network/component': 'akash-ip-operator' } }],
    ["the chart's labels", { name: 'x-operator-ip', labels: { 'app.kubernetes.io/name': 'ip' } }],
    ['its arguments', { args: ['operator', 'ip', '--provider=x'] }],
    ['its command', { command: ['provider-services', 'operator', 'ip'] }],
    ['a script', { command: ['/bin/sh', '-c'], args: ['exec provider-services operator ip'] }],
  ])('knows it by %s', (_, words) => {
    expect(isRunningAkashOperator(deployment(words))).toBe(true);
    expect(isRunningAkashOperator(deployment({ ...words, replicas: 0 }))).toBe(false);
  });

  it.each<[string, Words]>([
    ['another operator', { name: 'operator-hostname', args: ['operator', 'hostname'] }],
    ['anything called ip', { name: 'web', labels: { 'app.kubernetes.io/name': 'ip' } }],
    ['words that only begin so', { args: ['operator', 'ipam'] }],
    ['a tenant', { name: 'operator-ip', labels: { 'akash.network/manifest-service': 'web' } }],
    ['nothing in particular', {}],
  ])('does not take for it %s', (_, words) => {
    expect(isRunningAkashOperator(deployment(words))).toBe(false);
  });

  it('does not take leasehold serve for it, and by its labels nothing else', () => {
    const labels = {
      'app.kubernetes.io/name': 'leasehold',
      'app.kubernetes.io/component': 'serve',
    };
    const serve = {
      name: 'operator-ip',
      labels,
      command: ['leasehold'],
      args: ['serve', '-C', '/x'],
    };
    expect(isRunningAkashOperator(deployment(serve))).toBe(false);
    expect(isRunningAkashOperator(deployment({ ...serve, labels: {} }))).toBe(true);
    expect(isRunningAkashOperator(deployment({ ...serve, args: ['synth'] }))).toBe(true);
    expect(
      isRunningAkashOperator(deployment({ ...serve, args: ['serve', 'operator', 'ip'] })),
    ).toBe(true);
    expect(isRunningAkashOperator(deployment({ name: 'operator-ip', labels }))).toBe(true);
  });

  it('runs one replica when none is said, and has no containers when none are there', () => {
    const metadata = { name: 'operator-ip' };
    expect(isRunningAkashOperator({ metadata })).toBe(true);
    expect(isRunningAkashOperator({ metadata: { name: 'x' }, spec: { template: 7 } })).toBe(false);
  });
});

describe('akashOperatorFindings', () => {
  it('says how to stop each one', () => {
    expect(akashOperatorFindings([deployment({ name: 'operator-ip' }), deployment({})])).toEqual([
      {
        object: 'Deployment akash-services/operator-ip',
        message: 'is an Akash IP operator that runs: it rewrites our Services without their pins',
        hint: 'set AKASH_IP_OPERATOR=false at the provider, which stops bidding otherwise, and then scale it to 0: kubectl -n akash-services scale deployment operator-ip --replicas=0',
      },
    ]);
  });
});
