import { describe, expect, it } from 'vitest';
import { additionSchema } from '../../../src/features/add/add-answer.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { keys, runAnswering } from '../../support/run/answered-prompts.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

const owner = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const lease = `${owner}/18500001/1/1`;
const aurora = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';
const { enter, down, no, yes } = keys;

function repository(): string {
  const root = example();
  const { git } = gitRepository(root).on('2026-11-20');
  git('add', '-A');
  git('commit', '-q', '-m', 'The example');
  return root;
}

/** The files of the working tree, without git's and the lock. */
function filesIn(root: string) {
  const own = Object.entries(content(root));
  return Object.fromEntries(own.filter(([path]) => !/^\.(git|leasehold)\b/.test(path)));
}

const run = (root: string, ...words: readonly string[]) => runInProcess(['add', ...words], root);

describe('leasehold add', () => {
  it('writes a lease as the shipped examples are written, which synth accepts', {
    tags: 'slow',
  }, async () => {
    const root = repository();
    const claim = ['web', '3000', '--endpoint', 'site', '--external-port', '80'];
    const { status, out, err } = await run(root, 'lease', lease, ...claim);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const file = `leases/${owner}/18500001-1-1.yaml`;
    expect(
      content(root)[file],
    ).toBe(`# yaml-language-server: $schema=../../docs/schemas/lease.schema.json
apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${owner}
    dseq: '18500001'
    gseq: 1
    oseq: 1
  endpoints:
    - { name: site, service: web, port: 3000, externalPort: 80 }
`);
    const [, given = ''] = /^synth gives it (\S+)$/m.exec(out) ?? [];
    expect(out).toContain(`wrote ${file}\n`);
    expect(out).toContain('next:\n  npx --no -- leasehold synth\n  npx --no -- leasehold plan\n');
    const synth = await runInProcess(['synth'], root);
    expect(synth.out).toContain(`+ ${given} `);
  });

  it('names no plan as a next step where there is no commit to compare with', async () => {
    const root = example();
    gitRepository(root);
    const { out } = await run(root, 'service', 'shop/web', '80', '--selector', 'app=web');
    expect(out).toContain('next:\n  npx --no -- leasehold synth\n  git add -A\n');
  });

  it('writes nothing for the same, adds another port to the file, and refuses a changed one', {
    tags: 'slow',
  }, async () => {
    const root = repository();
    const claim = ['web', '3000', '--endpoint', 'site', '--external-port', '80'];
    await run(root, 'lease', lease, ...claim);
    const before = filesIn(root);
    const again = await run(root, 'lease', lease, ...claim, '--ip-family', 'ipv4', '-o', 'json');
    expect(additionSchema.parse(JSON.parse(again.out))).toMatchObject({ state: 'present' });
    const changed = await run(root, 'lease', lease, ...claim, '--retention-days', '3');
    expect(changed).toMatchObject({ status: 1, err: '' });
    expect(changed.out).toMatch(/^leases\/akash17ye\S+:11:7 PORT_TAKEN /);
    expect(filesIn(root)).toEqual(before);
    const more = await run(root, 'lease', lease, 'web', '3000', '--endpoint', 'site', '-o', 'json');
    expect(additionSchema.parse(JSON.parse(more.out))).toMatchObject({ state: 'extended' });
    const text = content(root)[`leases/${owner}/18500001-1-1.yaml`] ?? '';
    expect(text).toMatch(/80 }\n {4}- { name: site, service: web, port: 3000 }\n$/);
    expect(text.match(/yaml-language-server/g)).toHaveLength(1);
  });

  it("puts a lease beside its owner's others, and under a policy into the tenant's folder", {
    tags: 'slow',
  }, async () => {
    const root = repository();
    const first = await run(
      root,
      'lease',
      `${aurora}/9/1/1`,
      'web',
      '80',
      '--endpoint',
      'blog',
      '-o',
      'json',
    );
    expect(JSON.parse(first.out).file).toBe('leases/aurora/9-1-1.yaml');
    putFile(
      root,
      'leases/policy.yaml',
      `apiVersion: leasehold.dev/v1\nkind: Policy\ntenants:\n  - { name: ember, folders: [leases/ember], owners: [${owner}] }\n`,
    );
    const second = await run(root, 'lease', lease, 'web', '80', '--endpoint', 'blog', '-o', 'json');
    expect(JSON.parse(second.out).file).toBe('leases/ember/18500001-1-1.yaml');
    const third = await run(
      root,
      ...[
        'lease',
        `${owner}/7/1/1`,
        'web',
        '80',
        '--endpoint',
        'b2',
        '--folder',
        'leases/own/deep/',
      ],
      ...['-o', 'json'],
    );
    expect(JSON.parse(third.out).file).toBe('leases/own/deep/7-1-1.yaml');
  });

  it('writes a Service with all that it can ask for', { tags: 'slow' }, async () => {
    const root = repository();
    const { status, out, err } = await run(
      root,
      ...['service', 'shop/web', '80:8080', 'https=443:8443', '53/udp'],
      ...['--selector', 'app=web', '--selector', 'tier=front', '--zone', 'edge'],
      ...['--ip-family', 'dual', '--retention-days', '30', '--sharing-key', 'front', '-o', 'json'],
    );
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const answer = additionSchema.parse(JSON.parse(out));
    expect(answer).toMatchObject({
      name: 'shop/web',
      state: 'added',
      file: 'leases/shop/web.yaml',
    });
    expect(answer.addresses).toHaveLength(2);
    expect(
      content(root)['leases/shop/web.yaml'],
    ).toBe(`# yaml-language-server: $schema=../../docs/schemas/service.schema.json
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  annotations:
    ipam.vitistack.io/zone: edge
    ipam.vitistack.io/ip-family: dual
    ipam.vitistack.io/retention-period-days: '30'
    ipam.vitistack.io/allow-local-shared-ip: front
spec:
  type: LoadBalancer
  selector: { app: web, tier: front }
  ports:
    - { name: 80-tcp, port: 80, targetPort: 8080 }
    - { name: https, port: 443, targetPort: 8443 }
    - { name: 53-udp, port: 53, protocol: UDP }
`);
    const same = await run(
      root,
      ...['service', 'shop/web', '80:8080', 'https=443:8443', '53/udp'],
      ...['--selector', 'tier=front', '--selector', 'app=web', '--zone', 'edge'],
      ...['--ip-family', 'dual', '--retention-days', '30', '--sharing-key', 'front'],
    );
    expect(same.out).toMatch(
      /^Service shop\/web is already declared in leases\/shop\/web.yaml; nothing to write\n/,
    );
    const other = await run(root, 'service', 'shop/web', '80', '--selector', 'app=web');
    expect(other.out).toMatch(
      /^leases\/shop\/web\.yaml:5:3 SERVICE_DUPLICATE Service shop\/web is declared here, with other fields\n/,
    );
    expect(other.status).toBe(1);
  });

  it('writes a Reservation, with pins of both families', { tags: 'slow' }, async () => {
    const root = repository();
    const pins = ['--address', '203.0.113.40', '--address', '2001:db8:30::40'];
    const words = [
      'reservation',
      'edge/ingress',
      '80',
      '443',
      '443/udp',
      '--pool',
      'edge',
      ...pins,
    ];
    const { status, err } = await run(root, ...words);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(
      content(root)['leases/edge/ingress.yaml'],
    ).toBe(`# yaml-language-server: $schema=../../docs/schemas/reservation.schema.json
apiVersion: leasehold.dev/v1
kind: Reservation
spec:
  namespace: edge
  service: ingress
  ports:
    - { port: 80 }
    - { port: 443 }
    - { port: 443, protocol: UDP }
  pool: edge
  ipFamily: dual
  addresses: [ 203.0.113.40, 2001:db8:30::40 ]
`);
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
  });

  it('names all missing words together, and every fault of those that are there', async () => {
    const root = repository();
    const before = filesIn(root);
    expect(await run(root, 'lease')).toMatchObject({
      status: 64,
      err: 'leasehold: add lease needs OWNER/DSEQ/GSEQ/OSEQ, SERVICE, PORT, --endpoint NAME\n',
    });
    expect(await run(root, 'service', 'shop/web')).toMatchObject({
      status: 64,
      err: 'leasehold: add service needs PORT, --selector KEY=VALUE\n',
    });
    expect(await run(root, 'reservation')).toMatchObject({
      status: 64,
      err: 'leasehold: add reservation needs NAMESPACE/NAME, PORT\n',
    });
    const words = ['lease', lease, 'Web', '80', '--endpoint', 'S', '--selector', 'a=-'];
    const { status, err } = await run(root, ...words);
    expect(status).toBe(64);
    expect(err.split('; ').length).toBeGreaterThan(2);
    for (const [word, reason] of [
      ['shop/Web', /Expected NAMESPACE\/NAME/],
      ['../../etc/web', /Expected NAMESPACE\/NAME/],
    ] as const) {
      expect((await run(root, 'service', word, '80')).err).toMatch(reason);
    }
    for (const folder of [
      'leases',
      '../leases/a',
      'leases/../../a',
      'leases/keys',
      'leases/allocations/a',
      '/leases/a',
      'dist/a',
    ]) {
      const { status: refused } = await run(root, 'reservation', 'a/b', '80', '--folder', folder);
      expect([folder, refused]).toEqual([folder, 64]);
    }
    expect(filesIn(root)).toEqual(before);
  });

  it.each([
    [
      ['service', 'shop/web', '80', '--selector', 'a=b', '--pool', 'nope'],
      /^leases\/shop\/web\.yaml:\d+:\d+ POOL_UNKNOWN /,
    ],
    [
      ['reservation', 'shop/web', '80', '--cluster', 'west'],
      /^leases\/shop\/web\.yaml:\d+:\d+ CLUSTER_UNKNOWN /,
    ],
    [
      ['promise', owner, 'site', '--until', '2026-11-21', '--pool', 'nope'],
      new RegExp(`^leases/${owner}/promise-site\\.yaml:8:9 POOL_UNKNOWN `),
    ],
    [
      ['hostname', 'shop.example.com', 'shop/web', '80'],
      /^leases\/shop\/shop\.example\.com\.yaml:\d+:\d+ ROUTES_MISSING /,
    ],
  ] as const)('names the file that it would write: %s', { tags: 'slow' }, async (words, place) => {
    const { status, out } = await run(repository(), ...words);
    expect([status, out]).toEqual([1, expect.stringMatching(place)]);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'nothing was written; the line is that of the file that add would write',
    );
  });

  it('refuses what synth would refuse, and writes nothing', { tags: 'slow' }, async () => {
    const root = repository();
    const before = filesIn(root);
    const held = '203.0.113.29';
    for (const [words, code] of [
      [['service', 'shop/web', '80', '--selector', 'a=b', '--zone', 'ege'], 'ZONE_UNKNOWN'],
      [['service', 'shop/web', '80', '--selector', 'a=b', '--address', held], 'PIN_TAKEN'],
      [['reservation', 'shop/web', '80', '--cluster', 'west'], 'CLUSTER_UNKNOWN'],
      [['lease', lease, 'web', '80', '--endpoint', 'site', '--pool', 'ege'], 'POOL_UNKNOWN'],
    ] as const) {
      const { status, out } = await run(root, ...words);
      expect([code, status]).toEqual([code, 1]);
      expect(out).toContain(code);
    }
    putFile(root, 'leases/broken.yaml', 'kind: [');
    expect((await run(root, 'reservation', 'a/b', '80')).out).toMatch(/^leases\/broken\.yaml:1:/);
    expect(Object.keys(filesIn(root)).sort()).toEqual(
      [...Object.keys(before), 'leases/broken.yaml'].sort(),
    );
  });
});

describe('leasehold add at a terminal', () => {
  it('asks for what is missing, offers endpoints and pools, and writes what it showed', {
    tags: 'slow',
  }, async () => {
    const root = repository();
    const { status, left, screen } = await runAnswering(['add', 'lease'], root, [
      ['The lease, as OWNER/DSEQ/GSEQ/OSEQ', `${aurora}/77${enter}`],
      ['Expected a lease as', `/1/1${enter}`],
      ['The service of the lease', `web${enter}`],
      ["The container's port", `8000${enter}`],
      ['The port on the leased address', `8443${enter}`],
      ['The IP endpoint', `${enter}`],
      ['Write leases/aurora/77-1-1.yaml?', yes],
    ]);
    expect({ left, screen: left.length > 0 ? screen.slice(-500) : '' }).toEqual({
      left: [],
      screen: '',
    });
    expect(status).toBe(0);
    expect(screen).toContain('shares ');
    expect(content(root)['leases/aurora/77-1-1.yaml']).toContain('externalPort: 8443');
  });

  it('asks for a promise, which lasts a week when no day is typed', { tags: 'slow' }, async () => {
    const root = repository();
    const { status, out, left, screen } = await runAnswering(['add', 'promise'], root, [
      ['The account of the tenant', `akash1nobody${enter}`],
      ['akash1nobody', `\u0015${owner}${enter}`],
      ["The name of the tenant's IP endpoint", `site${enter}`],
      ['The last day of the promise', enter],
      ['Where does the address come from?', enter],
      ['Write leases/', yes],
    ]);
    expect({ status, left, screen: left.length > 0 ? screen.slice(-500) : '' }).toEqual({
      status: 0,
      left: [],
      screen: '',
    });
    const [, file = ''] = /^wrote (leases\/\S+)\nsynth gives it \d/.exec(out) ?? [];
    expect(content(root)[file]).toContain('until: 2026-11-27');
  });

  it('asks for a Service in a new namespace, in another zone with both families', {
    tags: 'slow',
  }, async () => {
    const root = repository();
    const { status, left, screen } = await runAnswering(['add', 'service'], root, [
      ['The namespace of the Service', `Shop${enter}`],
      ['expected lower-case letters', `\u0015shop${enter}`],
      ['The name of the Service', `web${enter}`],
      ['The ports, with a comma', `80:8080, nope${enter}`],
      ['Expected a port such as', `\u001580:8080, 443:8443${enter}`],
      ['The labels of the pods', `app=web${enter}`],
      ['Where does the address come from?', `${down}${enter}`],
      ['Which addresses?', `${down}${down}${enter}`],
      ['Write leases/shop/web.yaml?', yes],
    ]);
    expect({ left, screen: left.length > 0 ? screen.slice(-500) : '' }).toEqual({
      left: [],
      screen: '',
    });
    expect(status).toBe(0);
    const text = content(root)['leases/shop/web.yaml'];
    expect(text).toContain('zone: edge');
    expect(text).toContain('ip-family: dual');
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
  });

  it('writes nothing when the confirmation is declined', { tags: 'slow' }, async () => {
    const root = repository();
    const before = filesIn(root);
    const { status, err } = await runAnswering(['add', 'reservation', 'shop/web'], root, [
      ['The ports of the Service', `80${enter}`],
      ['Where does', enter],
      ['Write leases/shop/web.yaml?', no],
    ]);
    expect({ status, err }).toEqual({ status: 0, err: 'leasehold: nothing is written\n' });
    expect(filesIn(root)).toEqual(before);
  });
});
