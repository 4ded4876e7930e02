import { describe, expect, it } from 'vitest';
import { declarationSchema } from '../../../src/features/bots/bot-answer.ts';
import { accountOf } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { alice, aliceFile, botWith, sdlFiles } from '../../support/repositories/bot-clone.ts';
import { botEnvironment } from '../../support/repositories/bot-remote.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';

describe('leasehold declare', () => {
  it('writes, allocates, commits, pushes, and prints the address alone', {
    tags: 'slow',
  }, async () => {
    const { remote, run, file, assertSound } = await botWith();
    const claim = ['web', '8080/udp', '--endpoint', 'game', '--external-port', '27015'];
    const more = ['--retention-days', '3', '--selector', 'app=a', '--selector', 'tier=b'];
    const { status, out, err } = await run('declare', `${alice}/77/1/2`, ...claim, ...more);
    expect(err).toMatch(
      /^declared web 27015\/UDP for default\/akash\/.*; pushed to main of origin\n/,
    );
    expect(err).toContain('`git pull` brings it into this checkout\n');
    expect(status).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\.\d+\n$/);
    expect(file(`leases/${alice}/77-1-2.yaml`)).toBe(`apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${alice}
    dseq: '77'
    gseq: 1
    oseq: 2
  endpoints:
    - { name: game, service: web, port: 8080, externalPort: 27015, protocol: UDP, retentionDays: 3, selector: { app: a, tier: b } }
`);
    const holder = `default/akash/${alice}-ip-game`;
    expect(remote.git('log', '-1', '--format=%s%n%(trailers)', 'main')).toBe(
      `Lease ${out.trim()} for ${holder}\nLeasehold-Holder: ${holder}\nLeasehold-Address: ${out}\n`,
    );
    await assertSound();
  });

  it('adds a claim to the file that the lease has', { tags: 'slow' }, async () => {
    const { run, file, assertSound } = await botWith(aliceFile);
    const { status, out } = await run(
      ...['declare', `${alice}/1/1/1`, 'web', '8443', '--endpoint', 'shop'],
      ...['--external-port', '443', '-o', 'json', '--message', 'By the bot'],
    );
    expect(status).toBe(0);
    const answer = declarationSchema.parse(JSON.parse(out));
    expect(answer).toMatchObject({
      kind: 'Declaration',
      day: '2026-11-20',
      holder: `default/akash/${alice}-ip-shop`,
      file: 'leases/alice.yaml',
      claim: { endpoint: 'shop', service: 'web', externalPort: 443, protocol: 'TCP' },
    });
    expect(answer.addresses).toHaveLength(1);
    expect(file('leases/alice.yaml')).toBe(
      `${aliceFile['leases/alice.yaml']}    - { name: shop, service: web, port: 8443, externalPort: 443 }\n`,
    );
    await assertSound();
  });

  it('takes the address of a promise over, and removes the promise', { tags: 'slow' }, async () => {
    const path = `leases/${alice}/promise-game.yaml`;
    const { remote, run } = await botWith({
      [path]: `apiVersion: leasehold.dev/v1
kind: Promise
spec: { owner: ${alice}, endpoint: game, until: 2026-02-05 }
`,
    });
    const held = JSON.parse((await run('list', '-o', 'json')).out).items[0];
    expect(held).toMatchObject({ promisedUntil: '2026-02-05', claims: [] });
    const { out } = await run('declare', `${alice}/77/1/2`, 'web', '8080', '--endpoint', 'game');
    expect(out).toBe(`${held.addresses[0]}\n`);
    expect(remote.git('ls-tree', '-r', '--name-only', 'main').split('\n')).not.toContain(path);
  });

  it('promises an address, once, and gives it to the lease that comes', async () => {
    const { remote, run, file, assertSound } = await botWith(aliceFile);
    const promise = ['declare', '--promise', alice, '--endpoint', 'game', '--until', '2026-12-05'];
    const { status, out, err } = await run(...promise, '-o', 'json');
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(
        /^declared a promise until 2026-12-05 for .*; pushed to main of origin\n/,
      ),
    ]);
    const answer = declarationSchema.parse(JSON.parse(out));
    expect(answer).toMatchObject({ promisedUntil: '2026-12-05', addresses: [expect.any(String)] });
    expect(file(answer.file)).toContain('kind: Promise\n');
    expect(answer).not.toHaveProperty('lease');
    await assertSound();
    const before = remote.head();
    const again = await run(...promise);
    expect([again.status, again.out]).toEqual([0, `${answer.addresses[0]}\n`]);
    expect(again.err).toMatch(
      /^a promise until 2026-12-05 is already declared for .*; nothing to do\n$/,
    );
    expect(remote.head()).toBe(before);
    const other = await run(...promise.slice(0, -1), '2026-12-06');
    expect([other.status, other.err]).toEqual([1, expect.stringContaining(' PROMISE_DUPLICATE ')]);
    const lease = await run('declare', `${alice}/77/1/2`, 'web', '8080', '--endpoint', 'game');
    expect(lease.out).toBe(again.out);
    const late = await run(...promise);
    expect([late.status, late.out]).toEqual([0, again.out]);
    expect(late.err).toMatch(/^a lease is already declared for /);
    await assertSound();
  });

  it('answers with the public addresses of a pool behind a NAT', async () => {
    const { run } = await botWith({
      'leases/pools.yaml': providerPoolsText(`pools:
  - name: p
    zone: z
    addresses: [192.168.4.7/32]
    nat: [{ inside: 192.168.4.7, outside: 203.0.113.39 }]
`),
    });
    const promise = ['declare', '--promise', alice, '--endpoint', 'game', '--until', '2026-12-05'];
    const both = { addresses: ['192.168.4.7'], publicAddresses: ['203.0.113.39'] };
    const promised = await run(...promise, '-o', 'json');
    expect(declarationSchema.parse(JSON.parse(promised.out))).toMatchObject(both);
    const lease = ['declare', `${alice}/77/1/2`, 'web', '8080', '--endpoint', 'game'];
    const { out, err } = await run(...lease, '-o', 'json');
    expect(declarationSchema.parse(JSON.parse(out))).toMatchObject(both);
    expect(err).toContain('; public address 203.0.113.39; pushed to main');
    expect((await run(...lease)).out).toBe('192.168.4.7\n');
  });

  it('promises nothing until a day in the past, and repeats a promise that is over', {
    tags: 'slow',
  }, async () => {
    const { remote, run } = await botWith(aliceFile);
    const before = remote.head();
    const promise = ['declare', '--promise', alice, '--endpoint', 'game', '--until', '2026-11-20'];
    const late = await run(...promise, '--today', '2026-11-21');
    expect([late.status, late.err]).toEqual([
      1,
      expect.stringContaining(
        'FIELD_VALUE the last day of the promise for game is 2026-11-20, and today is 2026-11-21',
      ),
    ]);
    expect(remote.head()).toBe(before);
    const { out } = await run(...promise);
    const again = await run(...promise, '--today', '2026-11-21');
    expect([again.status, again.out]).toEqual([0, out]);
  });

  it.each([
    [['--promise', alice, '--endpoint', 'game'], '--promise needs --until'],
    [['--endpoint', 'game'], 'declare needs a lease, a service and a port, or --promise'],
    [
      [`${alice}/77/1/2`, 'web', '80', '--endpoint', 'game', '--until', '2026-02-05'],
      '--until needs --promise',
    ],
    [
      ['--promise', alice, '--endpoint', 'game', '--until', '2026-02-05', '--overwrite'],
      '--promise takes no lease, service or port',
    ],
    [['--promise', 'akash1no', '--endpoint', 'game', '--until', '2026-02-05'], 'akash1no'],
  ])('refuses %j', async (words, text) => {
    const { status, err } = await runInProcess(['declare', ...words], '.');
    expect([status, err]).toEqual([64, expect.stringContaining(text)]);
  });

  it('does nothing for a claim that is there with the same words, and gives its address', {
    tags: 'slow',
  }, async () => {
    const { remote, run } = await botWith(aliceFile);
    const before = remote.head();
    const claim = ['web', '8080/tcp', '--endpoint', 'shop', '--external-port', '80'];
    const held = JSON.parse((await run('list', '-o', 'json')).out).items[0].addresses;
    const more = ['--ip-family', 'ipv4', '--retention-days', '0', '--overwrite'];
    for (const words of [claim, [...claim, ...more]]) {
      const { status, out, err } = await run('declare', `${alice}/1/1/1`, ...words);
      expect([status, out]).toEqual([0, `${held[0]}\n`]);
      expect(err).toMatch(/^web 80\/TCP is already declared for .*; nothing to do\n$/);
    }
    const { out } = await run('declare', `${alice}/1/1/1`, ...claim, '-o', 'json');
    expect(declarationSchema.parse(JSON.parse(out))).not.toHaveProperty('commit');
    expect(remote.head()).toBe(before);
  });

  it.each([
    [
      'claim',
      aliceFile,
      [`${alice}/1/1/1`, 'web', '8080', '--endpoint', 'shop', '--external-port', '80'],
    ],
    [
      'promise',
      {
        'leases/alice/game.yaml': `apiVersion: leasehold.dev/v1
kind: Promise
spec: { owner: ${alice}, endpoint: game, until: '2026-12-05' }
`,
      },
      ['--promise', alice, '--endpoint', 'game', '--until', '2026-12-05'],
    ],
  ])(
    'commits the address of a %s that a person has declared without it',
    async (_, files, words) => {
      const { remote, run, assertSound } = await botWith();
      const before = remote.commitFiles(files);

      const { status, out, err } = await run('declare', ...words);

      expect([status, err]).toEqual([0, expect.stringContaining('; pushed to main of origin\n')]);
      expect(remote.git('diff', '--name-only', before, 'main')).toContain(`/${out.trim()}.yaml\n`);
      expect((await run('declare', ...words)).err).toContain('; nothing to do\n');
      await assertSound();
    },
  );

  it('refuses a claim that exists and says something else, and pushes nothing', {
    tags: 'slow',
  }, async () => {
    const { remote, run } = await botWith(aliceFile);
    const before = remote.head();
    const claim = ['web', '8080', '--endpoint', 'shop', '--external-port', '80'];
    const kept = ['--retention-days', '3', '--overwrite'];
    const same = await run('declare', `${alice}/1/1/1`, ...claim, ...kept);
    expect(same.status).toBe(1);
    expect(same.out).toBe('');
    expect(withoutQuotes(same.err)).toMatch(
      /^leases\/alice\.yaml:11:7 PORT_TAKEN endpoint 'shop' already has web 80\/TCP of this lease on \d/,
    );
    const other = await run('declare', `${alice}/2/1/1`, ...claim);
    expect(other.status).toBe(1);
    expect(withoutQuotes(other.err)).toMatch(
      / PORT_TAKEN .* of lease .*\n {2}hint: if this lease replaces .*leasehold declare --overwrite/,
    );
    expect(remote.head()).toBe(before);
  });

  it('takes a claim over from another lease of its owner, address and all', {
    tags: 'slow',
  }, async () => {
    const { run, file, assertSound } = await botWith(aliceFile);
    const held = JSON.parse((await run('list', '-o', 'json')).out).items[0].addresses;
    const claim = ['web', '8080', '--endpoint', 'shop', '--external-port', '80', '--overwrite'];
    const { status, out, err } = await run('declare', `${alice}/2/1/1`, ...claim, '-o', 'json');
    expect(err).toContain(`taken over from lease ${alice}/1/1/1/`);
    expect(status).toBe(0);
    expect(JSON.parse(out).addresses).toEqual(held);
    expect(file('leases/alice.yaml').match(/- \{.*/g)).toHaveLength(1);
    expect(file(`leases/${alice}/2-1-1.yaml`)).toContain('externalPort: 80');
    await assertSound();
  });

  it('needs no history: a shallow clone will do', { tags: 'slow' }, async () => {
    const { remote, assertSound } = await botWith(aliceFile);
    remote.commitFiles({ 'README.md': 'x\n' });
    const { person } = remote;
    person.git('clone', '-q', '--depth', '1', `file://${remote.folder}`, '../shallow');
    const cwd = `${person.root}/../shallow`;
    remote.commitFiles({ 'README.md': 'y\n' });
    const declareNext = (port: string) =>
      runInProcess(
        ['declare', `${alice}/3/1/1`, 'web', port, '--endpoint', 'shop'],
        cwd,
        botEnvironment,
      );
    expect((await declareNext('90')).err).toContain('`git pull` brings it');
    expect((await declareNext('91')).status).toBe(0);
    await assertSound();
    const { status } = await runInProcess(
      ['publish', '--branch', 'deploy', '--source', 'origin/main'],
      cwd,
      botEnvironment,
    );
    expect(status).toBe(0);
  });

  it('edits no SDL', async () => {
    const { remote, run } = await botWith(sdlFiles);
    const before = remote.head();
    const carol = accountOf('carol');
    const { status, err } = await run(
      ...['declare', `${carol}/9/1/1`, 'web', '90', '--endpoint', 'myip'],
    );
    expect(status).toBe(1);
    expect(err).toMatch(/^ {2}6 \| /m);
    expect(withoutQuotes(err)).toMatch(
      /^leases\/sdl\/carol\.sdl\.yaml:6:51 SDL_NOT_EDITED .*\n {2}also leases\/sdl\/carol\.yaml:4:7\n/,
    );
    expect(remote.head()).toBe(before);
  });

  it('pushes nothing while something else of the branch has a problem', {
    tags: 'slow',
  }, async () => {
    const { remote, run } = await botWith();
    const head = remote.commitFiles({ 'leases/bad.yaml': 'kind: Lease\n' });
    const { status, err } = await run(
      'declare',
      `${alice}/1/1/1`,
      'web',
      '80',
      '--endpoint',
      'shop',
    );
    expect(status).toBe(1);
    expect(err).toContain('leases/bad.yaml:1:1 FIELD_MISSING');
    expect(remote.head()).toBe(head);
  });

  it('reports invalid options', { tags: 'slow' }, async () => {
    const { run } = await botWith();
    const usage = async (...argv: readonly string[]) => {
      const { status, out, err } = await run('declare', ...argv);
      expect(out).toBe('');
      expect(err).not.toContain('    at ');
      return `${status} ${err.split('\n', 1)[0]}`;
    };
    const lease = `${alice}/1/1/1`;
    const end = ['--endpoint', 'shop'];
    expect(await usage('x/1/1/1', 'web', '80', ...end)).toMatch(/^64 .*OWNER\/DSEQ\/GSEQ\/OSEQ/);
    expect(await usage(lease.replace(/.\//, '/'), 'web', '80', ...end)).toMatch(
      /^64 .*has 43 characters, expected 44/,
    );
    expect(await usage(lease, 'We b', '80', ...end)).toMatch(
      /^64 leasehold: .*expected a lower-case/,
    );
    expect(await usage(lease, 'web', '0', ...end)).toMatch(/^64 .*Expected a port/);
    expect(await usage(lease, 'web', '65536', ...end)).toMatch(/^64 .*Expected a port/);
    expect(await usage(lease, 'web', '80')).toMatch(/^64 .*--endpoint/);
    expect(await usage(lease, 'web', '80', ...end, '--branch', '--all')).toMatch(/^64 /);
    expect(await usage(lease, 'web', '80', ...end, '--branch', 'a..b')).toMatch(/^64 .*git allows/);
    expect(await usage(lease, 'web', '80', ...end, '--message', 'a\tb')).toMatch(/^64 .*one line/);
    expect(await usage(lease, 'web', '80', ...end, '--address', '10.0.0.300')).toMatch(/^64 /);
    expect(await usage(lease, 'web', '80', ...end, '--retention-days', '31')).toMatch(/^64 /);
    expect(await usage(lease, 'web', '80', ...end, '--branch', 'none')).toBe(
      '74 leasehold: branch none of origin does not exist: push it first',
    );
    expect(await usage(lease, 'web', '80', ...end, '--remote', 'ext::sh -c id')).toMatch(
      /^74 leasehold: the clone has no remote/,
    );
  });
});
