import { describe, expect, it } from 'vitest';
import { readPlanJson } from '../../../../../src/core/run/plan/plan-answer.ts';
import { sanitizedJson } from '../../../../../src/core/text/print/escape.ts';
import { aManifest, aPlan, aTotal } from '../../../../support/plans/plan-builders.ts';
import { planCases } from '../../../../support/plans/plan-cases.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const added = planCases['one-lease-added'] ?? aPlan();

function messagesOf(value: unknown): readonly string[] {
  const read = readPlanJson(bytes(JSON.stringify(value)));
  return read.ok ? [] : read.messages;
}

describe('readPlanJson', () => {
  it.each(Object.entries(planCases))('reads back %s', (_, plan) => {
    expect(readPlanJson(bytes(sanitizedJson(plan)))).toEqual({ ok: true, value: plan });
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['text', bytes('### Routine')],
    ['half of it', bytes(sanitizedJson(added).slice(0, 500))],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('refuses %s', (_, given) => {
    expect(readPlanJson(given)).toEqual({
      ok: false,
      messages: ['the plan is not JSON in UTF-8'],
    });
  });

  it.each<readonly [string, unknown, string]>([
    ['another kind', { ...added, kind: 'List' }, 'kind'],
    ['a list', [], ''],
    ['a field too many', { ...added, html: '<b>' }, ''],
    ['__proto__', JSON.parse(`{"__proto__": {}, ${JSON.stringify(added).slice(1)}`), ''],
    ['a verdict of its own', { ...added, verdict: 'approved' }, 'verdict'],
    [
      'a code of its own',
      { ...added, cautions: [{ code: 'LGTM', message: 'a' }] },
      'cautions[0].code',
    ],
    ['an invalid commit', { ...added, head: { ...added.head, commit: 'main' } }, 'head.commit'],
    ['an invalid day', { ...added, base: { ...added.base, day: 'today' } }, 'base.day'],
    ['an invalid digest', { ...added, digest: `${'a'.repeat(63)}\n` }, 'digest'],
    [
      'a line 0',
      {
        ...added,
        addresses: [{ ...added.addresses[0], at: { side: 'head', file: 'a', line: 0 } }],
      },
      'addresses[0].at.line',
    ],
    [
      'a half line',
      {
        ...added,
        addresses: [{ ...added.addresses[0], at: { side: 'head', file: 'a', line: 1.5 } }],
      },
      'addresses[0].at.line',
    ],
    [
      'a long name',
      { ...added, pools: [aTotal([1, 2], { pool: 'a'.repeat(1025) })] },
      'pools[0].pool',
    ],
    ['a long sentence', { ...added, summary: 'a'.repeat(65_537) }, 'summary'],
    [
      'a long path',
      { ...added, manifests: [aManifest({ path: 'a'.repeat(4097) })] },
      'manifests[0].path',
    ],
    [
      'a number of 300 digits',
      {
        ...added,
        pools: [{ ...aTotal([1, 2]), after: { ...aTotal([1, 2]).after, free: '9'.repeat(300) } }],
      },
      'pools[0].after.free',
    ],
  ])('refuses %s', (_, value, field) => {
    const messages = messagesOf(value);

    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      new RegExp(`^the plan is invalid at '${field.replace(/[[\]]/g, '\\$&')}': .`),
    );
  });

  it('names a few of many faults, each in few words', () => {
    const pools = Array.from({ length: 100 }, () => ({ ['a'.repeat(5_000)]: 1 }));
    const messages = messagesOf({ ...added, pools });

    expect(messages).toHaveLength(21);
    expect(messages.at(-1)).toMatch(/^and \d+ more$/);
    expect(Math.max(...messages.map((message) => message.length))).toBeLessThanOrEqual(1_000);
  });

  it('refuses a file that is far too large before reading it', () => {
    expect(readPlanJson(new Uint8Array(128 * 1024 * 1024 + 1))).toEqual({
      ok: false,
      messages: ['the plan is larger than 134217728 bytes'],
    });
  });

  it('takes a plan that is nested a hundred thousand deep for none', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

    expect(readPlanJson(bytes(deep)).ok).toBe(false);
  });
});
