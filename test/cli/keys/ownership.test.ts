import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  first,
  judged,
  type Owners,
  owned,
  owners,
  secretFile,
  serviceText,
  signature,
  synth,
} from '../../support/repositories/key-owner.ts';
import { recordOf } from '../../support/repositories/lease-checkout.ts';
import { statesWithoutLock } from '../../support/trees/bad-workspaces.ts';

const web = 'leases/shop/web.yaml';
const blog = 'leases/blog/web.yaml';
const key = 'leases/keys/shop/own.yaml';
const pin = `ipam.vitistack.io/addresses: ${first}`;
const toBlog = ['--action', 'reclaim', '--address', first, '--holder', 'default/service/blog/web'];

describe('an address that is kept with a key', () => {
  async function released(): Promise<Owners> {
    const life = await owners();
    life.put(web, '');
    await life.synth('2026-01-05', 'The shop closes');
    return life;
  }

  test('goes to another holder by a signature, and the pull request is sound', {
    tags: 'slow',
  }, async () => {
    const life = await released();
    life.put(blog, serviceText('blog', pin));
    expect(await synth(life, '2026-01-06')).toBe('NOT_PROVEN');

    const { status, out, err } = await life.key('sign', ...toBlog);
    expect([status, err]).toEqual([
      0,
      `default/service/blog/web gets ${first}, under no key, once, from generation 0 of its record; set this as leasehold.dev/signature of its Service, which pins ${first}:\n`,
    ]);
    expect(out).toMatch(/^[A-Za-z0-9_-]{86}\n$/);
    life.put(blog, serviceText('blog', pin, signature(out)));
    expect(await synth(life, '2026-01-06')).toBe('fine');
    expect(life.read(recordOf(first))).toMatch(
      /holder: default\/service\/blog\/web\nsince: 2026-01-06\nretain: 1\ngeneration: 1\n$/,
    );
    expect(await judged(life, 'HEAD')).toBe('fine');
    life.commit('2026-01-06');
    expect((await life.run('check')).status).toBe(0);

    life.put(blog, serviceText('blog', pin));
    await synth(life, '2026-01-06');
    expect(await judged(life, 'HEAD~1')).toBe('ALLOCATION_FORGED');
  });

  test('comes back to its own holder and key, and to no other', { tags: 'slow' }, async () => {
    const life = await released();
    life.put(web, serviceText('shop', pin));
    expect(await synth(life, '2026-01-06')).toBe('NOT_PROVEN');
    life.put(web, serviceText('shop'));
    expect(await synth(life, '2026-01-06')).toBe('fine');
    expect(life.read(recordOf(first))).toMatch(/released:/);
    life.repository.git('checkout', '-q', '.');
    life.repository.git('clean', '-q', '-fd', 'leases', 'dist');
    life.put(web, serviceText('shop', ...owned));
    expect(await synth(life, '2026-01-06')).toBe('fine');
    expect(life.read(recordOf(first))).toMatch(/since: 2026-01-06\n(?!.*released).*key: /s);
  });

  test('takes no signature that was used in an earlier life of the address', {
    tags: 'slow',
  }, async () => {
    const life = await released();
    const { out } = await life.key('sign', ...toBlog);
    life.put(web, serviceText('shop', ...owned));
    await life.synth('2026-01-06', 'The shop opens again');
    life.put(web, '');
    await life.synth('2026-01-07', 'The shop closes again');
    life.put(blog, serviceText('blog', pin, signature(out)));
    expect(await synth(life, '2026-01-08')).toBe('NOT_PROVEN');
  });

  test('takes no signature for another repository, and the id may not change', {
    tags: 'slow',
  }, async () => {
    const life = await released();
    const { out } = await life.key('sign', ...toBlog);
    const id = 'leases/keys/repository.yaml';
    life.put(id, life.read(id).replace(/id: '.*'/, `id: '${'0'.repeat(32)}'`));
    life.put(blog, serviceText('blog', pin, signature(out)));
    expect(await synth(life, '2026-01-06')).toBe('NOT_PROVEN');
    const again = await life.key('sign', ...toBlog);
    life.put(blog, serviceText('blog', pin, signature(again.out)));
    expect(await synth(life, '2026-01-06')).toBe('fine');
    expect(await judged(life, 'HEAD')).toBe('REPOSITORY_CHANGED');
  });
});

describe('key rotate', () => {
  test('writes the key and the signature, and the next synth and the pull request are sound', {
    tags: 'slow',
  }, async () => {
    const life = await owners();
    const before = life.read(web);
    const salt = /salt: .*/.exec(life.read(key))?.[0];
    const fresh = secretFile('another long secret');
    const rotated = await life.key('rotate', '--new-secret-file', fresh, '--today', '2026-01-05');
    expect([rotated.status, rotated.out, rotated.err]).toEqual([
      0,
      `wrote ${key}\nwrote ${web}\nsigned over: ${first}; run \`leasehold synth\`, and commit all of it together\n`,
      '',
    ]);
    expect(life.read(key)).toContain(salt);
    expect(life.read(web)).toMatch(/secret: own # of the shop\n {4}leasehold.dev\/signature: '/);
    expect(life.read(web).replace(/ {4}leasehold.dev\/signature: .*\n/, '')).toBe(before);
    expect(await synth(life, '2026-01-05')).toBe('fine');
    expect(life.read(recordOf(first))).toMatch(/generation: 1\n$/);
    expect(await judged(life, 'HEAD')).toBe('fine');
    life.commit('2026-01-05');

    const old = await life.key('rotate', '--new-secret-file', fresh);
    expect(old.err).toBe('leasehold: the secret does not match the key shop/own\n');
    const again = ['key', 'rotate', 'shop/own', '--secret-file', fresh, '--new-secret-file'];
    const third = await life.run(
      ...again,
      secretFile('a third long secret'),
      '--today',
      '2026-01-06',
    );
    expect(third.status).toBe(0);
    expect(await synth(life, '2026-01-06')).toBe('fine');
    expect(await judged(life, 'HEAD')).toBe('fine');
  });

  test('makes a new secret, which the next rotation takes', async () => {
    const life = await owners();
    const out = join(dirname(life.secret), 'made.secret');
    const rotated = await life.key('rotate', '--out', out, '--today', '2026-01-05');
    expect([rotated.status, rotated.err]).toEqual([0, '']);
    expect(await synth(life, '2026-01-05')).toBe('fine');
    life.commit('2026-01-05');
    const words = ['key', 'rotate', 'shop/own', '--secret-file'];
    const again = await life.run(...words, out, '--out', `${out}.2`, '--today', '2026-01-06');
    expect([again.status, again.err]).toEqual([0, '']);
    expect(await synth(life, '2026-01-06')).toBe('fine');
    life.commit('2026-01-06');
    const before = statesWithoutLock(life.root);
    const taken = await life.run(...words, `${out}.2`, '--out', out, '--today', '2026-01-06');
    expect(taken.err).toContain('is there already, and a secret is never overwritten');
    expect(statesWithoutLock(life.root)).toEqual(before);
  });

  test('again on one branch needs the secret that the target has, and is one rotation', {
    tags: 'slow',
  }, async () => {
    const life = await owners();
    life.repository.git('checkout', '-q', '-b', 'change');
    const secrets = ['another long secret', 'a third long secret'].map(secretFile);
    const rotate = (into = '') => [
      ...['--new-secret-file', into, '--base', 'main', '--today', '2026-01-05'],
    ];
    expect((await life.key('rotate', ...rotate(secrets[0]))).status).toBe(0);
    await life.run('synth', '--base', 'main', '--today', '2026-01-05');
    life.commit('2026-01-05');

    const words = ['key', 'rotate', 'shop/own', '--secret-file', secrets[0] ?? ''];
    const refused = await life.run(...words, ...rotate(secrets[1]));
    expect(refused.err).toBe(
      'leasehold: the secret does not match the key shop/own of the target, which this branch has rotated already: use the secret of that key\n',
    );
    expect((await life.key('rotate', ...rotate(secrets[1]))).out).toContain(`over: ${first};`);
    await life.run('synth', '--base', 'main', '--today', '2026-01-05');
    life.commit('2026-01-05');
    expect(await judged(life, 'main')).toBe('fine');
    expect(life.read(recordOf(first))).toMatch(/generation: 1\n$/);
  });

  test('signs both addresses of a dual holder', { tags: 'slow' }, async () => {
    const life = await owners("ipam.vitistack.io/ip-family: 'dual'");
    const fresh = secretFile('another long secret');
    const { out } = await life.key('rotate', '--new-secret-file', fresh, '--today', '2026-01-05');
    expect(out).toContain(`signed over: ${first}, 2001:db8::;`);
    expect(await synth(life, '2026-01-05')).toBe('fine');
    expect(await judged(life, 'HEAD')).toBe('fine');
  });

  test('signs a Reservation, and says which addresses stay with the old key', {
    tags: 'slow',
  }, async () => {
    const life = await owners();
    life.put(web, '');
    life.put(
      'leases/shop/chart.yaml',
      'apiVersion: leasehold.dev/v1\nkind: Reservation\nspec:\n  namespace: shop\n  service: chart\n  ports: [{ port: 80 }]\n  secret: own\n',
    );
    await life.synth('2026-01-05');
    const fresh = secretFile('another long secret');
    const { out } = await life.key('rotate', '--new-secret-file', fresh, '--today', '2026-01-06');
    expect(out).toMatch(/^signed over: 203.0.113.1;/m);
    expect(out).toMatch(/^203.0.113.0 is released and keeps the old key: /m);
    expect(await synth(life, '2026-01-06')).toBe('fine');

    const signed = await life.key('sign', ...toBlog);
    life.put(blog, serviceText('blog', pin, signature(signed.out)));
    expect(await synth(life, '2026-01-06')).toBe('fine');
    expect(life.read(recordOf(first))).toContain('holder: default/service/blog/web');
  });

  const refused: readonly (readonly [string, (life: Owners) => readonly string[], RegExp])[] = [
    [
      'with the wrong secret',
      () => [
        '--secret-file',
        secretFile('not the secret of it'),
        '--new-secret-file',
        secretFile('x'.repeat(20)),
      ],
      /the secret does not match the key shop\/own$/m,
    ],
    [
      'with the same secret',
      ({ secret }) => ['--secret-file', secret, '--new-secret-file', secret],
      /the new secret is the same as the old one$/m,
    ],
    [
      'with a secret that is too short',
      ({ secret }) => ['--secret-file', secret, '--new-secret-file', secretFile('short')],
      /holds fewer than 8 characters/,
    ],
    [
      'with two secrets from standard input',
      () => ['--secret-file', '-', '--new-secret-file', '-'],
      /only one of the two/,
    ],
    [
      'without a new secret',
      ({ secret }) => ['--secret-file', secret],
      /the new secret is missing: --out makes one/,
    ],
    [
      'with a new secret and a file for another',
      ({ secret }) => ['--secret-file', secret, '--new-secret-file', secret, '--out', 'new'],
      /option '--out <file>' cannot be used with option '--new-secret-file <file>'/,
    ],
  ];

  test('writes nothing when it refuses', async () => {
    const life = await owners();
    const before = statesWithoutLock(life.root);
    for (const [what, optionsOf, message] of refused) {
      const { status, err } = await life.run('key', 'rotate', 'shop/own', ...optionsOf(life));
      expect([what, status, message.test(err)]).toEqual([what, 64, true]);
    }
    expect(statesWithoutLock(life.root)).toEqual(before);
  });

  test('writes nothing while two Services share the address', { tags: 'slow' }, async () => {
    const shared = "ipam.vitistack.io/allow-local-shared-ip: 'front'";
    const life = await owners(shared);
    const second = serviceText('shop', ...owned, shared).replace('name: web', 'name: api');
    life.put('leases/shop/api.yaml', second.replace('port: 80', 'port: 81'));
    await life.synth('2026-01-05');
    const before = statesWithoutLock(life.root);
    const fresh = secretFile('another long secret');
    const { status, out } = await life.key('rotate', '--new-secret-file', fresh);
    expect([status, /KEY_SHARED/.test(out)]).toEqual([1, true]);
    expect(statesWithoutLock(life.root)).toEqual(before);
  });
});
