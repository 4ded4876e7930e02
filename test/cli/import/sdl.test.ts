import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharingKey } from '../../../src/core/model/claim.ts';
import { type ImportAnswer, importSchema } from '../../../src/features/import/import-answer.ts';
import { accountOf } from '../../support/declarations/lease-text.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { edited, profilesLine, simpleSdl } from '../../support/declarations/sdl.ts';
import { sdlFiles } from '../../support/repositories/bot-clone.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, tempTree } from '../../support/trees/temp-tree.ts';

const provider = accountOf('provider');
const ana = accountOf('ana');
const lease = ['--owner', ana, '--dseq', '77'];
const path = `leases/${ana}/77-1-1.yaml`;

const pools = poolsText(`provider: ${provider}
defaultZone: inet
pools:
  - { name: inet, zone: inet, addresses: [192.0.2.0/28] }
  - { name: lab, zone: lab, addresses: [198.51.100.0/28, '2001:db8::/124'] }
`);

/** Two ports of one endpoint, one of another, and a password that must not be copied. */
const app = edited(
  edited(simpleSdl, '  myip: { kind: ip }\n', '  myip: { kind: ip }\n  game: { kind: ip }\n'),
  '      - port: 80\n',
  `      - { port: 8443, as: 443, to: [{ global: true, ip: myip }] }
      - { port: 27015, proto: udp, to: [{ global: true, ip: game }] }
      - port: 80
`,
).replace('    expose:\n', '    env: [PASSWORD=hunter2]\n    expose:\n');

function repository(sdl: string, files: Readonly<Record<string, string>> = {}): string {
  const root = tempTree({ 'app.yaml': sdl, 'leases/pools.yaml': pools, ...files });
  gitRepository(root);
  return root;
}

function run(root: string, ...words: readonly string[]) {
  return runInProcess(['import', 'sdl', 'app.yaml', ...lease, ...words], root);
}

async function imported(root: string, ...words: readonly string[]): Promise<ImportAnswer> {
  const { status, out, err } = await run(root, '-o', 'json', ...words);
  expect(`${status} ${err}`).toMatch(/^0 /);
  expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  return importSchema.parse(JSON.parse(out));
}

/** The files of a tree, without git's own. */
function own(root: string): Readonly<Record<string, string>> {
  const files = Object.entries(content(root)).filter(([file]) => !file.startsWith('.git'));
  return Object.fromEntries(files);
}

describe('leasehold import sdl', () => {
  it('declares the endpoints of the SDL only, and adds nothing twice', {
    tags: 'slow',
  }, async () => {
    const root = repository(app);
    const answer = await imported(root);
    expect(answer).toMatchObject({
      source: 'sdl',
      pools: [],
      declarations: [
        { kind: 'Lease', name: `${ana}/77/1/1`, state: 'added', path, file: 'app.yaml', line: 7 },
      ],
      notes: [],
      edited: [path],
    });
    expect(answer.declarations[0]?.addresses).toHaveLength(2);
    expect(own(root)[path]).toBe(`apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${ana}
    dseq: '77'
    gseq: 1
    oseq: 1
  endpoints:
    - { name: myip, service: web, port: 8443, externalPort: 443 }
    - { name: game, service: web, port: 27015, protocol: UDP }
    - { name: myip, service: web, port: 80 }
`);
    const files = own(root);
    const written = Object.entries(files).filter(([file]) => file !== 'app.yaml');
    expect(JSON.stringify([written, answer])).not.toContain('hunter2');
    const again = await imported(root);
    expect(again.declarations).toEqual([{ ...answer.declarations[0], state: 'present' }]);
    expect(again.edited).toEqual([]);
    expect(own(root)).toEqual(files);
  });

  it('has the same addresses as the declaration that names the SDL itself', {
    tags: 'slow',
  }, async () => {
    const root = repository(app);
    const { declarations } = await imported(root);
    const text = `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${ana}, dseq: '77', gseq: 1, oseq: 1 }
  sdl: app.sdl.yaml
`;
    const other = repository(app, { 'leases/app.yaml': text, 'leases/app.sdl.yaml': app });
    expect(await runInProcess(['synth'], other)).toMatchObject({ status: 0 });
    const known = await imported(other);
    expect(known.declarations).toMatchObject([{ state: 'present', path: 'leases/app.yaml' }]);
    expect(known.declarations[0]?.addresses).toEqual(declarations[0]?.addresses);
  });

  it("writes beside the owner's other leases, or into the tenant's folder, as add does", async () => {
    const policy = `apiVersion: leasehold.dev/v1
kind: Policy
tenants:
  - { name: t3, folders: [leases/t3], owners: [${ana}] }
`;
    const root = repository(app, { 'leases/policy.yaml': policy });
    expect((await imported(root)).edited).toEqual(['leases/t3/77-1-1.yaml']);
    const text = own(root)['leases/t3/77-1-1.yaml'] ?? '';
    const beside = repository(app, {
      'leases/ana/76.yaml': edited(text, "'77'", "'76'").replaceAll('name: ', 'name: other-'),
    });
    expect((await imported(beside)).edited).toEqual(['leases/ana/77-1-1.yaml']);
  });

  it('pins an endpoint to its live address, zone and family', async () => {
    const root = repository(app);
    const pins = ['--address', 'myip=2001:db8::7', '--address', 'game=198.51.100.9'];
    const answer = await imported(root, '--zone', 'lab', ...pins);
    expect(answer.declarations[0]?.addresses).toEqual(['198.51.100.9', '2001:db8::7']);
    expect(own(root)[path]).toContain(`
    - { name: myip, service: web, port: 8443, externalPort: 443, zone: lab, ipFamily: ipv6, address: 2001:db8::7 }
    - { name: game, service: web, port: 27015, protocol: UDP, zone: lab, address: 198.51.100.9 }
`);
    expect((await imported(root, '--zone', 'lab', ...pins)).notes).toEqual([]);
  });

  it('adds new endpoints of the SDL, and reports those declared differently', {
    tags: 'slow',
  }, async () => {
    const root = repository(edited(app, 'as: 443', 'as: 444'));
    await imported(root, '--zone', 'lab');
    putFile(root, 'app.yaml', edited(app, 'port: 27015', 'port: 27016, as: 27015'));
    const answer = await imported(root, '--zone', 'lab', '--address', 'game=198.51.100.1');
    expect(answer.declarations).toMatchObject([{ state: 'extended' }]);
    const [, has = ''] = /game.*? (198\.51\.100\.\d+)/.exec(JSON.stringify(answer.notes)) ?? [];
    expect(
      answer.notes.map(({ effect, subject, message, file }) => [effect, subject, message, file]),
    ).toEqual([
      [
        'left',
        'endpoint game web 27015/UDP',
        'it is declared with the port 27015 of the container, and has 27016 here',
        'app.yaml',
      ],
      [
        'left',
        'endpoint game web 27015/UDP',
        `it has ${has} here, and keeps it: \`leasehold move\` changes it`,
        'app.yaml',
      ],
      [
        'left',
        'endpoint myip web 444/TCP',
        'it is declared, and not in the SDL: it stays until you remove it',
        path,
      ],
    ]);
    expect(own(root)[path]).toMatch(
      /444.*\n.*27015.*\n.*port: 80, zone: lab }\n.*port: 8443, externalPort: 443, zone: lab }\n$/,
    );
  });

  it('takes the placement of the lease, and tells of others that ask for addresses', async () => {
    const placed = edited(
      edited(
        app,
        '  placement:\n',
        '  placement:\n    east: { pricing: { web: { denom: uakt, amount: 1 } } }\n',
      ),
      'deployment:\n  web:\n',
      'deployment:\n  web:\n    east: { profile: web, count: 1 }\n',
    );
    const root = repository(placed);
    const answer = await imported(root, '--gseq', '2', '--oseq', '3');
    expect(answer.declarations).toMatchObject([
      { name: `${ana}/77/2/3`, path: `leases/${ana}/77-2-3.yaml` },
    ]);
    expect(answer.notes).toMatchObject([
      {
        subject: 'placement east',
        message: `it asks for addresses too: import it with the lease ${ana}/DSEQ/1/OSEQ when it has one`,
      },
    ]);
    expect(await run(root, '--gseq', '3')).toMatchObject({
      status: 1,
      out: expect.stringContaining('SDL_GROUP_UNKNOWN'),
    });
  });

  it('knows an endpoint that was declared by the hash of its name', async () => {
    const plain = 'game_';
    const hash = sharingKey(ana, plain).slice(`${ana}-ip-`.length);
    const declared = `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${ana}, dseq: '77', gseq: 1, oseq: 1 }
  endpoints: [{ name: ${hash}, service: web, port: 80 }]
`;
    expect(hash).toMatch(/^[a-z][0-9a-v]{23}$/);
    const root = repository(simpleSdl.replaceAll('myip', plain), { 'leases/a.yaml': declared });
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
    expect((await imported(root)).declarations).toMatchObject([
      { state: 'present', path: 'leases/a.yaml' },
    ]);
  });
});

describe('an import of an SDL', () => {
  it('tells everything that is wrong with it, each with its place, and writes nothing', async () => {
    const bad = edited(edited(simpleSdl, '"2.0"', '"3.0"'), 'ip: myip', 'ip: other');
    const root = repository(bad);
    const { status, out } = await run(root);
    expect(status).toBe(1);
    expect(out.match(/^\S+:\d+:\d+ \w+/gm)).toEqual([
      'app.yaml:1:10 SDL_VERSION',
      'app.yaml:9:17 SDL_ENDPOINT_UNKNOWN',
      'app.yaml:25:3 SDL_ENDPOINT_UNUSED',
    ]);
    expect(Object.keys(own(root)).sort()).toEqual(['app.yaml', 'leases', 'leases/pools.yaml']);
  });

  it('says of one without an endpoint that there is nothing to declare', async () => {
    const none = simpleSdl
      .replace('            ip: myip\n', '')
      .replace('endpoints:\n  myip: { kind: ip }\n', '');
    expect(await run(repository(none))).toMatchObject({
      status: 1,
      out: expect.stringContaining('declare nothing: such a lease needs no address'),
    });
  });

  it.each([
    ['{{ .Values.port }}', 'leasehold does not read templates: render the file first'],
    ['$' + '{PORT}', 'leasehold does not substitute variables: write the value itself'],
  ])('explains %s, which another program fills in', async (port, hint) => {
    const { status, out } = await run(repository(edited(simpleSdl, 'port: 80', `port: ${port}`)));
    expect({ status, out }).toEqual({ status: 1, out: expect.stringContaining(`hint: ${hint}`) });
  });

  it.each([
    ['no YAML', '{', /app\.yaml:1:1 YAML_SYNTAX/],
    ['too much of it', `x: ${'a'.repeat(2_000_000)}\n`, /FILE_TOO_LARGE|larger than/],
    ['a bomb', `a: &a [1]\nb: [${'*a,'.repeat(200)}]\n`, /YAML_ALIAS/],
  ])('refuses %s', async (_, text, told) => {
    const { status, out } = await run(repository(text));
    expect(status).not.toBe(0);
    expect(out).toMatch(told);
  });

  it.each([
    [['--owner', 'akash1x', '--dseq', '77'], /not a bech32 address/],
    [['--owner', ana, '--dseq', '0'], /the dseq '0'/],
    [['--owner', ana, '--dseq', '99999999999999999999'], /the dseq/],
    [[...lease, '--gseq', '0'], /It is not a number from 1/],
    [[...lease, '--address', 'myip'], /Expected an endpoint and its address/],
    [[...lease, '--address', 'myip=nowhere'], /--address/],
    [[...lease, '--address', 'myip=192.0.2.1', '--address', 'myip=192.0.2.2'], /has an address/],
    [[...lease, '--address', 'other=192.0.2.1'], /the placement has myip/],
    [['--owner', ana], /needs the lease of the SDL: OWNER\/DSEQ\/GSEQ\/OSEQ/],
    [[`${ana}/77/1`], /Expected a lease as OWNER\/DSEQ\/GSEQ\/OSEQ/],
    [[`${ana}/77/1/1`, '--dseq', '77'], /name the lease once/],
  ])('refuses the words %j', async (words, told) => {
    const root = repository(simpleSdl);
    const { status, err } = await runInProcess(['import', 'sdl', 'app.yaml', ...words], root);
    expect(status).toBe(64);
    expect(err).toMatch(told);
    expect(Object.keys(own(root))).not.toContain(path);
  });

  it('takes the lease as declare and purge take it', async () => {
    const [root, other] = [repository(simpleSdl), repository(simpleSdl)];
    const spelled = await runInProcess(['import', 'sdl', 'app.yaml', `${ana}/77/1/1`], root);
    expect(spelled).toEqual(await run(other));
    expect(spelled.status).toBe(0);
  });

  it('writes nothing that a synth refuses', { tags: 'slow' }, async () => {
    const root = repository(simpleSdl, sdlFiles);
    const tries: readonly (readonly [words: readonly string[], code: string])[] = [
      [['--address', 'myip=203.0.113.1'], 'PIN_OUTSIDE'],
      [['--zone', 'nowhere'], 'ZONE_UNKNOWN'],
      [['--cluster', 'west'], 'CLUSTER_UNKNOWN'],
      [['--provider', accountOf('other')], 'FIELD_VALUE'],
    ];
    for (const [words, code] of tries) {
      expect(await run(root, ...words)).toMatchObject({
        status: 1,
        out: expect.stringContaining(code),
      });
    }
    expect(Object.keys(own(root))).not.toContain(path);
    const bare = tempTree({ 'app.yaml': simpleSdl });
    gitRepository(bare);
    expect(await run(bare)).toMatchObject({
      status: 1,
      out: expect.stringContaining('FILE_MISSING'),
    });
  });

  it('does not write into the SDL that a lease has here', async () => {
    const carol = ['--owner', accountOf('carol'), '--dseq', '9'];
    const root = repository(app, sdlFiles);
    const { status, out } = await runInProcess(['import', 'sdl', 'app.yaml', ...carol], root);
    expect(status).toBe(1);
    expect(out).toContain('SDL_NOT_EDITED');
    expect(readFileSync(`${root}/leases/sdl/carol.sdl.yaml`, 'utf8')).toBe(
      sdlFiles['leases/sdl/carol.sdl.yaml'],
    );
  });

  it('names the provider of the lease where the cluster has none', { tags: 'slow' }, async () => {
    const root = repository(simpleSdl, {
      'leases/pools.yaml': pools.replace(`provider: ${provider}\n`, ''),
    });
    expect(await run(root)).toMatchObject({
      status: 1,
      out: expect.stringContaining('PROVIDER_MISSING'),
    });
    await imported(root, '--provider', provider);
    expect(own(root)[path]).toContain(`    oseq: 1\n    provider: ${provider}\n`);
  });

  const routedPools = pools.replace(
    'defaultZone: inet',
    'clusters: [{ name: default, routes: { kind: Ingress, className: nginx, controller: k8s.io/ingress-nginx } }]\ndefaultZone: inet',
  );
  const site = `version: '2.0'
services:
  web:
    image: a
    expose:
      - { port: 80, accept: [shop.example.com, www.example.com], to: [{ global: true }] }
      - { port: 81, as: 80, accept: [api.example.com], http_options: { read_timeout: 30000, next_cases: ['502'] }, to: [{ global: true }] }
      - { port: 8443, as: 443, accept: [other.example.com], to: [{ global: true }] }
${profilesLine(['west'])}deployment: { web: { west: { profile: web, count: 1 } } }
`;

  it('declares the hostnames that Akash routes, with their options', { tags: 'slow' }, async () => {
    const root = repository(site, { 'leases/pools.yaml': routedPools });
    const { declarations, notes, edited: files } = await imported(root);
    expect([declarations[0]?.state, declarations[0]?.line, notes, files]).toEqual([
      ...['added', 6, [], [path]],
    ]);
    expect(own(root)[path]).toContain(`    oseq: 1
  hosts:
    - { service: web, accept: [ shop.example.com, www.example.com ] }
    - { service: web, accept: [ api.example.com ], httpOptions: { readTimeout: 30000, nextCases: [ '502' ] } }
`);
    const again = await imported(root);
    expect([again.declarations[0]?.state, again.notes]).toEqual(['present', []]);
    putFile(
      root,
      'app.yaml',
      site.replace('shop.example.com, www', 'new.example.com, www').replace('30000', '20000'),
    );
    const later = await imported(root);
    expect(later.declarations[0]?.state).toBe('extended');
    expect(later.notes.map(({ subject, message }) => `${subject}: ${message}`).sort()).toEqual([
      'hostname api.example.com: it is declared with other HTTP options, which stay as they are',
      'hostname shop.example.com: it is declared, and not in the SDL: it stays until you remove it',
    ]);
    expect(own(root)[path]).toContain('    - { service: web, accept: [ new.example.com ] }\n');
  });

  it('leaves hostnames out in a cluster without routes', { tags: 'slow' }, async () => {
    const { status, out } = await run(repository(site));
    expect([status, out]).toEqual([1, expect.stringMatching(/ SDL_NO_ENDPOINT /)]);
    const both = edited(simpleSdl, 'port: 80\n', 'port: 80\n        accept: [shop.example.com]\n');
    const root = repository(both);
    const { notes } = await imported(root);
    expect(own(root)[path]).not.toContain('hosts');
    const message = 'cluster default has no routes, so no hostname is declared: shop.example.com';
    expect(notes).toMatchObject([{ effect: 'left', subject: 'accept', message }]);
  });
});
