import { describe, expect, it } from 'vitest';
import { declarationSchema, purgeSchema } from '../../src/codec/bot-schema.ts';
import { type BotRemote, botEnvironment, botRemote } from '../support/bot-remote.ts';
import { checkHere } from '../support/in-process.ts';
import { accountOf, leaseText } from '../support/lease-text.ts';
import { type Finished, runInProcess } from '../support/run-in-process.ts';
import { tempTree } from '../support/temp-tree.ts';

const alice = accountOf('alice');
const web = { name: 'shop', service: 'web', port: 8080, externalPort: 80 };
const aliceFile = {
  'leases/alice.yaml': `# Alice's shop\n${leaseText('alice', 1, [web, { ...web, service: 'api', externalPort: 81 }])}`,
};
const sdlFiles = {
  'leases/sdl/carol.yaml': `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${accountOf('carol')}, dseq: '9', gseq: 1, oseq: 1 }
  sdl: carol.sdl.yaml
`,
  'leases/sdl/carol.sdl.yaml': `version: '2.0'
endpoints: { myip: { kind: ip } }
services:
  web:
    image: nginx
    expose: [{ port: 80, to: [{ global: true, ip: myip }] }]
profiles:
  compute: { web: { resources: { cpu: { units: 1 }, memory: { size: 1Gi }, storage: { size: 1Gi } } } }
  placement: { dcloud: { pricing: { web: { denom: uakt, amount: 1 } } } }
deployment: { web: { dcloud: { profile: web, count: 1 } } }
`,
};

interface Bot {
  readonly remote: BotRemote;
  run(...argv: readonly string[]): Promise<Finished>;
  /** What the branch has of a file. */
  file(path: string): string;
  /** The tree of the branch, checked out for a person, has no problem. */
  assertSound(): Promise<void>;
}

async function setUp(files: Readonly<Record<string, string>> = {}): Promise<Bot> {
  const remote = await botRemote(tempTree(), files);
  const clone = remote.clone('bot');
  return {
    remote,
    run: (...argv) => runInProcess(argv, clone.root, botEnvironment),
    file: (path) => remote.git('show', `main:${path}`),
    async assertSound() {
      remote.person.git('pull', '-q', '--ff-only', 'origin', 'main');
      expect(await checkHere(remote.person.root)).toEqual([]);
      expect(clone.git('status', '--porcelain')).toBe('');
    },
  };
}

describe('leasehold declare', () => {
  it('writes, allocates, commits, pushes, and prints the address alone', async () => {
    const { remote, run, file, assertSound } = await setUp();
    const claim = ['web', '8080/udp', '--endpoint', 'game', '--external-port', '27015'];
    const more = ['--retention-period-days', '3', '--selector', 'app=a', '--selector', 'tier=b'];
    const { status, out, err } = await run('declare', `${alice}/77/1/2`, ...claim, ...more);
    expect(err).toMatch(
      /^declared web 27015\/UDP for default\/akash\/.*; pushed to main of origin\n/,
    );
    expect(err).toContain('git pull brings it into this checkout\n');
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
    - { name: game, service: web, port: 8080, externalPort: 27015, protocol: UDP, retentionPeriodDays: 3, selector: { app: a, tier: b } }
`);
    const holder = `default/akash/${alice}-ip-game`;
    expect(remote.git('log', '-1', '--format=%s%n%(trailers)', 'main')).toBe(
      `Lease ${out.trim()} for ${holder}\nLeasehold-Holder: ${holder}\nLeasehold-Address: ${out}\n`,
    );
    await assertSound();
  });

  it('adds a claim to the file that the lease has', async () => {
    const { run, file, assertSound } = await setUp(aliceFile);
    const { status, out } = await run(
      ...['declare', `${alice}/1/1/1`, 'web', '8443', '--endpoint', 'shop'],
      ...['--external-port', '443', '-o', 'json', '--message', 'By the bot'],
    );
    expect(status).toBe(0);
    const answer = declarationSchema.parse(JSON.parse(out));
    expect(answer).toMatchObject({
      kind: 'Declaration',
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

  it('refuses a claim that exists, and pushes nothing', async () => {
    const { remote, run } = await setUp(aliceFile);
    const before = remote.head();
    const claim = ['web', '8080', '--endpoint', 'shop', '--external-port', '80'];
    const same = await run('declare', `${alice}/1/1/1`, ...claim, '--overwrite');
    expect(same.status).toBe(1);
    expect(same.out).toBe('');
    expect(same.err).toMatch(
      /^leases\/alice\.yaml:11:7 PORT_TAKEN endpoint 'shop' has web 80\/TCP of this lease already on \d/,
    );
    const other = await run('declare', `${alice}/2/1/1`, ...claim);
    expect(other.status).toBe(1);
    expect(other.err).toMatch(/ PORT_TAKEN .* of lease .*\n {2}hint: declare --overwrite takes it/);
    expect(remote.head()).toBe(before);
  });

  it('takes a claim over from another lease of its owner, address and all', async () => {
    const { run, file, assertSound } = await setUp(aliceFile);
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

  it('needs no history: a shallow clone will do', async () => {
    const { remote, assertSound } = await setUp(aliceFile);
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
    expect((await declareNext('90')).err).toContain('git pull brings it');
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
    const { remote, run } = await setUp(sdlFiles);
    const before = remote.head();
    const carol = accountOf('carol');
    const { status, err } = await run(
      ...['declare', `${carol}/9/1/1`, 'web', '90', '--endpoint', 'myip'],
    );
    expect(status).toBe(1);
    expect(err).toMatch(
      /^leases\/sdl\/carol\.sdl\.yaml:6:51 SDL_NOT_EDITED .*\n {2}also leases\/sdl\/carol\.yaml:4:7\n/,
    );
    expect(remote.head()).toBe(before);
  });

  it('pushes nothing while something else of the branch has a problem', async () => {
    const { remote, run } = await setUp();
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

  it('says what does not fit on the command line', async () => {
    const { run } = await setUp();
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
      /^64 .*not a bech32/,
    );
    expect(await usage(lease, 'We b', '80', ...end)).toMatch(
      /^64 leasehold: .*expected a lower-case/,
    );
    expect(await usage(lease, 'web', '0', ...end)).toMatch(/^64 .*not a port/);
    expect(await usage(lease, 'web', '65536', ...end)).toMatch(/^64 .*not a port/);
    expect(await usage(lease, 'web', '80')).toMatch(/^64 .*--endpoint/);
    expect(await usage(lease, 'web', '80', ...end, '--branch', '--all')).toMatch(/^64 /);
    expect(await usage(lease, 'web', '80', ...end, '--branch', 'a..b')).toMatch(/^64 .*git allows/);
    expect(await usage(lease, 'web', '80', ...end, '--message', 'a\tb')).toMatch(/^64 .*one line/);
    expect(await usage(lease, 'web', '80', ...end, '--address', '10.0.0.300')).toMatch(/^64 /);
    expect(await usage(lease, 'web', '80', ...end, '--retention-period-days', '31')).toMatch(
      /^64 /,
    );
    expect(await usage(lease, 'web', '80', ...end, '--branch', 'none')).toBe(
      '74 leasehold: there is no branch none of origin: push it first',
    );
    expect(await usage(lease, 'web', '80', ...end, '--remote', 'ext::sh -c id')).toMatch(
      /^74 leasehold: the clone has no remote/,
    );
  });
});

describe('leasehold purge', () => {
  it('removes one claim, and keeps the address while others stand on it', async () => {
    const { run, file, assertSound } = await setUp(aliceFile);
    const { status, out, err } = await run('purge', `${alice}/1/1/1`, 'web', '80/tcp');
    expect(status).toBe(0);
    expect(out).toBe('');
    expect(err).toContain('removed web 80/TCP of lease');
    expect(err).toContain('no address is released: other claims stand on it');
    expect(file('leases/alice.yaml')).toBe(
      aliceFile['leases/alice.yaml'].replace(/ {4}- .*"web".*\n/, ''),
    );
    await assertSound();
  });

  it('removes a lease with its file, and prints what is released', async () => {
    const { remote, run, assertSound } = await setUp(aliceFile);
    const { out, err } = await run('purge', `${alice}/1/1/1`, '-o', 'json');
    const { claims, released, commit } = purgeSchema.parse(JSON.parse(out));
    expect(claims).toHaveLength(2);
    expect(released).toEqual([
      {
        address: expect.stringMatching(/^\d/),
        holder: `default/akash/${alice}-ip-shop`,
        freeFrom: '2026-11-21',
      },
    ]);
    expect(err).toContain(`released ${released[0]?.address} of default/akash/`);
    expect(commit).toBe(remote.head());
    expect(remote.git('ls-tree', '-r', '--name-only', 'main', 'leases')).not.toContain('alice');
    await assertSound();
  });

  it('has nothing to do for what is not declared', async () => {
    const { remote, run } = await setUp(aliceFile);
    const before = remote.head();
    for (const rest of [['web', '82'], ['--endpoint', 'blog'], ['smtp']]) {
      const { status, out, err } = await run('purge', `${alice}/1/1/1`, ...rest);
      expect([status, out]).toEqual([0, '']);
      expect(err).toMatch(/^nothing of this is declared for lease/);
    }
    expect(remote.head()).toBe(before);
  });

  it('removes a lease of an SDL, and the SDL with it', async () => {
    const { remote, run, assertSound } = await setUp(sdlFiles);
    const { status } = await run('purge', `${accountOf('carol')}/9/1/1`);
    expect(status).toBe(0);
    expect(remote.git('ls-tree', '-r', '--name-only', 'main', 'leases')).not.toContain('carol');
    await assertSound();
  });

  it('never releases more than anybody could overlook', async () => {
    const names = ['a1', 'a2', 'a3', 'a4'];
    const endpoints = names.map((name, index) => ({ ...web, name, externalPort: 80 + index }));
    const { remote, run } = await setUp({ 'leases/many.yaml': leaseText('alice', 5, endpoints) });
    const before = remote.head();
    const { status, err } = await run('purge', `${alice}/5/1/1`);
    expect(status).toBe(1);
    expect(err).toContain('MASS_RELEASE 4 of 4 held addresses would be released');
    expect(remote.head()).toBe(before);
  });
});

describe('leasehold reconcile --once', () => {
  it('synthesizes what a person has committed, and then has nothing to do', async () => {
    const { remote, run, assertSound } = await setUp();
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

  it('says where a declaration is broken, and pushes nothing', async () => {
    const { remote, run } = await setUp();
    const head = remote.commitFiles({ 'leases/bad.yaml': 'kind: Lease\n', ...aliceFile });
    const { status, err } = await run('reconcile', '--once');
    expect(status).toBe(1);
    expect(err).toContain(`main of origin at ${head.slice(0, 12)} has problems`);
    expect(err).toContain('leases/bad.yaml:1:1 FIELD_MISSING');
    expect(remote.head()).toBe(head);
  });
});
