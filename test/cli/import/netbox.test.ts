import { describe, expect, it } from 'vitest';
import { importSchema } from '../../../src/features/import/import-answer.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';
import { content, tempTree } from '../../support/trees/temp-tree.ts';

const prefixes = `ID,Prefix,Status,Pool,Tags,Zone
1,203.0.113.0/28,Active,True,metallb,inet
2,10.20.0.0/28,Active,True,metallb,hnet
3,10.20.0.8/29,Reserved,False,,
`;
const addresses = 'ID,IP Address,Status,DNS Name\n1,203.0.113.1/28,Active,gw.example.com\n';

const pools = `# The addresses of the rack.
apiVersion: leasehold.dev/v1
kind: Pools
metallb: { layout: pool }
pools:
  - name: public # renamed
    zone: inet
    addresses: [203.0.113.0/28]
    reserved: [203.0.113.2] # a printer
`;
const service = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  annotations: { ipam.vitistack.io/addresses: 203.0.113.1 }
spec:
  type: LoadBalancer
  selector: { app: web }
  ports: [{ port: 80 }]
`;

const files = { 'p.csv': prefixes, 'a.csv': addresses };
const words = ['import', 'netbox', 'p.csv', 'a.csv'];

function emptyRepository(more: Readonly<Record<string, string>> = {}): string {
  const root = tempTree({ ...files, ...more });
  gitRepository(root);
  return root;
}

describe('leasehold import netbox', () => {
  it("makes pools of the chosen prefixes, reserves NetBox's addresses in them, and adds nothing twice", {
    tags: 'slow',
  }, async () => {
    const root = emptyRepository();
    const argv = [...words, '--zone-field', 'zone', '--zone', 'inet', '-o', 'json'];
    const first = await runInProcess(argv, root);
    expect(first.status).toBe(0);
    expect(importSchema.parse(JSON.parse(first.out))).toMatchObject({
      source: 'netbox',
      pools: [
        { name: 'inet', state: 'added', reserved: ['203.0.113.1'], file: 'p.csv', line: 2 },
        { name: 'hnet', state: 'added', reserved: ['10.20.0.8/29'], file: 'p.csv', line: 3 },
      ],
      edited: ['leases/pools.yaml'],
    });
    const text = content(root)['leases/pools.yaml'];
    expect(text).toContain('defaultZone: inet\n');
    expect(text).toContain('    addresses: [10.20.0.0/28]\n    reserved: [10.20.0.8/29]\n');
    expect(text).not.toContain('fence: open');
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
    const before = content(root);
    const again = await runInProcess(argv, root);
    expect(importSchema.parse(JSON.parse(again.out))).toMatchObject({
      pools: [
        { name: 'inet', state: 'present', reserved: [] },
        { name: 'hnet', state: 'present', reserved: [] },
      ],
      edited: [],
    });
    expect(content(root)).toEqual(before);
  });

  it('extends declared pools under any name, and leaves held addresses', {
    tags: 'slow',
  }, async () => {
    const checkout = await remadeCheckout({
      'leases/pools.yaml': pools,
      'leases/shop/web.yaml': service,
    });
    for (const [path, text] of Object.entries(files)) checkout.put(path, text);
    checkout.put(
      'a.csv',
      `${addresses}2,203.0.113.2/28,DHCP,\n3,203.0.113.3/28,Active,new.example.com\n`,
    );
    const { status, out } = await checkout.run(...words, '--tag', 'metallb', '--status', 'active');
    expect(status).toBe(0);
    expect(out.split('\n').filter((line) => /POOL|2: pool|3: pool|:\d+ +pool/.test(line))).toEqual([
      'POOL          STATE     BY  FROM     ADDRESSES',
      'left     a.csv:2:3              pool public: 203.0.113.1 is not reserved: default/service/shop/web has it; the source has it as an active IP address of gw.example.com',
      'changed  a.csv:4:3              pool public: 203.0.113.3 is reserved, and never given out: an active IP address of new.example.com',
      'changed  p.csv:4:3              pool 10-20-0-0-28: 10.20.0.8/29 is reserved, and never given out: a reserved prefix 10.20.0.8/29',
    ]);
    expect(out).toMatch(/^public +extended +l2 +p\.csv:2 +203\.0\.113\.0\/28$/m);
    expect(checkout.read('leases/pools.yaml')).toBe(`${pools.replace(
      '[203.0.113.2]',
      '[203.0.113.2, 203.0.113.3]',
    )}  - name: 10-20-0-0-28
    zone: inet
    addresses: [10.20.0.0/28]
    reserved: [10.20.0.8/29]
    advertise: { l2: {} }
`);
    checkout.commit('2026-01-03');
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
  });

  it('leaves out a pool that another repository has exported', async () => {
    const checkout = await remadeCheckout({ 'leases/pools.yaml': pools });
    checkout.put(
      'p.csv',
      `ID,Prefix,Status,Tags
1,10.20.0.0/28,Active,metallb
2,10.20.0.0/29,Active,leasehold-export
3,10.20.0.8/29,Active,leasehold-export
4,203.0.113.0/28,Active,metallb
`,
    );
    const { status, out } = await checkout.run('import', 'netbox', 'p.csv', '--tag', 'metallb');
    expect(status).toBe(0);
    expect(out).toMatch(
      /^left +p\.csv:2:3 +pool 10-20-0-0-28: it is not imported: every address of it is in use in the source$/m,
    );
    expect(checkout.read('leases/pools.yaml')).not.toContain('10.20.0');
  });

  it('names the default zone that there has been, when a second one comes', async () => {
    const checkout = await remadeCheckout({ 'leases/pools.yaml': pools });
    for (const [path, text] of Object.entries(files)) checkout.put(path, text);
    const { out } = await checkout.run(...words, '--zone-field', 'Zone', '--pool-per', 'prefix');
    expect(out).toMatch(/^10-20-0-0-28 +added/m);
    expect(checkout.read('leases/pools.yaml')).toMatch(/zone: hnet\n[\s\S]*^defaultZone: inet\n$/m);
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
  });

  it.each([
    [
      'a page of more',
      '{"count": 9, "next": "http://netbox/?offset=1", "results": []}',
      /^p\.csv:1:14 IMPORT_TRUNCATED the file has 0 of 9 objects: it is one page of more\n {2}hint: .*limit=0/m,
    ],
    ['CSV that is none', 'Prefix,Status\n"203.0.113.0/28,Active\n', /^p\.csv:2:1 CSV_SYNTAX /m],
    [
      'an overlap with a declared pool',
      'Prefix,Status,Pool\n203.0.113.8/29,Active,True\n',
      /^leases\/pools\.yaml:6:5 POOL_OVERLAP pools '203-0-113-8-29' and 'public' have 203\.0\.113\.8 .*\n(?: .*\n)*? {2}also p\.csv:2:1$/m,
    ],
    [
      'a name that is declared with other addresses',
      'Prefix,Status,Description\n203.0.112.0/28,Active,Public\n',
      /^p\.csv:2:1 POOL_DUPLICATE the pool 'public' is declared with other addresses/m,
    ],
  ])('refuses %s, and writes nothing', async (_, text, problem) => {
    const root = emptyRepository({ 'leases/pools.yaml': pools, 'p.csv': text });
    const before = content(root);
    const { status, out, err } = await runInProcess([...words, '--all'], root);
    expect({ status, err }).toEqual({ status: 1, err: '' });
    expect(withoutQuotes(out)).toMatch(problem);
    expect(content(root)).toEqual(before);
  });

  it('asks for the default zone of a new pool file with several', async () => {
    const root = emptyRepository();
    const { status, out } = await runInProcess([...words, '--zone-field', 'zone'], root);
    expect(status).toBe(1);
    expect(out).toMatch(/ZONE_MISSING .*\n {2}hint: name the default zone with --zone; /);
    expect(content(root)).not.toHaveProperty('leases/pools.yaml');
  });

  it.each([
    [[], /choose the prefixes of NetBox that are pools/],
    [['--all', '--tag', 'a'], /--all cannot be combined with --tag/],
    [['--all', '--pool-per', 'vlan'], /Allowed choices are zone, prefix/],
  ])('%j is wrong usage', async (more, reason) => {
    const root = emptyRepository();
    const { status, err } = await runInProcess([...words, ...more], root);
    expect(err).toMatch(reason);
    expect(status).toBe(64);
  });
});
