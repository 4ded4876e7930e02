// @module-tag slow

import { describe, expect, it } from 'vitest';
import {
  first,
  judged,
  type Owners,
  owners,
  secretFile,
} from '../../support/repositories/key-owner.ts';
import { recordOf } from '../../support/repositories/lease-checkout.ts';

const elsewhere = '203.0.113.9';

/** Commits what is done on a branch of its own, and goes back to main. */
async function on(branch: string, shop: Owners, ...line: readonly string[]): Promise<void> {
  const { repository, run, synth } = shop;
  if (branch !== 'main') repository.git('checkout', '-q', '-b', branch, 'main');
  const { status, out, err } = await run(...line);
  if (status !== 0) throw new Error(`${out}${err}`);
  await synth('2026-01-05', line.join(' '));
  repository.git('checkout', '-q', 'main');
}

/** A shop that rotates its key on one branch and moves on the other one; `into` merges the other one. */
async function torn(rotates: string, moves: string, into: string): Promise<Owners> {
  const shop = await owners();
  const rotation = ['--new-secret-file', secretFile('another good secret')];
  const move = ['move', first, '--to', elsewhere, '--today', '2026-01-05'];
  const rotate = ['key', 'rotate', 'shop/own', '--secret-file', shop.secret, ...rotation];
  // The branch first: it begins where main is.
  const lines = new Map([
    [rotates, rotate],
    [moves, move],
  ]);
  for (const branch of [into, 'main']) await on(branch, shop, ...(lines.get(branch) ?? []));
  shop.repository.git('checkout', '-q', into);
  shop.repository.tried('merge', '-q', 'main');
  return shop;
}

describe('resolve', () => {
  it('drops a move from an address that got another key upstream', async () => {
    const shop = await torn('main', 'moving', 'moving');
    const { status } = await shop.run('resolve', '--onto', 'main', '--today', '2026-01-06');
    expect(status).toBe(0);
    shop.commit('2026-01-06', 'Merge');
    expect(shop.read(recordOf(first))).toBe(shop.repository.git('show', `main:${recordOf(first)}`));
    expect(shop.read(recordOf(first))).toContain('generation: 1');
    expect(shop.repository.git('ls-files', recordOf(elsewhere))).toBe('');
    expect(await judged(shop, 'main')).toBe('fine');
  });

  it('asks for another signature where the holder was moved upstream', async () => {
    const shop = await torn('rotating', 'main', 'rotating');
    const { status, out } = await shop.run('resolve', '--onto', 'main', '--today', '2026-01-06');
    expect(status).toBe(1);
    expect(out).toContain('NOT_PROVEN');
    expect(out).toContain(`--action rotate --address ${elsewhere} --new-key shop/own`);
  });
});
