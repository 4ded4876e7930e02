import { describe, expect, it } from 'vitest';
import {
  akashOperatorFindings,
  isRunningAkashOperator,
} from '../../../../src/features/cluster/akash-operator.ts';
import { findingsOf, levelOf } from '../../../support/live/findings.ts';
import { controller, workload } from '../../../support/live/healthy-cluster.ts';

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
  ])('is true for an operator recognized by %s', (_, words) => {
    expect(isRunningAkashOperator(deployment(words))).toBe(true);
    expect(isRunningAkashOperator(deployment({ ...words, replicas: 0 }))).toBe(false);
  });

  it.each<[string, Words]>([
    ['another operator', { name: 'operator-hostname', args: ['operator', 'hostname'] }],
    ['an app named ip', { name: 'web', labels: { 'app.kubernetes.io/name': 'ip' } }],
    ['arguments with the same prefix', { args: ['operator', 'ipam'] }],
    [
      'a workload of a tenant',
      { name: 'operator-ip', labels: { 'akash.network/manifest-service': 'web' } },
    ],
    ['an unrelated Deployment', {}],
  ])('is false for %s', (_, words) => {
    expect(isRunningAkashOperator(deployment(words))).toBe(false);
  });

  it('is false for leasehold serve, but not for other workloads with its labels', () => {
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

  it('treats missing replicas as 1 and missing containers as none', () => {
    const metadata = { name: 'operator-ip' };
    expect(isRunningAkashOperator({ metadata })).toBe(true);
    expect(isRunningAkashOperator({ metadata: { name: 'x' }, spec: { template: 7 } })).toBe(false);
  });
});

describe('akashOperatorFindings', () => {
  it('has a hint with the command that stops each operator', () => {
    expect(akashOperatorFindings([deployment({ name: 'operator-ip' }), deployment({})])).toEqual([
      {
        object: 'Deployment akash-services/operator-ip',
        message:
          'is a running Akash IP operator: it overwrites Services without their pinned addresses',
        hint: 'set AKASH_IP_OPERATOR=false at the provider, which otherwise stops bidding, then scale it to 0: `kubectl -n akash-services scale deployment operator-ip --replicas=0`',
      },
    ]);
  });
});

const namespace = 'akash-services';
const operator = workload('operator-ip', { namespace });
const operatorPod = (name: string) => ({
  metadata: { name, namespace, labels: { app: 'operator-ip' } },
});
const running = (...deployments: readonly ReturnType<typeof workload>[]) => ({
  deployment: [controller(), ...deployments],
});

describe('AKASH_OPERATOR', () => {
  it('is a problem with the command that stops the running operator', async () => {
    const [finding] = await findingsOf('AKASH_OPERATOR', { objects: running(operator) });

    expect(finding).toMatchObject({
      level: 'problem',
      found: 'the Akash IP operator akash-services/operator-ip runs',
      command: 'kubectl -n akash-services scale deployment operator-ip --replicas=0',
    });
  });

  it('is ok when the operator is scaled to 0', async () => {
    const stopped = workload('operator-ip', { namespace, replicas: 0 });
    const objects = running(stopped);
    expect(await levelOf('AKASH_OPERATOR', { objects })).toBe('ok');
    expect(await levelOf('OPERATOR_BARRIER', { objects })).toBe('none');
  });

  it('has one finding for each running operator', async () => {
    const second = workload('operator-ip', { namespace: 'other' });
    const found = await findingsOf('AKASH_OPERATOR', { objects: running(operator, second) });

    expect(found).toHaveLength(2);
  });
});

describe('METALLB_METRICS', () => {
  it.each([
    ['v0.15.3', true, 'none'],
    ['v0.16.0', true, 'caution'],
    ['v0.16.1', false, 'none'],
    ['main', true, 'none'],
  ])('MetalLB %s with a running operator (%s) is %s', async (tag, runs, level) => {
    const deployment = [controller(tag), ...(runs ? [operator] : [])];
    expect(await levelOf('METALLB_METRICS', { objects: { deployment } })).toBe(level);
  });
});

describe('OPERATOR_BARRIER', () => {
  const objects = {
    ...running(operator),
    pod: [operatorPod('operator-ip-2'), operatorPod('operator-ip-1')],
  };
  const locked = "E[2026] barrier is locked, can't service request";

  it.each([
    ['contains the line twice', `${locked}\nfine\n${locked}\n`, 'problem', '2 times'],
    ['contains the line once', `fine\n${locked}`, 'problem', 'once'],
    ['does not contain the line', 'fine\n', 'ok', 'does not'],
  ])('reads a log that %s', async (_, log, level, words) => {
    const one = { ...objects, pod: [operatorPod('operator-ip-1')] };
    const [finding] = await findingsOf('OPERATOR_BARRIER', {
      objects: one,
      logs: { 'operator-ip-1': log },
    });

    expect(finding?.level).toBe(level);
    expect(finding?.found).toContain(words);
  });

  it('has one finding for each pod, in name order, unknown without a fix when there is no log', async () => {
    const found = await findingsOf('OPERATOR_BARRIER', { objects, logs: { 'operator-ip-2': '' } });

    expect(found.map(({ level }) => level)).toEqual(['unknown', 'ok']);
    expect(found[0]).toMatchObject({ found: expect.stringMatching(/^there is no log of .*-1: /) });
    expect(found[0]).not.toHaveProperty('fix');
  });

  it('is unknown when RBAC denies the log, with the command that grants it', async () => {
    const [finding] = await findingsOf('OPERATOR_BARRIER', { objects, denied: ['log'] });

    expect(finding).toMatchObject({
      level: 'unknown',
      found: 'this user may not get pods/log',
      command: 'npx --no -- leasehold bootstrap rbac --doctor | kubectl apply -f -',
    });
  });

  it('ignores pods of other Deployments', async () => {
    const other = { metadata: { name: 'other', namespace, labels: { app: 'other' } } };
    const found = await findingsOf('OPERATOR_BARRIER', { objects: { ...objects, pod: [other] } });

    expect(found).toEqual([]);
  });
});
