import { describe, expect, it } from 'vitest';
import { releaseSchema } from '../../../src/features/move/operation-answer.ts';
import {
  hostnameText,
  leaseHostText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { profilesLine } from '../../support/declarations/sdl.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { begin, found, pinned, web } from '../../support/repositories/checked-branches.ts';
import { recordOf } from '../../support/repositories/lease-checkout.ts';
import { content } from '../../support/trees/temp-tree.ts';

const bobsAccount = accountOf('bob');
const bob = `default/akash/${bobsAccount}-ip-front`;

function serviceText(name: string, port: number): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop, annotations: { ipam.vitistack.io/allow-local-shared-ip: front } }
spec: { type: LoadBalancer, ports: [{ port: ${port} }] }
`;
}

describe('leasehold release', () => {
  it('removes the declaration, and reports the interrupted traffic and the free day', async () => {
    const checkout = await begin();
    const { status, out } = await checkout.run('release', '203.0.113.1', '--today', '2026-01-11');
    expect(status).toBe(0);
    const [summary = '', released] = out.split(/(?<=1 held; .*\n)/);
    expect(summary).toContain('1 released; 1 held');
    expect(released).toBe(
      `cut: web 80/TCP of ${accountOf('ann')}/1/1/1/${accountOf('provider')} (leases/ann.yaml:10)
203.0.113.1 of default/akash/${accountOf('ann')}-ip-front is free for others from 2026-01-21
removed leases/ann.yaml
`,
    );
    expect((await checkout.run('check')).status).toBe(0);
    checkout.commit('2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });

  it('stages all that it writes, so that a plain commit has all of it', async () => {
    const checkout = await begin();
    await checkout.run('release', '203.0.113.1', '--today', '2026-01-11');
    expect(checkout.repository.git('diff', '--name-only')).toBe('');
    checkout.repository.on('2026-01-11').git('commit', '-q', '-m', 'Release an address');
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual([]);
  });

  it('takes endpoints out of leases that have others, of all leases that stand on the address', async () => {
    const checkout = await begin();
    const other = { ...web, name: 'other', externalPort: 90 };
    checkout.put('leases/bob.yaml', leaseText('bob', 2, [pinned(2), other]));
    checkout.put(
      'leases/bob-2.yaml',
      leaseText('bob', 3, [
        { ...web, externalPort: 81 },
        { ...other, externalPort: 91 },
      ]),
    );
    await checkout.synth('2026-01-10', 'Two leases');
    const { status, out } = await checkout.run(
      'release',
      bob,
      '--today',
      '2026-01-11',
      '-o',
      'json',
    );
    const answer = releaseSchema.parse(JSON.parse(out));
    expect([status, answer.edited, answer.removed]).toEqual([
      0,
      ['leases/bob-2.yaml', 'leases/bob.yaml'],
      [],
    ]);
    expect(answer.claims).toHaveLength(2);
    expect(answer.released).toMatchObject([{ address: '203.0.113.2' }]);
    expect(checkout.read('leases/bob.yaml')).not.toContain('front');
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('ends one Service, and the address stays while another one stands on it', async () => {
    const checkout = await begin();
    checkout.put('leases/shop/web.yaml', serviceText('web', 80));
    checkout.put('leases/shop/api.yaml', serviceText('api', 81));
    await checkout.synth('2026-01-10', 'Shared');
    checkout.repository.git('branch', '-q', '-f', 'main');
    const first = await checkout.run('release', 'shop/web', '--today', '2026-01-11');
    expect(first.out).toContain('no address is released: other claims use it');
    checkout.commit('2026-01-11');
    const last = await checkout.run(
      'release',
      'default/shared/shop/front',
      '--today',
      '2026-01-12',
    );
    expect(last.out).toMatch(
      /203\.0\.113\.\d+ of default\/shared\/shop\/front is free for others from 2026-01-22/,
    );
    expect(last.out).toContain('removed leases/shop/api.yaml');
  });

  it('refuses too many at once, unless told the number', { tags: 'slow' }, async () => {
    const checkout = await begin();
    for (const name of ['cat', 'dan', 'eve']) {
      checkout.put(`leases/${name}.yaml`, leaseText(name, 5, [web]));
    }
    await checkout.synth('2026-01-10', 'Five');
    checkout.repository.git('branch', '-q', '-f', 'main');
    const refused = await checkout.run('release', '203.0.113.0/28', '--today', '2026-01-11');
    expect([refused.status, refused.out]).toEqual([
      1,
      expect.stringContaining('MASS_RELEASE 5 of 5'),
    ]);
    expect(refused.out).toContain(
      'leasehold release 203.0.113.0/28 --today 2026-01-11 --allow-release 5',
    );
    expect(checkout.repository.git('status', '--short')).toBe('');
    const told = await checkout.run(
      'release',
      '203.0.113.0/28',
      '--allow-release',
      '5',
      '--today',
      '2026-01-11',
    );
    expect(told.status).toBe(0);
    expect(checkout.read(recordOf('203.0.113.1'))).toContain('released:');
  });

  it('confirms the releases of the run, or all of the pull request', { tags: 'slow' }, async () => {
    const checkout = await begin();
    for (const name of ['cat', 'dan', 'eve']) {
      checkout.put(`leases/${name}.yaml`, leaseText(name, 5, [web]));
    }
    await checkout.synth('2026-01-10', 'Five');
    checkout.repository.git('branch', '-q', '-f', 'main');
    const marks = () =>
      checkout.repository.git('diff', 'main', '--', 'leases').split('+  confirmed: true').length -
      1;
    const release = (what: string, ...words: readonly string[]) =>
      checkout.run('release', what, '--today', '2026-01-11', ...words);
    expect((await release('203.0.113.1')).status).toBe(0);
    checkout.commit('2026-01-11', 'One');
    expect((await release('203.0.113.0/28')).out).toContain('--allow-release 5`\n');
    expect((await release('203.0.113.0/28', '--allow-release', '4')).status).toBe(0);
    expect(marks()).toBe(4);
    checkout.repository.git('reset', '-q', '--hard');
    expect((await release('203.0.113.0/28', '--allow-release', '5')).status).toBe(0);
    expect(marks()).toBe(5);
    checkout.commit('2026-01-11', 'Four');
    expect(await found(checkout)).toEqual([]);
  });

  it('removes the declaration of a hostname, and no other command for addresses takes one', async () => {
    const { root, read, run } = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/web.yaml': hostnameText('shop.example.com'),
    });
    expect((await run('pin', 'shop.example.com')).err).toContain(
      'shop.example.com is a hostname, and this command is for addresses: change leases/shop/web.yaml:3, and run `leasehold synth`',
    );
    const { status, out } = await run('release', 'shop.example.com', '--today', '2026-01-05');
    expect(status).toBe(0);
    expect(out).toContain('- shop.example.com  released ');
    expect(out).toContain(
      'shop.example.com of default/namespace/shop is free for others from 2026-01-12\nremoved leases/shop/web.yaml\n',
    );
    expect(out).not.toContain('no address is released');
    expect(Object.keys(content(root))).not.toContain('leases/shop/web.yaml');
    expect(read('leases/hostnames/com/example/shop.example.com.yaml')).toContain('on: 2026-01-05');
  });

  it('names the hostnames that are still routed to a removed Service', async () => {
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/service.yaml': serviceText('web', 80),
      'leases/shop/api.yaml': serviceText('api', 81),
      'leases/shop/web.yaml': hostnameText('shop.example.com'),
      'leases/shop/wild.yaml': hostnameText('*.shop.example.com'),
      'leases/shop/old.yaml': hostnameText('old.example.com'),
      'leases/shop/other.yaml': hostnameText('api.example.com', { service: 'api', port: 81 }),
      'leases/blog/web.yaml': hostnameText('blog.example.com', { namespace: 'blog' }),
    });
    const { status, out } = await checkout.run(
      ...['release', 'shop/web', 'old.example.com', '--today', '2026-01-11'],
    );
    expect(status).toBe(0);
    expect(out).toMatch(
      /removed leases\/shop\/service\.yaml\n\*\.shop\.example\.com is still routed to shop\/web:80; to end it: `leasehold release '\*\.shop\.example\.com'`\nshop\.example\.com is still routed to shop\/web:80; to end it: `leasehold release shop\.example\.com`\n$/,
    );
    const last = await checkout.run('release', 'shop/api', '-o', 'json', '--today', '2026-01-11');
    expect(releaseSchema.parse(JSON.parse(last.out)).stillRouted).toEqual([
      { hostname: 'api.example.com', routedTo: 'shop/api:81' },
    ]);
  });

  it('names nothing that is not there', async () => {
    const checkout = await begin();
    const { status, err } = await checkout.run('release', 'shop/none');
    expect([status, err]).toEqual([
      64,
      expect.stringContaining('no declared holder or lease has the name'),
    ]);
  });

  it('removes a hostname of a lease, and keeps the rest of its file', async () => {
    const endpoints = '  endpoints: [{ name: front, service: web, port: 80 }]\n';
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/lease.yaml': `${leaseHostText('1', 'shop.example.com, www.example.com')}${endpoints}`,
    });
    const release = (name: string) => checkout.run('release', name, '--today', '2026-01-11');
    const first = await release('www.example.com');
    expect(first.status, first.err).toBe(0);
    expect(first.out).toMatch(
      /^www\.example\.com of default\/akash\/akash1\w+ is free for others from 2026-01-18$/m,
    );
    expect(first.out).toContain('edited leases/shop/lease.yaml\n');
    const text = () => checkout.read('leases/shop/lease.yaml');
    expect(text()).toBe(`${leaseHostText('1', 'shop.example.com')}${endpoints}`);
    await release('shop.example.com');
    expect(text()).not.toContain('hosts');
    expect((await checkout.run('check')).status).toBe(0);
    const both = await release(`${alice}-ip-front`);
    expect(both.out).toContain('removed leases/shop/lease.yaml\n');
  });

  it('removes a lease whose last hostname and endpoint are released at once', async () => {
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/lease.yaml': `${leaseHostText('1', 'shop.example.com')}  endpoints: [{ name: front, service: web, port: 80 }]\n`,
    });
    const { out } = await checkout.run(
      ...['release', `${alice}-ip-front`, 'shop.example.com', '--today', '2026-01-11'],
    );
    expect(out).toContain('removed leases/shop/lease.yaml\n');
    expect(out).toContain('- shop.example.com  released ');
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('ends a lease by its id, with its hostnames, and leaves the other lease on its address', async () => {
    const endpoints = '  endpoints: [{ name: front, service: web, port: 80 }]\n';
    const other = endpoints.replace('port: 80', 'port: 80, externalPort: 81');
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/one.yaml': `${leaseHostText('1', 'shop.example.com')}${endpoints}`,
      'leases/shop/two.yaml': `${leaseHostText('2', 'www.example.com')}${other}`,
    });
    const release = (what: string) => checkout.run('release', what, '--today', '2026-01-11');
    const one = await release(`${alice}/1/1`);
    expect([one.status, one.err]).toEqual([0, '']);
    expect(one.out).toContain('- shop.example.com  released ');
    expect(one.out).toContain('no address changes; hostnames: 1 released; 1 address held');
    expect(one.out).toContain('removed leases/shop/one.yaml\n');
    const two = await release('2');
    expect(two.out).toMatch(/^1 released; hostnames: 1 released; 0 /m);
    expect(two.out).toContain('removed leases/shop/two.yaml\n');
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('refuses an id of several leases, and an IP endpoint of several owners', async () => {
    const endpoints = '  endpoints: [{ name: front, service: web, port: 80 }]\n';
    const first = `${leaseHostText('1', 'shop.example.com')}${endpoints}`;
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/one.yaml': first,
      'leases/shop/two.yaml': first
        .replace('gseq: 1', 'gseq: 2')
        .replace('shop.', 'www.')
        .replace('port: 80', 'port: 80, externalPort: 81'),
      'leases/shop/bob.yaml': `${leaseHostText('3', 'bob.example.com', bobsAccount)}${endpoints}`,
    });
    const release = async (what: string) => (await checkout.run('release', what)).err;
    expect(await release(`${alice}/1`)).toContain(
      `${alice}/1 is ambiguous: write ${alice}/1/1/1/${provider} or ${alice}/1/2/1/${provider}`,
    );
    expect(await release('front')).toContain(
      `front is ambiguous: write default/akash/${alice}-ip-front or default/akash/${bobsAccount}-ip-front`,
    );
    expect(checkout.repository.git('status', '--short')).toBe('');
  });

  it('ends what an IP endpoint has, by its name', async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 7, [{ ...web, name: 'cats' }]));
    await checkout.synth('2026-01-10', 'Cats');
    const { out } = await checkout.run('release', 'cats', '--today', '2026-01-11');
    expect(out).toContain('removed leases/cat.yaml\n');
  });

  it('removes a lease of an SDL with its last hostname, and not with another one', async () => {
    const id = `{ owner: ${alice}, dseq: '1', gseq: 1, oseq: 1, provider: ${provider} }`;
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/lease.yaml': `apiVersion: leasehold.dev/v1\nkind: Lease\nspec: { id: ${id}, sdl: web.sdl.yaml }\n`,
      'leases/shop/web.sdl.yaml': `version: '2.0'
services:
  web: { expose: [{ port: 80, accept: [shop.example.com, www.example.com], to: [{ global: true }] }], image: a }
${profilesLine(['west'])}deployment: { web: { west: { profile: web, count: 1 } } }
`,
    });
    const release = (...names: readonly string[]) =>
      checkout.run('release', ...names, '--today', '2026-01-11');
    const one = await release('www.example.com');
    expect(one.status).toBe(1);
    expect(one.out).toMatch(
      /^leases\/shop\/web\.sdl\.yaml:\d+:\d+ SDL_NOT_EDITED the hostnames of lease /,
    );
    const { out } = await release('www.example.com', 'shop.example.com');
    expect(out).toContain('removed leases/shop/lease.yaml\nremoved leases/shop/web.sdl.yaml\n');
  });

  it('leaves the hostnames of a lease whose last endpoint is released', async () => {
    const hosts = leaseHostText('1', 'shop.example.com');
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/lease.yaml': `${hosts}  endpoints: [{ name: front, service: web, port: 80 }]\n`,
    });
    const { out } = await checkout.run('release', `${alice}-ip-front`, '--today', '2026-01-11');
    expect(out).toContain('edited leases/shop/lease.yaml\n');
    expect(checkout.read('leases/shop/lease.yaml')).toBe(hosts);
    expect((await checkout.run('check')).status).toBe(0);
  });

  it('names the hostnames of an SDL that ends with its lease', async () => {
    const id = `{ owner: ${alice}, dseq: '1', gseq: 1, oseq: 1, provider: ${provider} }`;
    const checkout = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/lease.yaml': `apiVersion: leasehold.dev/v1\nkind: Lease\nspec: { id: ${id}, sdl: web.sdl.yaml }\n`,
      'leases/shop/web.sdl.yaml': `version: '2.0'
endpoints: { front: { kind: ip } }
services:
  web: { expose: [{ port: 80, accept: [shop.example.com], to: [{ global: true, ip: front }] }], image: a }
${profilesLine(['west'])}deployment: { web: { west: { profile: web, count: 1 } } }
`,
    });
    const { out } = await checkout.run('release', `${alice}-ip-front`, '--today', '2026-01-11');
    expect(out).toContain('- shop.example.com  released ');
    expect(out).toMatch(
      /^shop\.example\.com of default\/akash\/akash1\w+ is free for others from 2026-01-18$/m,
    );
  });
});
