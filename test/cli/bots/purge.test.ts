import { describe, expect, it } from 'vitest';
import { purgeSchema } from '../../../src/features/bots/bot-answer.ts';
import { leaseHostText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { provider } from '../../support/declarations/pools-and-claims.ts';
import { alice, aliceFile, botWith, sdlFiles, web } from '../../support/repositories/bot-clone.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';

describe('leasehold purge', () => {
  it('removes one claim, and keeps the address while others stand on it', {
    tags: 'slow',
  }, async () => {
    const { run, file, assertSound } = await botWith(aliceFile);
    const { status, out, err } = await run('purge', `${alice}/1/1/1`, 'web', '80/tcp');
    expect(status).toBe(0);
    expect(out).toBe('');
    expect(err).toContain('removed web 80/TCP of lease');
    expect(err).toContain('no address is released: other claims use it');
    expect(file('leases/alice.yaml')).toBe(
      aliceFile['leases/alice.yaml'].replace(/ {4}- .*"web".*\n/, ''),
    );
    await assertSound();
  });

  it('removes a lease with its file, and prints the released addresses', {
    tags: 'slow',
  }, async () => {
    const { remote, run, assertSound } = await botWith(aliceFile);
    const { out, err } = await run('purge', `${alice}/1/1/1`, '-o', 'json');
    const { claims, released, commit, day } = purgeSchema.parse(JSON.parse(out));
    expect(claims).toHaveLength(2);
    expect(released).toEqual([
      {
        address: expect.stringMatching(/^\d/),
        holder: `default/akash/${alice}-ip-shop`,
        freeFrom: '2026-11-21',
      },
    ]);
    expect(err).toMatch(/^released [\d.]+ of default\/akash\//m);
    expect([commit, day]).toEqual([remote.head(), '2026-11-20']);
    expect(remote.git('ls-tree', '-r', '--name-only', 'main', 'leases')).not.toContain('alice');
    await assertSound();
  });

  it('does nothing for a lease that is not declared', { tags: 'slow' }, async () => {
    const { remote, run } = await botWith(aliceFile);
    const before = remote.head();
    for (const rest of [['web', '82'], ['--endpoint', 'blog'], ['smtp']]) {
      const { status, out, err } = await run('purge', `${alice}/1/1/1`, ...rest);
      expect([status, out]).toEqual([0, '']);
      expect(err).toMatch(/^lease .* has no such claim; nothing to do$/m);
    }
    expect(remote.head()).toBe(before);
  });

  it('refuses the port of a container: the address would stay leased', {
    tags: 'slow',
  }, async () => {
    const { remote, run } = await botWith(aliceFile);
    const before = remote.head();
    const { status, out, err } = await run('purge', `${alice}/1/1/1`, 'web', '8080');
    expect([status, out]).toEqual([1, '']);
    expect(withoutQuotes(err)).toMatch(
      /^leases\/alice\.yaml:\d+:7 PORT_UNCLEAR .*; declared: web 80\/TCP \(container 8080\)\n {2}hint: .* 80\/tcp\n/,
    );
    expect(remote.head()).toBe(before);
  });

  it('takes the words with which a claim was declared', { tags: 'slow' }, async () => {
    const { run, assertSound } = await botWith(aliceFile);
    const words = ['web', '8080', '--endpoint', 'shop', '--external-port'];
    const other = await run('purge', `${alice}/1/1/1`, ...words, '81');
    expect(other).toMatchObject({ status: 0, out: '' });
    const { status, err } = await run('purge', `${alice}/1/1/1`, ...words, '80');
    expect(status).toBe(0);
    expect(err).toMatch(/^removed web 80\/TCP of lease /);
    await assertSound();
  });

  it('removes a lease of an SDL, and the SDL with it', { tags: 'slow' }, async () => {
    const { remote, run, assertSound } = await botWith(sdlFiles);
    const { status } = await run('purge', `${accountOf('carol')}/9/1/1`);
    expect(status).toBe(0);
    expect(remote.git('ls-tree', '-r', '--name-only', 'main', 'leases')).not.toContain('carol');
    await assertSound();
  });

  it('never releases more than anybody could overlook', { tags: 'slow' }, async () => {
    const names = ['a1', 'a2', 'a3', 'a4'];
    const endpoints = names.map((name, index) => ({ ...web, name, externalPort: 80 + index }));
    const { remote, run } = await botWith({ 'leases/many.yaml': leaseText('alice', 5, endpoints) });
    const before = remote.head();
    const { status, err } = await run('purge', `${alice}/5/1/1`);
    expect(status).toBe(1);
    expect(err).toContain('MASS_RELEASE 4 of 4 held addresses would be released');
    expect(remote.head()).toBe(before);
  });
});

describe('leasehold reconcile --once', () => {
  it('synthesizes the commits of a person, and then does nothing', { tags: 'slow' }, async () => {
    const { remote, run, assertSound } = await botWith();
    const head = remote.commitFiles(aliceFile);
    const first = await run('reconcile', '--once');
    expect(first.err).toMatch(
      /^pushed [0-9a-f]{12} to main of origin\nallocated \S+ for default\/akash\/.*-ip-shop\n$/,
    );
    expect(first.status).toBe(0);
    expect(remote.git('log', '-1', '--format=%s', 'main')).toBe(
      `Synthesize ${head.slice(0, 12)}\n`,
    );
    await assertSound();
    const after = remote.head();
    const second = await run('reconcile', '--once');
    expect(second.err).toBe(`main of origin is at ${after.slice(0, 12)}: all files up to date\n`);
    expect(remote.head()).toBe(after);
  });

  it('says where a declaration is broken, and pushes nothing', { tags: 'slow' }, async () => {
    const { remote, run } = await botWith();
    const head = remote.commitFiles({ 'leases/bad.yaml': 'kind: Lease\n', ...aliceFile });
    const { status, err } = await run('reconcile', '--once');
    expect(status).toBe(1);
    expect(err).toContain(`main of origin at ${head.slice(0, 12)} has problems`);
    expect(err).toContain('leases/bad.yaml:1:1 FIELD_MISSING');
    expect(remote.head()).toBe(head);
  });

  const routedPools = routedPoolText.replace('apiVersion', `provider: ${provider}\napiVersion`);
  it.each([
    [
      'and its endpoints',
      '  endpoints: [{ name: front, service: web, port: 80 }]\n',
      /^removed web 80\/TCP/,
    ],
    ['alone', '', /^removed the hostnames of lease/],
  ])('ends the hostnames of a whole lease, %s', { tags: 'slow' }, async (_, endpoints, removed) => {
    const lease = `${leaseHostText('1', 'shop.example.com, www.example.com', alice)}${endpoints}`;
    const bot = await botWith({ 'leases/pools.yaml': routedPools, 'leases/alice.yaml': lease });
    const { status, err, out } = await bot.run('purge', `${alice}/1/1/1`, '-o', 'json');
    expect({ status, err }).toEqual({ status: 0, err: expect.stringMatching(removed) });
    expect(err).toMatch(
      /^released shop\.example\.com of default\/akash\/akash1\w+, free from 2026/m,
    );
    const { released } = purgeSchema.parse(JSON.parse(out));
    expect(released.flatMap((one) => ('hostname' in one ? [one.hostname] : []))).toEqual([
      'shop.example.com',
      'www.example.com',
    ]);
    const files = bot.remote.git('ls-tree', '-r', '--name-only', 'main', 'leases');
    expect(files).not.toContain('alice');
    await bot.assertSound();
  });

  it('leaves the hostnames of a lease that loses a claim', { tags: 'slow' }, async () => {
    const lease = `${leaseHostText('1', 'shop.example.com', alice)}  endpoints: [{ name: front, service: web, port: 80 }]\n`;
    const bot = await botWith({ 'leases/pools.yaml': routedPools, 'leases/alice.yaml': lease });
    const { status, err } = await bot.run('purge', `${alice}/1/1/1`, 'web', '80');
    expect({ status, err }).toMatchObject({ status: 0 });
    expect(bot.file('leases/alice.yaml')).toBe(leaseHostText('1', 'shop.example.com', alice));
    await bot.assertSound();
  });
});
