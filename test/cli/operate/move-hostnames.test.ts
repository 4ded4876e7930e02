import { describe, expect, it } from 'vitest';
import {
  hostnameText,
  leaseHostText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { accountOf } from '../../support/declarations/lease-text.ts';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { profilesLine } from '../../support/declarations/sdl.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { answerOf } from '../../support/run/json-answer.ts';

const [old, next] = [`${alice}/7/1/1`, `${alice}/8/1/1`];
const oldFile = 'leases/alice/7.yaml';
const pools = routedPoolText.replace('kind: Pools', `kind: Pools\nprovider: ${provider}`);

/** A clone with a live lease of two hostnames, on the branch `change`. */
async function twoHostnames(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': pools,
    [oldFile]: leaseHostText('7', 'a.example.com, b.example.com'),
  });
  await checkout.synth('2026-01-03');
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

const sdlLeaseText = `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${alice}, dseq: '9', gseq: 1, oseq: 1, provider: ${provider} }
  sdl: 9.sdl.yaml
`;
const sdlText = `version: '2.0'
services:
  web: { expose: [{ port: 80, accept: [d.example.com, e.example.com], to: [{ global: true }] }], image: a }
${profilesLine(['west'])}deployment: { web: { west: { profile: web, count: 1 } } }
`;

const onDay = ['--today', '2026-01-05'];

describe('leasehold move --to-lease', () => {
  it('moves a hostname to a new lease of its owner, whose record and namespace rules stay', async () => {
    const checkout = await twoHostnames();
    const record = checkout.read('leases/hostnames/com/example/a.example.com.yaml');

    const { status, out } = await checkout.run(
      'move',
      'a.example.com',
      '--to-lease',
      next,
      ...onDay,
    );

    expect(status).toBe(0);
    expect(out).toContain(
      `a.example.com  ${old} -> ${next}\nedited ${oldFile}\nedited leases/alice/8-1-1.yaml\n`,
    );
    expect(checkout.read(oldFile)).toContain('accept: [b.example.com]');
    expect(checkout.read('leases/alice/8-1-1.yaml')).toContain(
      '- { service: web, accept: [ a.example.com ] }',
    );
    expect(checkout.read('leases/hostnames/com/example/a.example.com.yaml')).toBe(record);
    checkout.commit('2026-01-05');
    expect((await checkout.run('check', '--base', 'main', ...onDay)).status).toBe(0);
    const plan = await checkout.run('plan', '--base', 'main', ...onDay);
    expect(plan.out).toContain('a.example.com');
  });

  it('moves all hostnames of a lease to one that is declared, with their HTTP options', async () => {
    const checkout = await twoHostnames();
    checkout.edit(
      'leases/pools.yaml',
      'className: nginx',
      'className: nginx, controller: k8s.io/ingress-nginx',
    );
    checkout.edit(oldFile, 'accept:', 'httpOptions: { maxBodySize: 2097152 }, accept:');
    checkout.put('leases/alice/8.yaml', leaseHostText('8', 'c.example.com'));
    await checkout.synth('2026-01-04');

    const names = ['b.example.com', 'a.example.com'];
    const argv = ['move', ...names, '--to-lease', next, ...onDay];
    const answer = await answerOf(argv, checkout.root, { schema: 'move' });

    expect(answer).toMatchObject({
      moved: [],
      hostnames: [
        { hostname: 'a.example.com', holder: `default/akash/${alice}`, from: old, to: next },
        { hostname: 'b.example.com' },
      ],
      edited: [oldFile, 'leases/alice/8.yaml'],
    });
    expect(checkout.read('leases/alice/8.yaml')).toContain(
      '{ service: web, accept: [ a.example.com, b.example.com ], httpOptions: { maxBodySize: 2097152 } }',
    );
    expect(checkout.repository.git('status', '--porcelain')).toContain(`D  ${oldFile}`);
    checkout.commit('2026-01-05');
    expect((await checkout.run('check', '--base', 'main', ...onDay)).status).toBe(0);
  });

  it.each([
    [['none.example.com', '--to-lease', next], 'no declaration has the hostname none.example.com'],
    [['A.example.com', '--to-lease', next], 'hostname A.example.com; write a.example.com'],
    [
      ['shop.example.com', '--to-lease', next],
      'is not a hostname of a lease: edit leases/shop.yaml:3',
    ],
    [['a.example.com', '--to-lease', old], 'a.example.com is already a hostname of this lease'],
    [
      ['a.example.com', '--to-lease', `${accountOf('bob')}/8/1/1`],
      `a.example.com belongs to ${alice}: a move does not change the owner`,
    ],
    [
      ['a.example.com', '--to-lease', next, '--to', '203.0.113.1'],
      '--to, --keep-host, --pool and --family are for addresses, --to-lease is for hostnames',
    ],
    [['a.example.com', '--to-lease', '8'], 'Expected a lease as OWNER/DSEQ/GSEQ/OSEQ.'],
  ])('refuses %j', async (words, reason) => {
    const checkout = await twoHostnames();
    checkout.put('leases/shop.yaml', hostnameText('shop.example.com'));
    const { status, err } = await checkout.run('move', ...words, ...onDay);
    expect([status, err]).toEqual([64, expect.stringContaining(reason)]);
  });

  it('leaves an SDL to its tenant, and writes nothing', async () => {
    const checkout = await twoHostnames();
    const sdl = 'leases/alice/9.sdl.yaml';
    checkout.put(sdl, sdlText);
    checkout.put('leases/alice/9.yaml', sdlLeaseText);
    await checkout.synth('2026-01-04');

    const { status, out } = await checkout.run(
      'move',
      'd.example.com',
      '--to-lease',
      next,
      ...onDay,
    );

    expect([status, out]).toEqual([1, expect.stringContaining('SDL_NOT_EDITED')]);
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
  });
});
