import { describe, expect, it } from 'vitest';
import type { LiveObject } from '../../../../../../../src/core/model/live.ts';
import { findingsOf, levelOf } from '../../../../../../support/live/findings.ts';
import { speakerPod, workload } from '../../../../../../support/live/healthy-cluster.ts';

const exclusion = 'node.kubernetes.io/exclude-from-external-load-balancers';
const node = (name: string, labels = {}): LiveObject => ({ metadata: { name, labels } });

/** Speakers with arguments, all ready. */
const speakers = (...args: readonly string[]) =>
  workload('speaker', {
    container: { name: 'speaker', image: 'quay.io/metallb/speaker:v0.14.9', args },
    status: { desiredNumberScheduled: 1, numberReady: 1 },
  });

describe('METALLB_NODES', () => {
  const excluded = [node('node-a', { [exclusion]: '' })];

  it.each<[string, object, string]>([
    ['a node', {}, 'ok'],
    ['only excluded nodes', { node: excluded }, 'problem'],
    [
      'one node that is not excluded',
      {
        node: [...excluded, node('node-b')],
        pod: ['a', 'b'].map((one) => speakerPod(`node-${one}`)),
      },
      'ok',
    ],
    [
      'excluded nodes that speakers accept',
      { node: excluded, daemonSet: [speakers('--ignore-exclude-lb')] },
      'ok',
    ],
    ['no speaker at all, which METALLB_SPEAKERS reports', { daemonSet: [] }, 'none'],
    [
      'no ready speaker, which METALLB_SPEAKERS reports',
      { pod: [], daemonSet: [workload('speaker', { status: {} })] },
      'none',
    ],
  ])('with %s is %s', async (_, objects, level) => {
    expect(await levelOf('METALLB_NODES', { objects })).toBe(level);
  });

  it('names the nodes, the pools and a command', async () => {
    const [finding] = await findingsOf('METALLB_NODES', { objects: { node: excluded } });

    expect(finding).toMatchObject({
      found: `MetalLB does not announce from node-a: the label ${exclusion} excludes every node that could`,
      means: 'no address of the pool public is announced, so no traffic arrives',
      command: `kubectl label node node-a ${exclusion}-`,
    });
  });

  it('names the pool whose nodeSelectors match no node, and its place', async () => {
    const advertise = 'l2: { nodeSelectors: [{ matchLabels: { rack: one } }] }';
    const [finding] = await findingsOf('METALLB_NODES', {}, { advertise });

    expect(finding).toMatchObject({
      level: 'problem',
      found: 'no node matches the nodeSelectors of pool public',
      fix: expect.stringMatching(/nodeSelectors of pool public \(leases\/pools.yaml:\d+\)/),
    });
    const labelled = { objects: { node: [node('node-a', { rack: 'one' })] } };
    expect(await levelOf('METALLB_NODES', labelled, { advertise })).toBe('ok');
  });

  it('names the one of several advertisements whose nodeSelectors match no node', async () => {
    const selectors = 'nodeSelectors: [{ matchLabels: { rack: one } }]';
    const advertise = `[{ l2: {} }, { name: west, l2: { ${selectors} } }]`;
    const [finding, ...others] = await findingsOf('METALLB_NODES', {}, { advertise });

    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      level: 'problem',
      found: 'no node matches the nodeSelectors of pool public (advertisement west)',
      means:
        'no address of the pool public (advertisement west) is announced, so no traffic arrives',
    });
  });

  it.each(['node', 'pod', 'daemonSet'] as const)('is unknown when %s is denied', async (kind) => {
    expect(await levelOf('METALLB_NODES', { denied: [kind] })).toBe('unknown');
  });
});

describe('METALLB_INTERFACES', () => {
  const advertise = 'l2: { interfaces: [bond0] }';
  const message = 'the interfaces specified by LB IP "203.0.113.2" doesn\'t exist';
  const service = {
    metadata: { name: 'app', namespace: 'web' },
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.2' }] } },
  };
  const event = {
    metadata: { name: 'app.1', namespace: 'web' },
    type: 'Warning',
    reason: 'announceFailed',
    message,
    lastTimestamp: '2026-11-20T10:00:00Z',
    involvedObject: { kind: 'Service', namespace: 'web', name: 'app' },
  };
  const objects = { service: [service], event: [event] };

  it('says which interfaces a speaker lacks', async () => {
    const [finding] = await findingsOf('METALLB_INTERFACES', { objects }, { advertise });

    expect(finding).toMatchObject({
      level: 'problem',
      found: `MetalLB: announceFailed: ${message}`,
      fix: expect.stringContaining('advertise.l2.interfaces'),
    });
  });

  it('is not reported without a failure, or for pools on all interfaces', async () => {
    const quiet = { objects: { ...objects, event: [] } };
    expect(await levelOf('METALLB_INTERFACES', quiet, { advertise })).toBe('none');
    expect(await levelOf('METALLB_INTERFACES', { objects })).toBe('none');
  });

  it.each(['service', 'event'] as const)('is unknown when %s is denied', async (kind) => {
    const live = { objects, denied: [kind] };
    expect(await levelOf('METALLB_INTERFACES', live, { advertise })).toBe('unknown');
  });
});
