import { describe, expect, it } from 'vitest';
import { importSchema } from '../../../src/features/import/import-answer.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, tempTree } from '../../support/trees/temp-tree.ts';

const live = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: web, namespace: metallb-system }
spec: { addresses: [192.0.2.0/28, 2001:db8::/120], autoAssign: false }
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: { name: all, namespace: metallb-system }
spec: { interfaces: [bond0] }
`;

const pools = `# The addresses of the rack.
apiVersion: leasehold.dev/v1
kind: Pools
metallb: { layout: pool } # adopted
pools:
  - name: own # by hand
    zone: inet
    addresses: [203.0.113.0/28]
`;

/** A new repository with some files, and nothing of leasehold's. */
function emptyRepository(files: Readonly<Record<string, string>>): string {
  const root = tempTree(files);
  gitRepository(root);
  return root;
}

describe('leasehold import', () => {
  it('recognizes a template', async () => {
    const root = emptyRepository({
      'template.yaml': live.replace('192.0.2.0/28', '{{ .Values.range }}'),
    });
    const template = await runInProcess(['import', 'metallb', 'template.yaml'], root);
    expect(template.out).toContain(
      'hint: leasehold does not read templates: render the file first',
    );
  });

  it('says that a pool which serves only whom asks for it is in one zone with a pool for everybody', async () => {
    const pool = (name: string, range: string, autoAssign: boolean): string => `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: ${name}, namespace: metallb-system }
spec: { addresses: [${range}], autoAssign: ${autoAssign} }
`;
    const asked = [pool('office', '10.0.0.0/28', false), pool('lab', '10.0.1.0/28', false)];
    const told = async (text: string): Promise<readonly string[]> => {
      const root = emptyRepository({ 'live.yaml': text });
      const { out } = await runInProcess(['import', 'metallb', 'live.yaml'], root);
      return out.split('\n').filter((line) => line.includes('shares a zone'));
    };
    expect(await told([...asked, pool('web', '192.0.2.0/28', true)].join(''))).toEqual(
      ['office', 'lab'].map((name, index) =>
        expect.stringMatching(
          `^changed  live\\.yaml:${index * 5 + 4}:19 +pool ${name}: MetalLB assigns from it only to Services that request it`,
        ),
      ),
    );
    expect(await told(asked.join(''))).toEqual([]);
  });

  it('makes a pool file with the live pools, in layout pool, and ends in a green check', async () => {
    const root = emptyRepository({ 'live.yaml': live });
    const { status, out, err } = await runInProcess(['import', 'metallb', 'live.yaml'], root);
    expect({ status, out, err }).toEqual({
      status: 0,
      out: `POOL  STATE  BY  FROM         ADDRESSES
web   added  l2  live.yaml:3  192.0.2.0/28,2001:db8::/120

changed  leases/pools.yaml:1:1  the pools: fence: open keeps every live Service on its address once they are applied: declare the Services that have addresses of them, apply that, and remove fence: open in a separate commit once \`leasehold verify\` reports that it can be removed
changed  leases/pools.yaml:1:1  MetalLB: its version is not in the source; 0.14.9 is written: correct it

wrote leases/pools.yaml
no address changes; 0 held; 3 files written, 0 removed
`,
      err: '',
    });
    const tree = content(root);
    expect(tree['leases/pools.yaml']).toBe(`apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.14.9, namespace: metallb-system, layout: pool }
emit: { providerLeasedIP: false }
pools:
  - name: web
    zone: default
    addresses: [192.0.2.0/28, 2001:db8::/120]
    fence: open
    advertise: { l2: { interfaces: [bond0] } }
`);
    const manifests = Object.entries(tree).filter(([path]) => path.includes('/_pools/'));
    expect(manifests.map(([, text]) => text).join('')).toMatch(
      /kind: IPAddressPool[\s\S]*name: web\n/,
    );
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  it('keeps both advertisements of a pool, with the names and settings of their objects', async () => {
    const object = (kind: string, name: string, spec: string) => `---
apiVersion: metallb.io/v1beta1
kind: ${kind}
metadata: { name: ${name}, namespace: metallb-system }
spec: { ${spec} }
`;
    const own = 'ipAddressPools: [web]';
    const root = emptyRepository({
      'live.yaml': [
        object('IPAddressPool', 'web', 'addresses: [192.0.2.0/24], autoAssign: false'),
        object('BGPAdvertisement', 'local', `${own}, localPref: 100, communities: ["65535:65282"]`),
        object('BGPAdvertisement', 'external', `${own}, aggregationLength: 24`),
      ].join(''),
    });
    await runInProcess(['import', 'metallb', 'live.yaml'], root);

    const tree = content(root);
    expect(tree['leases/pools.yaml']).toContain(
      'advertise: [{ name: local, bgp: { localPref: 100, communities: [65535:65282] } }, { name: external, bgp: { aggregationLength: 24 } }]',
    );
    const text = Object.entries(tree).find(([path]) => path.includes('/_pools/'))?.[1];
    const specs = text?.split('---\n').slice(1);
    expect(specs?.map((one) => /name: (.*)/.exec(one)?.[1])).toEqual(['local', 'external']);
    expect(specs?.[0]).toMatch(/aggregationLength: 32[\s\S]*65535:65282[\s\S]*localPref: 100/);
    expect(specs?.[1]).toMatch(/aggregationLength: 24\n {2}aggregationLengthV6: 128\n {2}ip/);
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
    const again = await runInProcess(['import', 'metallb', 'live.yaml'], root);
    expect(again.out).not.toContain('another advertise');
  });

  it('adds nothing the second time', async () => {
    const root = emptyRepository({ 'live.yaml': live });
    await runInProcess(['import', 'metallb', 'live.yaml'], root);
    const before = content(root);
    const { status, out } = await runInProcess(
      ['import', 'metallb', 'live.yaml', '-o', 'json'],
      root,
    );
    expect(status).toBe(0);
    expect(importSchema.parse(JSON.parse(out))).toMatchObject({
      pools: [{ name: 'web', state: 'present' }],
      notes: [],
      edited: [],
    });
    expect(content(root)).toEqual(before);
  });

  it('takes the fields of a new pool file from its options', async () => {
    const root = emptyRepository({ 'live.yaml': live });
    const words = ['--zone', 'inet', '--layout', 'lease', '--metallb', '0.15.3', '-o', 'json'];
    const { out } = await runInProcess(['import', 'metallb', 'live.yaml', ...words], root);
    expect(importSchema.parse(JSON.parse(out)).notes).toHaveLength(1);
    expect(content(root)['leases/pools.yaml']).toMatch(/version: 0\.15\.3,.*layout: lease/);
    expect(content(root)['leases/pools.yaml']).toContain('zone: inet\n');
    expect(content(root)['leases/pools.yaml']).not.toContain('fence');
    const again = await runInProcess(['import', 'metallb', 'live.yaml', ...words], root);
    expect(JSON.parse(again.out)).toMatchObject({ pools: [{ state: 'present' }], edited: [] });
  });

  it('adds missing pools to a pool file, and keeps its comments', async () => {
    const checkout = await remadeCheckout({ 'leases/pools.yaml': pools });
    checkout.put('live.yaml', live);
    const { status } = await checkout.run('import', 'metallb', 'live.yaml');
    expect(status).toBe(0);
    expect(checkout.read('leases/pools.yaml')).toBe(`${pools}  - name: web
    zone: inet
    addresses: [192.0.2.0/28, 2001:db8::/120]
    fence: open
    advertise: { l2: { interfaces: [bond0] } }
`);
    checkout.commit('2026-01-03');
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
  });

  it('makes no new pool file for one that only the disk lacks', async () => {
    const checkout = await remadeCheckout({ 'leases/pools.yaml': pools });
    checkout.put('leases/pools.yaml', '');
    checkout.put('live.yaml', live);
    expect(await checkout.run('import', 'metallb', 'live.yaml')).toMatchObject({
      status: 1,
      out: expect.stringContaining('leases/pools.yaml:1:1 FILE_LOST'),
    });
  });

  it('says which cluster announces the pools where there are several', {
    tags: 'slow',
  }, async () => {
    const clusters = 'clusters: [{ name: east }, { name: west }]\ndefaultCluster: east\n';
    for (const [words, name] of [
      [[], 'east'],
      [['--cluster', 'west'], 'west'],
    ] as const) {
      const checkout = await remadeCheckout({ 'leases/pools.yaml': `${pools}${clusters}` });
      checkout.put('live.yaml', live);
      expect(await checkout.run('import', 'metallb', 'live.yaml', ...words)).toMatchObject({
        status: 0,
      });
      expect(checkout.read('leases/pools.yaml')).toContain(`    clusters: [${name}]\n`);
    }
  });

  it('cautions where the pool file would not fit the live objects', async () => {
    const checkout = await remadeCheckout({
      'leases/pools.yaml': pools.replace('{ layout: pool }', '{ namespace: lb }'),
    });
    checkout.put('live.yaml', live);
    const { out } = await checkout.run('import', 'metallb', 'live.yaml', '-o', 'json');
    const { notes } = importSchema.parse(JSON.parse(out));
    expect(notes.map(({ subject, file }) => [subject, file])).toEqual([
      ['the pools', 'leases/pools.yaml'],
      ['the layout', 'leases/pools.yaml'],
      ['the namespace', 'leases/pools.yaml'],
    ]);
  });

  it('leaves a pool that is declared with the same addresses, and reports the differences', async () => {
    const checkout = await remadeCheckout({
      'leases/pools.yaml': pools
        .replace('name: own', 'name: web')
        .replace('[203.0.113.0/28]', '[192.0.2.8/29, 192.0.2.0/29, 2001:db8::/120]'),
    });
    checkout.put('live.yaml', live);
    const { out } = await checkout.run(
      ...['import', 'metallb', 'live.yaml', '--allow-closed-fence', '-o', 'json'],
    );
    expect(importSchema.parse(JSON.parse(out))).toMatchObject({
      pools: [{ state: 'present' }],
      notes: [
        { message: 'it is declared with another advertise, which stays as it is' },
        { message: expect.stringContaining('it is declared with a closed fence') },
      ],
      edited: [],
    });
  });

  it.each([
    [
      'another pool of that name',
      pools.replace('name: own', 'name: web'),
      live,
      ["live.yaml:3:19 POOL_DUPLICATE the pool 'web' is declared with other addresses"],
    ],
    [
      'an overlap with a declared pool',
      pools.replace('203.0.113.0/28', '192.0.2.0/24'),
      live,
      [/POOL_OVERLAP pools 'web' and 'own' have 192\.0\.2\.0 in two entries/],
    ],
    [
      'overlaps and one name in the source',
      pools,
      `${live}---\n${live.replace('[192.0.2.0/28, 2001:db8::/120]', '[192.0.2.8/32, 10.0.0.0/24, 10.0.0.4/32]')}`,
      [
        "live.yaml:13:19 POOL_DUPLICATE the source has two pools 'web'",
        /^live\.yaml:14:21 POOL_OVERLAP pool 'web' has 192\.0\.2\.8 in two entries/,
        /^live\.yaml:14:48 POOL_OVERLAP pool 'web' has 10\.0\.0\.4 in two entries/,
      ],
    ],
    [
      'what the pool file does not hold in its layout',
      pools.replace('layout: pool', 'layout: lease'),
      live.replace('L2Adv', 'BGPAdv').replace('interfaces: [bond0]', 'aggregationLength: 28'),
      [/^leases\/pools\.yaml:12:44 BGP_AGGREGATION /],
    ],
    ['a pool file that is not sound', `${pools}colour: red\n`, live, [/FIELD_UNKNOWN/]],
  ])('refuses %s, and writes nothing', async (_, declared, source, problems) => {
    const root = emptyRepository({ 'leases/pools.yaml': declared, 'live.yaml': source });
    const before = content(root);
    const { status, out, err } = await runInProcess(['import', 'metallb', 'live.yaml'], root);
    expect({ status, err }).toEqual({ status: 1, err: '' });
    for (const problem of problems)
      expect(out).toMatch(
        new RegExp(typeof problem === 'string' ? `^${problem}` : problem.source, 'm'),
      );
    expect(out).toMatch(new RegExp(`^${problems.length} problems?;`, 'm'));
    expect(content(root)).toEqual(before);
  });

  it('writes nothing without a pool, and reports the reason', async () => {
    const root = emptyRepository({ 'a.yml': "metallb_ip_range: '{{ ranges }}'\n" });
    expect(await runInProcess(['import', 'kubespray', 'a.yml'], root)).toMatchObject({
      status: 1,
      err: '',
      out: expect.stringMatching(/a\.yml:1:19.*Jinja[\s\S]*no pool found in a\.yml/),
    });
    expect(content(root)).not.toHaveProperty('leases/pools.yaml');
  });

  it.each([
    [['import', 'metallb', 'live.yaml', '--layout', 'lease'], /--layout is for .*declares pool/],
    [
      ['import', 'metallb', 'live.yaml', '--metallb', '0.15.3'],
      /--metallb is for .*declares 0\.14\.9/,
    ],
    [['import', 'metallb', 'live.yaml', '--zone', 'A b'], /not a name/],
    [['import', 'metallb'], /missing required argument/],
    [['import', 'cisco', 'live.yaml'], /unknown command|too many|error/],
  ])('%j is wrong usage', async (argv, reason) => {
    const root = emptyRepository({ 'leases/pools.yaml': pools, 'live.yaml': live });
    const { status, err } = await runInProcess(argv, root);
    expect(err).toMatch(reason);
    expect(status).toBe(64);
  });
});

describe('a file of an import', () => {
  it.each(['none.yaml', 'folder'])('that is %s ends in exit status 74', async (name) => {
    const root = emptyRepository({ 'folder/x': '' });
    const { status, err } = await runInProcess(['import', 'metallb', name], root);
    expect(err).toContain(name);
    expect(status).toBe(74);
  });
});
