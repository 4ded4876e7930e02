import { describe, expect, it } from 'vitest';
import { renamingSchema } from '../../../src/features/rename/rename-answer.ts';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { day, held, passes, shop } from '../../support/repositories/shop-checkout.ts';

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
    expect(plan).toContain('renamed from shop/web');
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

    const name = `${alice}/site`;
    const { status, out, err } = await checkout.run('rename', name, 'blog', ...day);
    expect((await checkout.run('who', `${alice}/blog`)).status).toBe(0);

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

  it.each(['0.14.9', '0.16.1'])(
    'keeps the sharing key of several Services on an endpoint, with MetalLB %s',
    async (version) => {
      const checkout = await shop('pool', version);
      const site = `default/akash/${alice}-ip-site`;
      const { [site]: own, ...others } = await held(checkout);
      const keys = () => {
        const lines = checkout.repository.git(
          'grep',
          '-h',
          '--untracked',
          'allow-shared-ip:',
          'dist',
        );
        return lines.split('\n').sort();
      };
      const before = keys();

      expect((await checkout.run('rename', 'site', 'blog', ...day)).status).toBe(0);

      expect(await held(checkout)).toEqual({ ...others, [`default/akash/${alice}-ip-blog`]: own });
      expect(keys()).toEqual(before);
      await passes(checkout);
      const undone = await checkout.run('rename', 'blog', 'site', ...day);
      expect([undone.status, keys()]).toEqual([0, before]);
      checkout.repository.git('add', '-A');
      expect(checkout.repository.git('diff', '--cached', '--stat', 'main')).toBe('');
    },
  );

  it('takes a merged rename back: the former Rename goes, and the new one can be pruned', async () => {
    const checkout = await shop();
    const before = await held(checkout);
    const { git } = checkout.repository;
    const merged = async (...words: string[]): Promise<string> => {
      const { status, out } = await checkout.run(...words, ...day);
      expect(status).toBe(0);
      checkout.commit('2026-01-05');
      await passes(checkout);
      git('branch', '-f', 'main', 'HEAD');
      return out;
    };
    await merged('rename', 'site', 'blog');
    expect(await merged('rename', 'blog', 'site')).toContain(
      'removed leases/alice/rename-site.yaml: that rename is taken back',
    );
    expect(await held(checkout)).toEqual(before);
    expect(git('ls-files', 'leases/alice')).toContain('rename-blog.yaml');
    await merged('prune');
    expect(git('ls-files', 'leases/alice')).not.toContain('rename-');
  });

  it('leaves nothing of the renames of a name that was declared again', async () => {
    const checkout = await shop();
    checkout.put(
      'leases/alice/rename-old.yaml',
      `apiVersion: leasehold.dev/v1
kind: Rename
spec: { holders: [{ from: default/akash/${alice}-ip-site, to: default/akash/${alice}-ip-gone }] }
`,
    );
    checkout.commit('2026-01-05');
    const { out } = await checkout.run('prune', ...day);
    expect(out).toContain('rename-old.yaml');
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

  it.each([
    ['a name that nobody has', ['shop/none', 'x'], 'has the name or address shop/none'],
    ['another cluster', ['shop/web', 'east/service/shop/web'], 'in cluster default'],
    ['an endpoint of another owner', ['site', `default/akash/${provider}-ip-site`], 'one owner'],
    ['a bad name', ['shop/web', 'Web'], "'Web' is not NAMESPACE/NAME"],
    [
      'a sharing key of two parts',
      ['default/shared/shop/front', 'default/shared/shop/a/b'],
      "'default/shared/shop/a/b' is not a sharing key of namespace shop",
    ],
    [
      'a sharing key of another namespace',
      ['default/shared/shop/front', 'default/shared/store/b'],
      "'default/shared/store/b' is not a sharing key of namespace shop",
    ],
    [
      'a Service with too many parts',
      ['shop/web', 'default/service/shop/a/b'],
      "'default/service/shop/a/b' is not NAMESPACE/NAME",
    ],
    ['a namespace of two parts', ['shop', 'a/b'], "'a/b' is not the name of a namespace"],
    [
      'a namespace with an id of too many parts',
      ['default/namespace/shop', 'default/namespace/a/b'],
      "'default/namespace/a/b' is not the name of a namespace",
    ],
    [
      'a namespace of another cluster',
      ['default/namespace/shop', 'west/namespace/store'],
      "'west/namespace/store' is not the name of a namespace in cluster default",
    ],
    ['a namespace with a bad name', ['shop', 'a/B'], "'a/B' is not the name of a namespace"],
    ['several holders', ['203.0.113.0/28', 'x'], 'names several holders'],
  ])('refuses %s, and writes nothing', async (_, words, reason) => {
    const checkout = await shop();
    const { status, err } = await checkout.run('rename', ...words, ...day);
    expect([status, err]).toEqual([64, expect.stringContaining(reason)]);
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
  });
});
