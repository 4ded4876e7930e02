import { describe, expect, it } from 'vitest';
import { renamingSchema } from '../../../src/features/rename/rename-answer.ts';
import { hostnameText } from '../../support/declarations/hostname-text.ts';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

function poolFile(layout: string, version: string): string {
  return poolsText(`provider: ${provider}
metallb: { version: ${version}, namespace: metallb-system, layout: ${layout} }
clusters: [{ name: default, routes: { kind: Ingress, className: nginx } }]
hostnames: { retentionDays: 7 }
emit: { dnsEndpoints: true, namespaces: true, providerLeasedIP: true }
pools:
  - name: p
    zone: z
    addresses: [203.0.113.0/28, '2001:db8::/124']
    retentionDays: 5
    advertise: { l2: {} }
`);
}

/** A Service as a person writes it. */
function serviceText(name: string, port: number, annotations = ''): string {
  return `# ${name} of the shop
apiVersion: v1
kind: Service
metadata:
  name: ${name} # its name
  namespace: shop
  annotations: { leasehold.dev/dns: ${name}.example.com${annotations} }
spec: { type: LoadBalancer, selector: { app: ${name} }, ports: [{ port: ${port} }] }
`;
}

function leaseText(endpoint: string, dseq: string): string {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${alice}, dseq: '${dseq}', gseq: 1, oseq: 1 }
  endpoints:
    - { name: ${endpoint}, service: web, port: 8080, externalPort: ${dseq} }
`;
}

const dual = ', ipam.vitistack.io/ip-family: dual';
const shared = ', ipam.vitistack.io/allow-local-shared-ip: front';

/** A namespace with a dual-stack Service, two that share an address, a chart and a hostname; a lease in two parts. */
function shopFiles(layout: string, version: string): Readonly<Record<string, string>> {
  return {
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': poolFile(layout, version),
    'leases/shop/web.yaml': serviceText('web', 443, dual),
    'leases/shop/one.yaml': serviceText('one', 80, shared),
    'leases/shop/two.yaml': serviceText('two', 81, shared),
    'leases/shop/chart.yaml': `apiVersion: leasehold.dev/v1
kind: Reservation
metadata: { name: chart }
spec: { namespace: shop, service: chart, ports: [{ port: 25 }] }
`,
    'leases/shop/www.yaml': hostnameText('www.example.org', { port: 443 }),
    'leases/alice/1.yaml': leaseText('site', '1'),
    'leases/alice/2.yaml': leaseText('site', '2'),
  };
}

async function shop(layout = 'pool', version = '0.14.9'): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout(shopFiles(layout, version));
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

const day = ['--today', '2026-01-05'];

/** The address of each holder. */
async function held(checkout: LeaseCheckout): Promise<Readonly<Record<string, string>>> {
  const { out } = await checkout.run('list', '-o', 'json', ...day);
  const { items } = JSON.parse(out) as { items: { holder: string; addresses: string[] }[] };
  return Object.fromEntries(items.map(({ holder, addresses }) => [holder, addresses.join()]));
}

/** Commits, and expects that the change may be merged and loses nothing. */
async function passes(checkout: LeaseCheckout): Promise<string> {
  checkout.commit('2026-01-05');
  expect(await checkout.run('check')).toMatchObject({ status: 0 });
  const { status, out, err } = await checkout.run('check', '--base', 'main', ...day);
  expect([status, out + err]).toEqual([0, expect.stringContaining('are allowed')]);
  return (await checkout.run('plan', '--base', 'main', ...day)).out;
}

describe.each(['pool', 'lease'])('leasehold rename, with layout %s', (layout) => {
  it('gives a Service another name: its addresses stay, and the declaration keeps its comments', async () => {
    const checkout = await shop(layout);
    const before = await held(checkout);

    const { status, out } = await checkout.run('rename', 'shop/web', 'web-v2', ...day);

    expect(status).toBe(0);
    expect(out).toContain('default/service/shop/web -> default/service/shop/web-v2  keeps 203.0.');
    expect(checkout.read('leases/shop/web.yaml')).toContain('  name: web-v2 # its name\n');
    expect(checkout.read('leases/shop/www.yaml')).toContain('service: web-v2');
    const { 'default/service/shop/web': own, ...others } = before;
    expect(await held(checkout)).toEqual({ ...others, 'default/service/shop/web-v2': own });
    const plan = await passes(checkout);
    expect(plan).toContain('default/service/shop/web → default/service/shop/web-v2');
    expect(plan).toContain('renamed from web of namespace shop');
    expect(plan).not.toMatch(/released|allocated/);
  });

  it('gives all of a namespace another name: groups, DNS names and hostnames stay', async () => {
    const checkout = await shop(layout);
    const before = await held(checkout);

    const answer = renamingSchema.parse(
      JSON.parse((await checkout.run('rename', 'shop', 'store', ...day, '-o', 'json')).out),
    );

    expect(answer.renamed.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'default/namespace/shop default/namespace/store',
      'default/service/shop/chart default/service/store/chart',
      'default/service/shop/web default/service/store/web',
      'default/shared/shop/front default/shared/store/front',
    ]);
    expect(answer.renamed[0]?.hostnames).toEqual(['www.example.org']);
    expect(answer.file).toBe('leases/shop/rename-shop.yaml');
    const renamed = Object.entries(before).map(([holder, own]) => [
      holder.replace('/shop/', '/store/'),
      own,
    ]);
    expect(await held(checkout)).toEqual(Object.fromEntries(renamed));
    const plan = await passes(checkout);
    expect(plan).toContain('renamed from namespace shop');
    expect(plan).not.toMatch(/released|allocated/);
  });
});

describe('leasehold rename', () => {
  it('gives an IP endpoint another name in all leases of its owner', async () => {
    const checkout = await shop('pool', '0.15.3');
    const site = `default/akash/${alice}-ip-site`;
    const { [site]: own, ...others } = await held(checkout);

    const { status, out, err } = await checkout.run('rename', 'site', 'blog', ...day);

    expect([status, out + err]).toEqual([0, expect.any(String)]);
    expect(await held(checkout)).toEqual({ ...others, [`default/akash/${alice}-ip-blog`]: own });
    await passes(checkout);
  });

  it('gives a promised endpoint another name', async () => {
    const checkout = await shop('pool', '0.15.3');
    expect((await checkout.run('add', 'promise', alice, 'relay', ...day)).status).toBe(0);
    await checkout.synth('2026-01-05');
    checkout.repository.git('branch', '-f', 'main', 'HEAD');
    const { out } = await checkout.run('who', 'relay', '-o', 'json');
    const [address] = /203[.0-9]+/.exec(out) ?? [];

    const { status, err } = await checkout.run('rename', 'relay', 'tunnel', ...day);

    expect([status, err]).toEqual([0, '']);
    const { out: after } = await checkout.run('who', 'tunnel', '-o', 'json');
    expect(after).toContain(`"${address}"`);
    await passes(checkout);
  });

  it('is refused for an endpoint that several Services share while MetalLB does not retry', async () => {
    const checkout = await shop();
    const { status, out } = await checkout.run('rename', 'site', 'blog', ...day);
    expect([status, out]).toEqual([1, expect.stringContaining('SHARING_STRANDED')]);
    expect(out).toContain('alone on the address in one commit, and add the others');
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
  });

  it('gives a sharing key another name, and a Service in its group', async () => {
    const checkout = await shop();
    const { 'default/shared/shop/front': own, ...others } = await held(checkout);

    expect((await checkout.run('rename', 'front', 'edge', ...day)).status).toBe(0);
    expect((await checkout.run('rename', 'shop/one', 'uno', ...day)).status).toBe(0);

    expect(await held(checkout)).toEqual({ ...others, 'default/shared/shop/edge': own });
    await passes(checkout);
  });

  it('names a holder twice on one branch: its record says the last name only', async () => {
    const checkout = await shop();
    await checkout.run('rename', 'shop/chart', 'mail', ...day);
    checkout.commit('2026-01-05');
    const { status } = await checkout.run('rename', 'shop/mail', 'post', ...day);
    expect(status).toBe(0);
    expect(await held(checkout)).toHaveProperty('default/service/shop/post');
    await passes(checkout);
  });

  it('gives a namespace another name twice on one branch', async () => {
    const checkout = await shop();
    const before = await held(checkout);
    expect((await checkout.run('rename', 'shop', 'store', ...day)).status).toBe(0);
    checkout.commit('2026-01-05');
    expect((await checkout.run('rename', 'store', 'mart', ...day)).status).toBe(0);
    const renamed = Object.entries(before).map(([holder, own]) => [
      holder.replace('/shop/', '/mart/'),
      own,
    ]);
    expect(await held(checkout)).toEqual(Object.fromEntries(renamed));
    await passes(checkout);
  });

  it('is what the hint says when a declaration with a pin was renamed by hand', async () => {
    const checkout = await shop();
    const { 'default/service/shop/chart': own = '' } = await held(checkout);
    checkout.edit('leases/shop/chart.yaml', 'ports:', `addresses: [${own}], ports:`);
    checkout.edit('leases/shop/chart.yaml', 'service: chart', 'service: mail');
    checkout.edit('leases/shop/chart.yaml', 'name: chart', 'name: mail');
    const { err, out } = await checkout.run('synth', ...day);
    const [, command = ''] = /run leasehold (rename \S+ \S+);/.exec(out + err) ?? [];

    expect((await checkout.run(...command.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/mail', own);
    await passes(checkout);
  });

  it('is what the plan says when synth has given another address on the branch', async () => {
    const checkout = await shop();
    const { 'default/service/shop/chart': own } = await held(checkout);
    checkout.edit('leases/shop/chart.yaml', 'service: chart', 'service: mail');
    checkout.edit('leases/shop/chart.yaml', 'name: chart', 'name: mail');
    await checkout.synth('2026-01-05');
    expect(await held(checkout)).not.toHaveProperty('default/service/shop/mail', own);
    const plan = await checkout.run('plan', '--base', 'main', ...day);
    expect(plan.out).toContain('NAME_CHANGED mail of namespace shop gets');
    const [, command = ''] = /leasehold (rename \S+ \S+) keeps/.exec(plan.out) ?? [];

    expect((await checkout.run(...command.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/mail', own);
    await passes(checkout);
  });

  it('takes an address that is kept for the former name in the same namespace', async () => {
    const checkout = await shop();
    const { 'default/service/shop/chart': own = '' } = await held(checkout);
    checkout.put('leases/shop/chart.yaml', '');
    await checkout.synth('2026-01-04', 'The chart ends');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.repository.git('merge', '-q', 'change');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    checkout.put(
      'leases/shop/mail.yaml',
      `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: mail, ports: [{ port: 25 }], addresses: [${own}] }
`,
    );
    const refused = await checkout.run('synth', ...day);
    const [, command = ''] =
      /run leasehold (rename \S+ \S+);/.exec(refused.out + refused.err) ?? [];

    expect((await checkout.run(...command.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/mail', own);
    await passes(checkout);
  });

  it('stays when the target gets other changes, and when the file goes later', async () => {
    const checkout = await shop();
    const before = await held(checkout);
    await checkout.run('rename', 'shop/web', 'site', ...day);
    checkout.commit('2026-01-05', 'A rename');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.put('leases/shop/new.yaml', serviceText('new', 99));
    await checkout.synth('2026-01-05', 'A new Service');
    checkout.repository.git('checkout', '-q', 'change');
    checkout.repository.git('merge', '-q', '--no-edit', 'main');
    expect((await checkout.run('synth', ...day)).status).toBe(0);
    await passes(checkout);
    checkout.repository.git('checkout', '-q', 'main');
    checkout.repository.git('merge', '-q', '--no-edit', 'change');
    const [file = ''] = checkout.repository.git('ls-files', 'leases/shop/rename-*').split('\n');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    checkout.put(file, '');
    await checkout.synth('2026-01-06', 'The rename is done');
    expect(await held(checkout)).toHaveProperty(
      'default/service/shop/site',
      before['default/service/shop/web'],
    );
    await passes(checkout);
  });

  it('leaves a file that prune removes once the rename is merged, and not before', async () => {
    const checkout = await shop();
    const { git } = checkout.repository;
    await checkout.run('rename', 'shop', 'store', ...day);
    checkout.commit('2026-01-05', 'A rename');
    expect((await checkout.run('prune', ...day)).out).not.toContain('removed leases');
    git('checkout', '-q', 'main');
    git('merge', '-q', 'change');
    checkout.put(
      'leases/policy.yaml',
      `apiVersion: leasehold.dev/v1
kind: Policy
tenants: [{ name: store, folders: [leases/shop], namespaces: [store] }]
`,
    );
    const refused = await checkout.run('check');
    const hint = 'if this rename is merged, remove leases/shop/rename-shop.yaml: it is done; else';
    expect(refused.out).toContain(hint);
    checkout.put('leases/policy.yaml', '');
    git('checkout', '-q', '-B', 'change');

    const { status, out } = await checkout.run('prune', ...day);

    expect(status).toBe(0);
    expect(out).toContain('removed leases/shop/rename-shop.yaml: the rename is done\n');
    expect(git('status', '--porcelain')).toBe('D  leases/shop/rename-shop.yaml\n');
    await passes(checkout);
  });

  it('takes what the declarations of a namespace were renamed to by hand', async () => {
    const checkout = await shop();
    const before = await held(checkout);
    const files = checkout.repository.git('ls-files', 'leases/shop').trim().split('\n');
    for (const file of files.filter((one) => !one.includes('lease'))) {
      checkout.put(file, checkout.read(file).replace(/namespace: shop\b/g, 'namespace: store'));
    }

    const { status, err } = await checkout.run('rename', 'shop', 'store', ...day);

    expect([status, err]).toEqual([0, '']);
    const renamed = Object.entries(before).map(([holder, addresses]) => [
      holder.replace('/shop/', '/store/'),
      addresses,
    ]);
    expect(await held(checkout)).toEqual(Object.fromEntries(renamed));
    await passes(checkout);
  });

  it('takes what an endpoint and a sharing key were renamed to by hand, by their names', async () => {
    const checkout = await shop();
    // Two Services of leases cannot change their sharing key in one change.
    checkout.put('leases/alice/2.yaml', '');
    await checkout.synth('2026-01-04', 'One lease ends');
    checkout.repository.git('checkout', '-q', '-B', 'main');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    const before = await held(checkout);
    const files = checkout.repository.git('ls-files', 'leases').trim().split('\n');
    for (const file of files.filter((one) => !one.includes('allocations'))) {
      const text = checkout.read(file);
      checkout.put(
        file,
        text.replace(/name: site,/, 'name: page,').replace(/shared-ip: front/, 'shared-ip: door'),
      );
    }

    for (const words of [
      ['site', 'page'],
      ['front', 'door'],
    ]) {
      const { status, out, err } = await checkout.run('rename', ...words, ...day);
      expect([status, out, err]).toEqual([0, expect.any(String), '']);
    }

    const renamed = Object.entries(before).map(([holder, addresses]) => [
      holder.replace('-ip-site', '-ip-page').replace('/front', '/door'),
      addresses,
    ]);
    expect(await held(checkout)).toEqual(Object.fromEntries(renamed));
    await passes(checkout);
  });

  it('never takes the address of a holder that is still declared', async () => {
    const checkout = await shop();
    const { 'default/service/shop/web': own = '' } = await held(checkout);
    const [four = ''] = own.split(',');
    checkout.put(
      'leases/shop/steal.yaml',
      `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: steal, ports: [{ port: 444 }] }
`,
    );
    await checkout.synth('2026-01-05', 'Another Service');
    const { 'default/service/shop/steal': other = '' } = await held(checkout);
    const holders = ['web', 'steal'].map((name) => `holder: default/service/shop/${name}\n`);
    const [web = '', steal = ''] = holders;
    checkout.edit(recordOf(four), web, steal);
    checkout.edit(recordOf(other), steal, web);
    checkout.edit(recordOf(other), 'retain: 5\n', `retain: 5\nmovedFrom: ${four}\n`);
    checkout.put(
      'leases/shop/rename.yaml',
      `apiVersion: leasehold.dev/v1
kind: Rename
spec: { holders: [{ from: default/service/shop/web, to: default/service/shop/steal }] }
`,
    );
    checkout.commit('2026-01-05', 'A theft');

    const { status, out } = await checkout.run('check', '--base', 'main', ...day);

    expect([status, out]).toEqual([1, expect.stringContaining('ALLOCATION_FORGED')]);
    expect(out).toContain(`${four} is held by default/service/shop/web in the base`);
  });

  it('refuses a new name that has another address already, and writes nothing', async () => {
    const checkout = await shop();
    checkout.put('leases/shop/two.yaml', '');
    checkout.put('leases/shop/one.yaml', '');
    const before = checkout.repository.git('status', '--porcelain');

    const { status, out } = await checkout.run('rename', 'shop/web', 'chart', ...day);

    expect([status, out]).toEqual([1, expect.stringMatching(/ (?:SERVICE_DUPLICATE|FILE_LOST) /)]);
    expect(checkout.repository.git('status', '--porcelain')).toBe(before);
    checkout.repository.git('checkout', '-q', '--', '.');
    checkout.repository.git('rm', '-q', 'leases/shop/web.yaml');
    const onto = await checkout.run('rename', 'shop/web', 'shop/chart', ...day);
    expect([onto.status, onto.out]).toEqual([1, expect.stringContaining('RENAME_CONFLICT')]);
    expect(onto.out).toContain('default/service/shop/chart has ');
  });

  it('is undone by a revert and the two commands of the hint', async () => {
    const checkout = await shop();
    const { 'default/service/shop/web': own } = await held(checkout);
    await checkout.run('rename', 'shop/web', 'site', ...day);
    checkout.commit('2026-01-05', 'A rename');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.repository.git('merge', '-q', 'change');
    checkout.repository.git('checkout', '-q', '-B', 'change');
    checkout.repository.on('2026-01-06').git('revert', '--no-edit', 'HEAD');
    const check = await checkout.run('check', '--base', 'main', ...day);
    expect(check.out).toContain('ALLOCATION_FORGED');
    const [, synth = '', rename = ''] =
      /hint: .*(synth --base \S+).*; then leasehold (rename \S+ \S+) keeps/.exec(check.out) ?? [];

    expect((await checkout.run(...synth.split(' '), ...day)).status).toBe(0);
    expect((await checkout.run(...rename.split(' '), ...day)).status).toBe(0);

    expect(await held(checkout)).toHaveProperty('default/service/shop/web', own);
    await passes(checkout);
  });

  it.each([
    ['a name that nobody has', ['shop/none', 'x'], 'has the name or address shop/none'],
    ['another cluster', ['shop/web', 'east/service/shop/web'], 'in cluster default'],
    ['an endpoint of another owner', ['site', `default/akash/${provider}-ip-site`], 'one owner'],
    ['a bad name', ['shop/web', 'Web'], "'Web' is not NAMESPACE/NAME"],
    ['a namespace with a bad name', ['shop', 'a/B'], "'a/B' is not the name of a namespace"],
    ['several holders', ['203.0.113.0/28', 'x'], 'names several holders'],
  ])('refuses %s, and writes nothing', async (_, words, reason) => {
    const checkout = await shop();
    const { status, err } = await checkout.run('rename', ...words, ...day);
    expect([status, err]).toEqual([64, expect.stringContaining(reason)]);
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
  });
});
