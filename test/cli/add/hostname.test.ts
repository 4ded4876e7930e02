import { expect, test } from 'vitest';
import { additionSchema } from '../../../src/features/add/add-answer.ts';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { fakeDns } from '../../support/dns/fake-dns.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { keys, runAnswering } from '../../support/run/answered-prompts.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content } from '../../support/trees/temp-tree.ts';

const committed = {
  '.gitignore': '.leasehold/\n',
  'leases/pools.yaml': routedPoolText,
  'leases/web/shop.yaml': hostnameText('shop.example.com'),
};
const blog = ['blog.example.com', 'shop/web', '8080'];

test("add hostname writes a declaration beside the namespace's others, which synth accepts", async () => {
  const { run, read } = await remadeCheckout(committed);
  const { status, out, err } = await run('add', 'hostname', ...blog);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const file = 'leases/web/blog.example.com.yaml';
  expect(read(file)).toMatch(/apiVersion: leasehold.dev\/v1\nkind: Hostname\n/);
  expect(out).toContain(`wrote ${file}\nsynth routes it to shop/web:8080\n`);
  expect(out).toContain('git commit -m "Route blog.example.com"');
  const synth = await run('synth');
  expect(synth.out).toContain('+ blog.example.com  allocated  -  default/namespace/shop');
  const again = await run('add', 'hostname', ...blog, '-o', 'json');
  expect(additionSchema.parse(JSON.parse(again.out))).toMatchObject({
    ...{ declared: 'Hostname', name: 'blog.example.com', state: 'present', file },
    ...{ addresses: [], routedTo: 'shop/web:8080' },
  });
});

test('add hostname writes the file of a wildcard, in the folder of its namespace', async () => {
  const { run } = await remadeCheckout(committed);
  const wildcard = ['*.blog.example.com', 'blog/web', '80', '--cluster', 'default'];
  const { out } = await run('add', 'hostname', ...wildcard, '-o', 'json');
  expect(JSON.parse(out).file).toBe('leases/blog/wildcard.blog.example.com.yaml');
});

test.each([
  [['shop.example.com', 'shop/api', '80'], 'HOSTNAME_TAKEN'],
  [['shop.example.com', 'blog/web', '80'], 'HOSTNAME_TAKEN'],
  [['Blog.example.com', 'shop/web', '80'], 'not in canonical form'],
  [['blog.example.com', 'shop/web', '70000'], '70000'],
  [['blog.example.com', 'shop/web', '80', '--cluster', 'west'], 'CLUSTER_UNKNOWN'],
])('add hostname refuses %j, and writes nothing', async (words, reason) => {
  const { root, run } = await remadeCheckout(committed);
  const before = content(root);
  const { status, out, err } = await run('add', 'hostname', ...words);
  expect(status).not.toBe(0);
  expect(`${out}${err}`).toContain(reason);
  expect(content(root)).toEqual(before);
});

test('add hostname asks for what is missing, and shows where the hostname is routed', async () => {
  const { root, read } = await remadeCheckout(committed);
  const { enter, clear, yes } = keys;
  const { status, left, screen } = await runAnswering(['add', 'hostname'], root, [
    ['The hostname', `Blog.example.com${enter}`],
    ['in canonical form', `${clear}blog.example.com${enter}`],
    ['The namespace of the Service', enter],
    ['The name of the Service', `web${enter}`],
    ['The port of the Service', `0${enter}`],
    ['Expected a port such as', `${clear}8080${enter}`],
    ['Write leases/web/blog.example.com.yaml? synth routes it to shop/web:8080', yes],
  ]);
  expect({ status, left, screen: left.length > 0 ? screen.slice(-500) : '' }).toEqual({
    status: 0,
    left: [],
    screen: '',
  });
  expect(read('leases/web/blog.example.com.yaml')).toContain('hostname: blog.example.com');
});

test('add hostname names the form in which a name is written', async () => {
  const { run } = await remadeCheckout(committed);
  const { status, err } = await run('add', 'hostname', 'Blog.example.com', 'shop/web', '80');
  expect([status, err]).toEqual([
    64,
    expect.stringContaining('Not a hostname: not in canonical form; write blog.example.com.'),
  ]);
});

test('add hostname names the missing words where nobody can be asked', async () => {
  const { run } = await remadeCheckout(committed);
  expect(await run('add', 'hostname', 'blog.example.com')).toMatchObject({
    status: 64,
    err: 'leasehold: add hostname needs NAMESPACE/NAME, PORT\n',
  });
});

test('add hostname writes names that are to be proven, and says how; then synth gives them', async () => {
  const required = routedPoolText.replace('retentionDays: 7', 'retentionDays: 7, proof: required');
  const { root, run } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': required,
  });
  const dns = await fakeDns();
  await run('add', 'hostname', ...blog);
  const { status, out } = await run('add', 'hostname', '*.shop.example.org', 'shop/web', '80');
  const record = '_leasehold.shop.example.org TXT "leasehold=default/namespace/shop"';
  expect([status, out]).toEqual([
    0,
    expect.stringContaining(
      `next:\n  publish ${record}, there or at a domain above\n  npx --no -- leasehold prove '*.shop.example.org'\n  npx --no -- leasehold synth\n`,
    ),
  ]);
  expect((await run('synth')).out).toContain('2 problems');
  for (const domain of ['example.com', 'example.org']) {
    dns.records.set(`_leasehold.${domain}`, ['leasehold=default/namespace/shop']);
  }
  expect(await runInProcess(['prove', '--resolver', dns.server], root)).toMatchObject({
    status: 0,
  });
  expect((await run('synth')).out).toContain('hostnames: 2 allocated');
  const third = await run('add', 'hostname', 'more.example.org', 'shop/web', '80', '-o', 'json');
  expect(JSON.parse(third.out)).not.toHaveProperty('proofRecord');
});
