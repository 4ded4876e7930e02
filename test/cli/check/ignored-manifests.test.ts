import { expect, test } from 'vitest';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

test('a repository that ignores dist/ is told so where its manifests are missing', async () => {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\ndist/\n',
    'leases/pools.yaml': routedPoolText,
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  checkout.put('leases/shop/name.yaml', hostnameText('shop.example.com'));
  await checkout.synth('2026-01-05');

  const { status, out } = await checkout.run('check', '--base', 'main', '--today', '2026-01-05');

  expect(status).toBe(1);
  expect(out).toContain(
    'STALE the file is missing\n  hint: remove the pattern for dist/ from .gitignore, run `leasehold synth`, and commit what it writes\n',
  );
});

test('a manifest that settings of git ignore is found by the command in the hint', async () => {
  const checkout = await remadeCheckout({ 'leases/pools.yaml': routedPoolText });
  checkout.put('.git/info/exclude', 'dist/\n');
  checkout.repository.git('checkout', '-q', '-B', 'change');
  checkout.put('leases/shop/name.yaml', hostnameText('shop.example.com'));
  await checkout.synth('2026-01-05');

  const { out } = await checkout.run('check', '--base', 'main', '--today', '2026-01-05');

  expect(out).toContain(
    'STALE the file is missing\n  hint: run `leasehold synth` and commit what it writes; `git status --ignored` names files that git leaves out\n',
  );
  expect(checkout.repository.git('status', '--ignored', '--short')).toContain('!! dist/');
});

test.each([
  [['--today', '2026-01-05'], 'check takes --today with --base only'],
  [
    ['--head', 'main', '--allow-release', '2'],
    'check takes --head, --allow-release with --base only',
  ],
] as const)('check %j', async (options, reason) => {
  const { run } = await remadeCheckout({ 'leases/pools.yaml': routedPoolText });
  expect(await run('check', ...options)).toMatchObject({
    status: 64,
    err: `leasehold: ${reason}\n`,
  });
});
