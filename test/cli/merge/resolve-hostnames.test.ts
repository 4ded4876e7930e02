// @module-tag slow
import { describe, expect, test } from 'vitest';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const record = 'leases/hostnames/com/example/shop.example.com.yaml';
const ofShop = 'leases/shop/name.yaml';
const ofBlog = 'leases/blog/name.yaml';
const blogText = hostnameText('shop.example.com', { namespace: 'blog' });

/** A clone of `main`, on the branch `change`. */
async function branchOf(more: Readonly<Record<string, string>> = {}): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    ...more,
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return checkout;
}

/** Writes a file on a branch, and commits what a run of that day writes. */
async function commitOn(
  { repository, put, synth }: LeaseCheckout,
  branch: string,
  day: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  repository.git('checkout', '-q', branch);
  for (const [path, text] of Object.entries(files)) put(path, text);
  await synth(day);
}

/** `main` gives the hostname to shop, and the branch to blog; the branch is checked out. */
async function twoHolders(): Promise<LeaseCheckout> {
  const checkout = await branchOf();
  await commitOn(checkout, 'main', '2026-01-06', { [ofShop]: hostnameText('shop.example.com') });
  await commitOn(checkout, 'change', '2026-01-05', { [ofBlog]: blogText });
  return checkout;
}

/** Ends the merge as `resolve` says, and checks the tree alone and against `main`. */
async function expectRight(
  { repository, run }: LeaseCheckout,
  ...next: readonly string[]
): Promise<void> {
  expect(repository.git('ls-files', '-u')).toBe('');
  expect(repository.git('diff', '--name-only')).toBe('');
  expect(await run('check')).toMatchObject({ status: 0 });
  const end = next.length > 0 ? next : ['merge', '--continue'];
  expect(repository.on('2026-01-07').isDone('-c', 'core.editor=true', ...end)).toBe(true);
  const { out } = await run('check', '--base', 'main', '--today', '2026-01-07');
  expect(out).toContain('valid, and all changes since');
}

const resolve = ({ run }: LeaseCheckout, ...words: readonly string[]) =>
  run('resolve', '--today', '2026-01-07', ...words);

const takenText = [
  `${ofBlog}:3:60 HOSTNAME_TAKEN the hostname shop.example.com is already a hostname of namespace shop`,
  `  3 | ${blogText.split('\n')[2]}`,
  `    | ${' '.repeat(59)}^^^^^^^^^^^^^^^^^^`,
  `  also ${ofShop}:3:60`,
  '  hint: namespace shop keeps it, since 2026-01-06: use another name here, or remove this declaration',
].join('\n');

describe('a hostname that the target and the branch gave to two namespaces', () => {
  test.each([
    ['a merge of the target', ['merge', '-q', 'main'], ['merge', '--continue']],
    ['a rebase onto the target', ['rebase', '-q', 'main'], ['rebase', '--continue']],
    [
      'a squash on the target',
      ['merge', '-q', '--squash', 'change'],
      ['commit', '--allow-empty', '-m', 'squashed'],
    ],
  ] as const)('stays with that of the target in %s', async (_, command, next) => {
    const checkout = await twoHolders();
    const { repository, read } = checkout;
    if (command.at(-1) === 'change') repository.git('checkout', '-q', 'main');
    expect(repository.isDone(...command)).toBe(false);

    const refused = await resolve(checkout);
    expect(refused.status).toBe(1);
    expect(refused.out + refused.err).toContain(takenText);
    expect(repository.git('ls-files', '-u')).toContain(record);

    repository.git('rm', '-q', '-f', ofBlog);
    const { status, out } = await resolve(checkout);
    expect(out).toContain(`\nnext: git ${next.join(' ').replace(/ --allow-empty.*/, '')}\n`);
    expect(status).toBe(0);
    expect(read(record)).toContain('holder: default/namespace/shop\nsince: 2026-01-06\n');
    await expectRight(checkout, ...next);
  });

  test('is asked about when neither side is upstream, and goes to the side that is kept', async () => {
    const checkout = await twoHolders();
    const { repository, read } = checkout;
    repository.git('branch', '-f', 'ours', 'main');
    repository.git('branch', '-f', 'main', 'change~1');
    expect(repository.isDone('merge', '-q', 'ours')).toBe(false);
    expect((await resolve(checkout)).err).toContain('choose whose addresses and hostnames stay');
    const refused = await resolve(checkout, '--keep', 'ours');
    expect(refused.out + refused.err).toContain(
      `${ofShop}:3:60 HOSTNAME_TAKEN the hostname shop.example.com is already a hostname of namespace blog`,
    );

    repository.git('rm', '-q', '-f', ofShop);
    expect(await resolve(checkout, '--keep', 'ours')).toMatchObject({ status: 0 });
    expect(read(record)).toContain('holder: default/namespace/blog\nsince: 2026-01-05\n');
    await expectRight(checkout);
  });
});

test('a name in the domain of a wildcard that the target gave is that of the target', async () => {
  const checkout = await branchOf();
  await commitOn(checkout, 'main', '2026-01-06', { [ofShop]: hostnameText('*.example.com') });
  await commitOn(checkout, 'change', '2026-01-05', { [ofBlog]: blogText });
  const { repository } = checkout;
  repository.git('merge', '-q', '--no-commit', 'main');

  const refused = await resolve(checkout);
  expect(refused.out + refused.err).toContain(`${ofBlog}:3:60 HOSTNAME_TAKEN`);

  repository.git('rm', '-q', '-f', ofBlog);
  expect(await resolve(checkout)).toMatchObject({ status: 0 });
  await expectRight(checkout);
});

describe('the record of one holder', () => {
  const files = { [ofShop]: hostnameText('shop.example.com') };

  test('that both sides released is that of the target', async () => {
    const checkout = await branchOf(files);
    await commitOn(checkout, 'main', '2026-01-06', { [ofShop]: '' });
    await commitOn(checkout, 'change', '2026-01-05', { [ofShop]: '' });
    const { repository, read } = checkout;
    expect(repository.isDone('merge', '-q', 'main')).toBe(false);
    const { status, out } = await resolve(checkout);
    expect(out).toContain('the addresses of the other side stay\n');
    expect(status).toBe(0);
    expect(read(record)).toContain('released:\n  on: 2026-01-06\n  freeFrom: 2026-01-13\n');
    await expectRight(checkout);
  });

  test('that both sides took again is that of the target', async () => {
    const checkout = await branchOf(files);
    await commitOn(checkout, 'main', '2026-01-03', { [ofShop]: '' });
    checkout.repository.git('branch', '-f', 'change', 'main');
    await commitOn(checkout, 'main', '2026-01-06', files);
    await commitOn(checkout, 'change', '2026-01-05', files);
    expect(checkout.repository.isDone('merge', '-q', 'main')).toBe(false);
    expect(await resolve(checkout)).toMatchObject({ status: 0 });
    expect(checkout.read(record)).toContain('since: 2026-01-06\n');
    await expectRight(checkout);
  });

  test('that the target released and the branch still routes is taken again', async () => {
    const checkout = await branchOf(files);
    await commitOn(checkout, 'main', '2026-01-06', { [ofShop]: '' });
    await commitOn(checkout, 'change', '2026-01-05', {
      [ofShop]: hostnameText('shop.example.com', { port: 8080 }),
    });
    const { repository, read } = checkout;
    expect(repository.isDone('merge', '-q', 'main')).toBe(false);
    expect(await resolve(checkout)).toMatchObject({ status: 1 });
    repository.git('add', ofShop);
    const { status, out } = await resolve(checkout);
    expect(out).toContain('+ shop.example.com  reclaimed');
    expect(status).toBe(0);
    expect(read(record)).toContain('since: 2026-01-07\n');
    await expectRight(checkout);
  });
});

test('a hostname of the branch keeps its day, beside one that the target gave', async () => {
  const checkout = await branchOf();
  const other = hostnameText('api.example.com', { namespace: 'blog' });
  await commitOn(checkout, 'main', '2026-01-06', { [ofShop]: hostnameText('shop.example.com') });
  await commitOn(checkout, 'change', '2026-01-06', { [ofBlog]: other });
  checkout.repository.git('merge', '-q', '--no-commit', 'main');
  expect(await resolve(checkout)).toMatchObject({ status: 0 });
  expect(checkout.read('leases/hostnames/com/example/api.example.com.yaml')).toContain(
    'since: 2026-01-06\n',
  );
  await expectRight(checkout);
});
