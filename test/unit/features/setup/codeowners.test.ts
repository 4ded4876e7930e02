import { describe, expect, test } from 'vitest';
import {
  codeownersRules,
  codeownersText,
  withCodeowners,
} from '../../../../src/features/setup/codeowners.ts';
import { thePolicy } from '../../../support/declarations/policies.ts';

const policy = thePolicy(`operators: { reviewers: ['@acme/network', ops@acme.example] }
tenants:
  - { name: shop, folders: [leases/shop], reviewers: ['@acme/shop'], namespaces: [shop, prod/common] }
  - { name: blog, folders: [leases/blog, leases/shop/blog], reviewers: ['@ben'], namespaces: [common] }
  - { name: mute, folders: [leases/shop/mute] }
`);

const top = { forge: 'github', folder: '' } as const;

/** Path to owners, the later line in place of the earlier one as forges read it. */
function ownersIn(text: string): (path: string) => string | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith('/'));
  return (path) => {
    const line = lines.findLast((one) => {
      const [pattern = ''] = one.split(' ');
      return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern;
    });
    return line?.split(' ').slice(1).join(' ');
  };
}

const operators = '@acme/network ops@acme.example';

/** The owners whom Gitea asks about a file: those of every line that matches. */
function askedBy(text: string, file: string): readonly string[] {
  const owners = text.split('\n').flatMap((line) => {
    // gitea: models/issues/pull.go, TokenizeCodeOwnersLine and ParseCodeOwnersLine.
    const [pattern = '', ...names] = [...line.matchAll(/(?:\\.|[^\\ #])+|#.*/g)]
      .map(([token]) => token)
      .filter((token) => !token.startsWith('#'))
      .map((token) => token.replace(/\\(.)/g, '$1'));
    const isNegative = pattern.startsWith('!');
    const matches = new RegExp(`^${pattern.replace(/^!/, '')}$`).test(file);
    return pattern !== '' && matches !== isNegative ? names : [];
  });
  return [...new Set(owners)];
}

const inOrder = (texts: readonly string[]) => [...texts].sort();

describe('the lines of CODEOWNERS as regular expressions', () => {
  const team = ['@acme/network', 'ops@acme.example'];

  test.each([
    ['leases/shop/a.yaml', ['@acme/shop']],
    ['leases/shop/blog/a.yaml', ['@acme/shop', '@ben']],
    ['leases/shop/mute/a.yaml', [...team, '@acme/shop']],
    ['leases/keys/common/a.yaml', ['@acme/shop', '@ben']],
    ['leases/keys/other/a.yaml', team],
    ['leases/shop/.gitattributes', [...team, '@acme/shop']],
    ['leases/shop.yaml', team],
    ['leases/pools.yaml', team],
    ['leases/policyxyaml', team],
    ['.forgejo/workflows/leasehold.yml', team],
    ['package.json', team],
    ['README.md', team],
    ['leases/allocations/203.0.113/203.0.113.7.yaml', []],
    ['dist/default/00/a.yaml', []],
    ['xdist/default/00/a.yaml', team],
  ])('ask about %s: %j', (file, owners) => {
    const text = codeownersText(codeownersRules(policy, { forge: 'gitea', folder: '' }));
    expect(inOrder(askedBy(text, file))).toEqual(inOrder(owners));
  });

  test.each(['forgejo', 'gitea'] as const)('are those of %s, below a folder', (forge) => {
    const one = thePolicy(`operators: { reviewers: ['@ops'] }
tenants:
  - { name: shop, folders: [leases/s.x], reviewers: ['@shop'] }
`);
    const rules = codeownersRules(one, { forge, folder: 'net/' });
    expect(rules.map(({ path, owners }) => [path, ...owners].join(' '))).toEqual([
      String.raw`!(net/leases/s\\.x/.*|net/leases/allocations/.*|net/leases/hostnames/.*|net/dist/.*) @ops`,
      String.raw`net/leases/s\\.x/.* @shop`,
      String.raw`net/leases/(.*/)?\\.gitattributes @ops`,
    ]);
  });
});

describe('the lines of CODEOWNERS', () => {
  test.each([
    ['/leases/shop/a.yaml', '@acme/shop'],
    ['/leases/shop/blog/a.yaml', '@ben'],
    ['/leases/blog/a.yaml', '@ben'],
    ['/leases/shop/mute/a.yaml', operators],
    ['/leases/keys/shop/a.yaml', '@acme/shop'],
    ['/leases/keys/common/a.yaml', '@acme/shop @ben'],
    ['/leases/keys/other/a.yaml', operators],
    ['/leases/stray.yaml', operators],
    ['/leases/pools.yaml', operators],
    ['/leases/policy.yaml', operators],
    ['/.github/workflows/plan.yaml', operators],
    ['/.gitlab-ci.yml', operators],
    ['/.npmrc', operators],
    ['/npm-shrinkwrap.json', operators],
    ['/node_modules/leasehold/package.json', operators],
    ['/.pnp.cjs', operators],
    ['/.pnp.loader.mjs', operators],
    ['/.pnpmfile.mjs', operators],
    ['/package.yaml', operators],
    ['/package.json5', operators],
    ['/mise.toml', operators],
    ['/.mise.toml', operators],
    ['/.gitattributes', operators],
    ['/leases/**/.gitattributes', operators],
    ['/action.yml', operators],
    ['/leases/allocations/203.0.113/203.0.113.7.yaml', ''],
    ['/dist/default/00/a.yaml', ''],
    ['/README.md', undefined],
  ])('give %s to: %s', (path, owners) => {
    expect(ownersIn(codeownersText(codeownersRules(policy, top)))(path)).toBe(owners);
  });

  test('name the folder with leases/, and the gates of the repository', () => {
    const owners = ownersIn(
      codeownersText(codeownersRules(policy, { ...top, folder: 'net/prod/' })),
    );
    expect(owners('/net/prod/leases/shop/a.yaml')).toBe('@acme/shop');
    expect(owners('/leases/shop/a.yaml')).toBeUndefined();
    expect(owners('/.github/a')).toBe(operators);
    for (const folder of ['/', '/net/', '/net/prod/']) {
      expect(owners(`${folder}package.json`)).toBe(operators);
    }
    expect(owners('/net/other/package.json')).toBeUndefined();
  });
});

describe('a CODEOWNERS file', () => {
  const ours = codeownersText(codeownersRules(policy, top));
  const written = (text: string, lines = ours): string => {
    const outcome = withCodeowners('CODEOWNERS', text, lines);
    if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join());
    return outcome.value;
  };

  test('keeps all other lines, and is unchanged the second time', () => {
    const before = '* @acme/all\n\n# mine';
    const once = written(before);
    expect(once).toBe(`${before}\n${ours}`);
    expect(written(`${once}/docs/ @writers\n`)).toBe(`${once}/docs/ @writers\n`);
    const other = codeownersText(codeownersRules({ ...policy, tenants: [] }, top));
    expect(written(`${once}/docs/ @writers`, other)).toBe(`${before}\n${other}/docs/ @writers`);
    expect(written('')).toBe(ours);
  });

  test('gets our lines before the first GitLab section', () => {
    expect(written('* @all\n^[Docs]\n/docs/ @writers\n')).toBe(
      `* @all\n${ours}^[Docs]\n/docs/ @writers\n`,
    );
  });

  test('keeps CRLF line endings', () => {
    const once = written('* @all\r\n');
    expect(once).toBe(`* @all\r\n${ours.replaceAll('\n', '\r\n')}`);
    expect(written(once)).toBe(once);
  });

  test('is rejected with the end marker before the begin marker', () => {
    const lines = ours.trimEnd().split('\n').reverse().join('\n');
    const outcome = withCodeowners('CODEOWNERS', lines, ours);
    expect(outcome.ok ? [] : outcome.problems.map(({ at }) => at.line)).toEqual([1]);
  });
});
