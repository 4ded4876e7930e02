import { describe, expect, it } from 'vitest';
import type { DryRunAnswer } from '../../../../../../../src/lib/kubernetes/live-cluster.ts';
import { findingsOf, levelOf } from '../../../../../../support/live/findings.ts';
import { poolWebhook } from '../../../../../../support/live/healthy-cluster.ts';

describe('METALLB_WEBHOOK', () => {
  it.each([
    ['none', [], 'problem'],
    ['one of another group', [{ metadata: { name: 'x' }, webhooks: [{ rules: [] }] }], 'problem'],
    ['one without webhooks', [{ metadata: { name: 'x' } }], 'problem'],
    ['one without a caBundle', [poolWebhook({ clientConfig: {} })], 'problem'],
    ['one with an empty caBundle', [poolWebhook({ clientConfig: { caBundle: '' } })], 'problem'],
    ['one with failurePolicy Ignore', [poolWebhook({ failurePolicy: 'Ignore' })], 'caution'],
    [
      'one that leaves out some objects',
      [
        poolWebhook({
          objectSelector: { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] },
        }),
      ],
      'caution',
    ],
    ['a valid one', [poolWebhook()], 'ok'],
  ])('with %s: %#', async (_, webhook, level) => {
    expect(await levelOf('METALLB_WEBHOOK', { objects: { webhook } })).toBe(level);
  });
});

describe('METALLB_ADMISSION', () => {
  const overlap =
    'admission webhook "ipaddresspoolvalidationwebhook.metallb.io" denied the request: CIDR "192.0.2.0/25" in pool "leasehold-doctor" overlaps with already defined CIDR "192.0.2.0/24"';
  const unreachable =
    'Internal error occurred: failed calling webhook "ipaddresspoolvalidationwebhook.metallb.io": failed to call webhook: Post "https://metallb-webhook-service.metallb-system.svc:443/": connection refused';
  const answers: readonly (readonly [DryRunAnswer['verdict'], string, string])[] = [
    ['refused', overlap, 'ok'],
    ['accepted', '', 'problem'],
    ['failed', unreachable, 'problem'],
    ['failed', 'the server is currently unable to handle the request', 'unknown'],
    ['refused', 'admission webhook "policy.example" denied the request: no', 'unknown'],
    ['denied', 'cannot create resource "ipaddresspools"', 'unknown'],
  ];

  it.each(answers)('%s with the message %s is %s', async (verdict, message, level) => {
    expect(await levelOf('METALLB_ADMISSION', { dryRun: { verdict, message } })).toBe(level);
  });

  it('names the verb to grant', async () => {
    const dryRun = { verdict: 'denied', message: 'no' } as const;
    const [finding] = await findingsOf('METALLB_ADMISSION', { dryRun });

    expect(finding?.fix).toContain('the verb create on ipaddresspools');
  });
});

describe('METALLB_CONFIGURATION', () => {
  const state = (name: string, result: string) => ({
    metadata: { name, namespace: 'metallb-system' },
    status: { result, errorSummary: 'pools overlap' },
  });

  it.each([
    ['not served', undefined, []],
    ['Valid', [state('controller', 'Valid')], ['ok']],
    ['Unknown', [state('controller', 'Unknown')], ['ok']],
    ['Invalid twice, for one reason', [state('a', 'Invalid'), state('b', 'Invalid')], ['problem']],
  ])('reads a state that is %s', async (_, configurationState, levels) => {
    const live = { objects: { configurationState } };
    const found = await findingsOf('METALLB_CONFIGURATION', live);

    expect(found.map(({ level }) => level)).toEqual(levels);
  });
});

describe('FOREIGN_POOLS', () => {
  const pool = (addresses: readonly string[], labels = {}) => ({
    metadata: { name: 'old', namespace: 'metallb-system', labels },
    spec: { addresses },
  });
  const ours = { 'app.kubernetes.io/managed-by': 'leasehold' };

  it.each([
    ['beside ours', pool(['198.51.100.0/24']), 'ok'],
    ['on ours', pool(['203.0.113.0/28']), 'problem'],
    ['on the last address of ours', pool(['203.0.113.15-203.0.113.20']), 'problem'],
    ['just after ours', pool(['203.0.113.16-203.0.113.20']), 'ok'],
    ['that is ours', pool(['203.0.113.7/32'], ours), 'ok'],
  ])('a pool %s: %#', async (_, addressPool, level) => {
    expect(await levelOf('FOREIGN_POOLS', { objects: { addressPool: [addressPool] } })).toBe(level);
  });

  it('accepts a live pool that dist/ also has: the first sync takes it over', async () => {
    const objects = { addressPool: [pool(['203.0.113.0/28'])] };
    const written = ['IPAddressPool metallb-system/old'];
    const found = await findingsOf('FOREIGN_POOLS', { objects }, { written });
    expect(found.map(({ level, found: text }) => [level, text])).toEqual([
      ['ok', expect.stringContaining('metallb-system/old lacks the label of leasehold')],
      ['ok', 'no other IPAddressPool overlaps a declared pool or another one'],
    ]);
    expect(await levelOf('FOREIGN_POOLS', { objects }, { written: ['IPAddressPool x/old'] })).toBe(
      'problem',
    );
  });

  it('has no finding when the kind is not served', async () => {
    expect(await levelOf('FOREIGN_POOLS', { objects: { addressPool: undefined } })).toBe('none');
  });
});
