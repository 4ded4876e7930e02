// @module-tag slow

import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { codesOf } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, leaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { inScope } from '../../support/run/scope.ts';

const pools = providerPoolsText(`pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28]
    retentionDays: 1
`);

const file = 'leases/hal.yaml';
const day = ['--today', '2026-01-11'];
const untouched = { retention: 3, port: 8080 };
const ours = { retention: 30, port: 8080 };
const theirs = { retention: 3, port: 9000 };
const both = { retention: 30, port: 9000 };

/** A lease in block style. Git joins an edit of its retention and one of its port, unless they are `near`. */
function lease({ retention, port }: typeof ours, isNear = false): string {
  const lines = isNear
    ? [`retentionDays: ${retention}`, `port: ${port}`]
    : [`retentionDays: ${retention}`, '# The site', '# of hal', '# and more', `port: ${port}`];
  return `${leaseText('hal', 1, [])}    - ${['name: front', 'service: web', 'externalPort: 80', ...lines].join('\n      ')}\n`;
}

type Attributes = 'none' | 'declarations unmerged';

/** `change` has a longer retention, `main` another port. The checkout is on `change`. */
function twoEdits(attributes: Attributes, isNear = false): Promise<LeaseCheckout> {
  return remade(`${attributes} ${isNear}`, async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      [file]: lease(untouched, isNear),
      '.gitattributes': attributes === 'none' ? '* text\n' : 'leases/** -merge\n',
      '.gitignore': '.leasehold/\n',
    });
    const { git } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put(file, lease(ours, isNear));
    await checkout.synth('2026-01-10', 'A longer retention');
    git('checkout', '-q', 'main');
    checkout.put(file, lease(theirs, isNear));
    await checkout.synth('2026-01-10', 'Another port');
    git('checkout', '-q', 'change');
    return checkout;
  });
}

/** The ways by which a branch takes in main, each with the words that begin and end it. */
const ways = {
  merge: [
    ['merge', '-q', 'main'],
    ['commit', '-q', '--no-edit'],
  ],
  rebase: [
    ['rebase', '-q', 'main'],
    ['-c', 'core.editor=true', 'rebase', '--continue'],
  ],
  'cherry-pick': [
    ['cherry-pick', 'main'],
    ['-c', 'core.editor=true', 'cherry-pick', '--continue'],
  ],
} as const;
const stops = [
  ['declarations unmerged', true],
  ['none', true],
] as const;
const allWays = ['merge', 'rebase', 'cherry-pick'] as const;
const cases = inScope(
  allWays.flatMap((way) => stops.map(([attributes, isNear]) => [way, attributes, isNear] as const)),
  ([way, attributes]) => way === 'merge' || (way === 'rebase') === (attributes === 'none'),
);

describe('two edits in different lines at which git stops', () => {
  it.each(allWays)('are joined by resolve in a %s', async (way) => {
    const checkout = await twoEdits('declarations unmerged');
    const { git, isDone } = checkout.repository;
    const [begin, end] = ways[way];
    expect(isDone(...begin)).toBe(false);
    const resolved = await checkout.run('resolve', ...day);
    expect(resolved).toMatchObject({ status: 0 });
    expect(resolved.out).toContain(`${file} has the edits of both sides\n`);
    expect(resolved.out).not.toContain('caution');
    expect(checkout.read(file)).toBe(lease(both));
    git(...end);
    expect(git('status', '--porcelain')).toBe('');
    expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
  });

  it('are left to a person who has begun to edit the file', async () => {
    const checkout = await twoEdits('declarations unmerged');
    const { isDone } = checkout.repository;
    expect(isDone('merge', '-q', 'main')).toBe(false);
    const begun = lease({ retention: 12, port: 8080 });
    checkout.put(file, begun);
    expect(await codesOf(checkout, 'resolve', ...day)).toEqual(['FILE_UNMERGED']);
    expect(checkout.read(file)).toBe(begun);
  });

  it('are left to a person where one has put another lease into the file', async () => {
    const checkout = await twoEdits('declarations unmerged');
    checkout.put(file, lease(ours).replace("dseq: '1'", "dseq: '2'"));
    await checkout.synth('2026-01-10', 'Another lease');
    expect(checkout.repository.isDone('merge', '-q', 'main')).toBe(false);
    expect(await codesOf(checkout, 'resolve', ...day)).toEqual(['FILE_UNMERGED']);
  });

  it('are left to a person where git takes another file for the renamed one', async () => {
    const checkout = await twoEdits('declarations unmerged');
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', 'main');
    git('mv', file, 'leases/ida.yaml');
    checkout.put('leases/ida.yaml', lease(theirs).replaceAll('hal', 'ida'));
    await checkout.synth('2026-01-10', 'Ida in place of hal');
    git('checkout', '-q', 'change');
    expect(isDone('merge', '-q', 'main')).toBe(false);
    const found = await codesOf(checkout, 'resolve', ...day);
    expect(found).toContain('FILE_UNMERGED');
  });
});

describe('two edits that git leaves to a person', () => {
  it.each(cases)(
    'are joined in a %s (attributes: %s, near: %s)',
    async (way, attributes, isNear) => {
      const checkout = await twoEdits(attributes, isNear);
      const { git, isDone } = checkout.repository;
      const [begin, end] = ways[way];
      expect(isDone(...begin)).toBe(false);
      const shown = await checkout.run('resolve', ...day);
      expect(shown.status).toBe(1);
      const { branch, other } =
        way === 'rebase'
          ? { branch: 'the other side', other: 'HEAD' }
          : { branch: 'HEAD', other: 'the other side' };
      if (attributes === 'none') expect(shown.out).toContain(`${file}:13:1 YAML_CONFLICT`);
      else {
        expect(shown.out).toContain(`${branch} has web 80/TCP with retentionDays 30`);
        expect(shown.out).toContain(`${other} has web 80/TCP with port 9000`);
        const [, words = ''] = /compare with `git (diff .*?)`;/.exec(shown.out) ?? [];
        const diff = git(...words.split(' '));
        expect(diff).toContain('retentionDays: 30');
        expect(diff).toContain('port: 9000');
      }
      checkout.put(file, lease(both, isNear));
      git('add', file);
      const resolved = await checkout.run('resolve', ...day);
      expect(resolved).toMatchObject({ status: 0 });
      expect(resolved.out).not.toContain('caution');
      git(...end);
      expect(checkout.read(file)).toBe(lease(both, isNear));
      expect(await checkout.run('check', '--base', 'main')).toMatchObject({ status: 0 });
      const { out } = await checkout.run('check', '--base', 'main');
      expect(out).not.toContain('caution');
    },
  );

  it.each(cases)(
    'are told when one is dropped in a %s (attributes: %s, near: %s)',
    async (way, attributes, isNear) => {
      const checkout = await twoEdits(attributes, isNear);
      const { git, isDone } = checkout.repository;
      const [begin, end] = ways[way];
      expect(isDone(...begin)).toBe(false);
      git('checkout', way === 'rebase' ? '--theirs' : '--ours', '--', file);
      git('add', file);
      const resolved = await checkout.run('resolve', ...day);
      const side = way === 'rebase' ? 'HEAD' : 'the other side';
      expect(resolved.status).toBe(0);
      expect(resolved.out).toMatch(
        new RegExp(
          `^caution: the merge drops an edit: web 80/TCP of \\S+ does not have port 9000 of ${side}, but 8080$`,
          'm',
        ),
      );
      const json = await checkout.run('resolve', ...day, '-o', 'json');
      expect(JSON.parse(json.out).dropped).toHaveLength(1);
      if (way === 'cherry-pick') return;
      git(...end);
      const { status, out } = await checkout.run('check', '--base', 'main');
      expect(status).toBe(0);
      const plan = JSON.parse((await checkout.run('plan', '--base', 'main', '-o', 'json')).out);
      const found = plan.cautions.filter(({ code }: { code: string }) => code === 'EDIT_DROPPED');
      // After a rebase the commit itself shows that it takes the edit back.
      expect(found).toHaveLength(way === 'merge' ? 1 : 0);
      if (way === 'merge') {
        expect(found[0].message).toMatch(/does not have port 9000 of the base, but 8080$/);
        expect(out).toContain(`caution: ${found[0].message}\n`);
      }
    },
  );
});

describe('an edit of a Service', () => {
  const path = 'leases/shop/web.yaml';
  const written = (port: string, selector = 'web') => `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  type: LoadBalancer
  selector: { app: ${selector} }
  ports:
    - { name: p, port: 80 }
${port}`;
  const [q, r] = ['    - { name: q, port: 81 }\n', '    - { name: r, port: 82 }\n'];

  /** `main` and `change` have each added a port; the merge has both, with a selector. */
  async function joined(selector: string): Promise<string> {
    const checkout = await leaseCheckout({ 'leases/pools.yaml': pools, [path]: written('') });
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put(path, written(r));
    await checkout.synth('2026-01-10');
    git('checkout', '-q', 'main');
    checkout.put(path, written(q, 'new'));
    await checkout.synth('2026-01-10');
    git('checkout', '-q', 'change');
    expect(isDone('merge', '-q', '--no-edit', 'main')).toBe(false);
    checkout.put(path, written(`${q}${r}`, selector));
    git('add', path);
    const { status, out } = await checkout.run('resolve', ...day);
    expect(status).toBe(0);
    return out;
  }

  it('is kept when the other side adds another port', async () => {
    expect(await joined('new')).not.toContain('caution');
  });

  it('is told with the path of the field that is dropped', async () => {
    expect(await joined('web')).toMatch(
      /^caution: the merge drops an edit: web 80\/TCP of \S+ does not have spec.selector.app new of the other side, but web$/m,
    );
  });
});

describe('a dropped edit', () => {
  it('is no promise that a lease has taken over', async () => {
    const promise = `apiVersion: leasehold.dev/v1
kind: Promise
spec: { owner: ${accountOf('ann')}, endpoint: front, until: 2026-02-01 }
`;
    const checkout = await leaseCheckout({ 'leases/pools.yaml': pools });
    const { git } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    await checkout.synth('2026-01-10');
    git('checkout', '-q', 'main');
    checkout.put('leases/promise.yaml', promise);
    await checkout.synth('2026-01-10');
    git('checkout', '-q', 'change');
    checkout.repository.isDone('merge', '-q', '--no-edit', 'main');
    const resolved = await checkout.run('resolve', ...day);
    expect([resolved.status, resolved.out]).toEqual([0, expect.not.stringContaining('caution')]);
  });

  it('is told also when git has not asked', async () => {
    const checkout = await twoEdits('none');
    const { git } = checkout.repository;
    git('merge', '-q', '-s', 'ours', '--no-edit', 'main');
    const { out } = await checkout.run('check', '--base', 'main');
    expect(out).toContain('does not have port 9000 of the base');
  });

  it('is not told once a commit makes it again', async () => {
    const checkout = await twoEdits('none');
    checkout.repository.git('merge', '-q', '-s', 'ours', '--no-edit', 'main');
    checkout.put(file, lease(both));
    await checkout.synth('2026-01-11');
    expect((await checkout.run('check', '--base', 'main')).out).not.toContain('caution');
  });

  it('names leases that are gone or back, and lines of the pool file', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      'leases/ann.yaml': leaseText('ann', 1, [web]),
      'leases/bob.yaml': leaseText('bob', 2, [web]),
    });
    const { git } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.commit('2026-01-10');
    git('checkout', '-q', 'main');
    checkout.put('leases/ann.yaml', '');
    checkout.put('leases/cat.yaml', leaseText('cat', 3, [web]));
    checkout.edit('leases/pools.yaml', 'retentionDays: 1', 'retentionDays: 2');
    await checkout.synth('2026-01-10');
    git('checkout', '-q', 'change');
    git('merge', '-q', '-s', 'ours', '--no-edit', 'main');
    const { out, err } = await checkout.run('check', '--base', 'main');
    const told = `${out}${err}`;
    expect(told).toMatch(/web 80\/TCP of \S+, which the base has added, is not declared/);
    expect(told).toMatch(/web 80\/TCP of \S+ is still declared, and the base has removed it/);
    expect(told).toContain(
      "leases/pools.yaml lacks the line 'retentionDays: 2', which the base has added",
    );
  });
});

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

describe("git's own join of two edits", () => {
  it('is accepted by resolve, without a caution', async () => {
    const checkout = await twoEdits('none');
    const { git, isDone } = checkout.repository;
    isDone('merge', '-q', '--no-commit', 'main');
    expect(checkout.read(file)).toBe(lease(both));
    const { status, out } = await checkout.run('resolve', ...day);
    expect([status, out]).toEqual([0, expect.not.stringContaining('caution')]);
    git('commit', '-q', '--no-edit');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual([]);
  });

  it('is MERGE_BLENDED where one has put another lease into the file, until a comment says that it is meant', async () => {
    const checkout = await twoEdits('none');
    const { git, isDone } = checkout.repository;
    checkout.put(file, lease(ours).replace("dseq: '1'", "dseq: '2'"));
    await checkout.synth('2026-01-10', 'Another lease');
    isDone('merge', '-q', '--no-commit', 'main');
    const { out } = await checkout.run('resolve', ...day);
    expect(out).toMatch(/^leases\/hal\.yaml:10:7 MERGE_BLENDED /m);
    expect(out).toContain(
      'if both edits are meant, add a comment line (#) that says so to the file',
    );
    checkout.put(file, `# Both edits are meant.\n${checkout.read(file)}`);
    expect(await checkout.run('resolve', ...day)).toMatchObject({ status: 0 });
    git('add', '-A');
    git('commit', '-q', '--no-edit');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual([]);
  });

  it.each([
    ['rebase', ['rebase', '-q', 'main']],
    ['cherry-pick', ['cherry-pick', 'main']],
  ])('is accepted where a %s stops for another file', async (_, begin) => {
    const checkout = await twoEdits('none');
    const { git, isDone, on } = checkout.repository;
    for (const branch of ['main', 'change']) {
      git('checkout', '-q', branch);
      checkout.put('leases/pools.yaml', `${pools}    # ${branch}\n`);
      git('add', '-A');
      on('2026-01-10').git('commit', '-q', '--amend', '--no-edit');
    }
    expect(isDone(...begin)).toBe(false);
    checkout.put('leases/pools.yaml', pools);
    git('add', '-A');
    expect(await codesOf(checkout, 'resolve', ...day)).toEqual([]);
  });

  it.each([
    ['a forge into main', 'main', 'change', 'test@example.com'],
    ['GitHub into the branch', 'change', 'main', 'noreply@github.com'],
  ])('is accepted when made by %s, which reads no attributes', async (_, onto, merged, by) => {
    const checkout = await twoEdits('declarations unmerged');
    const { git } = checkout.repository;
    git('checkout', '-q', '--detach', onto);
    checkout.put('.git/info/attributes', 'leases/** merge\n');
    git('-c', `user.email=${by}`, 'merge', '-q', '--no-ff', '--no-edit', merged);
    checkout.put('.git/info/attributes', '');
    expect(checkout.read(file)).toBe(lease(both));
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual([]);
  });

  it('is accepted when an attribute makes git keep the lines of both', async () => {
    const checkout = await twoEdits('none', true);
    const { git } = checkout.repository;
    checkout.put('.gitattributes', 'leases/*.yaml merge=union\n');
    git('commit', '-q', '-a', '-m', 'union');
    git('merge', '-q', '--no-commit', 'main');
    checkout.put(file, lease(both, true));
    git('add', '-A');
    git('commit', '-q', '--no-edit');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual([]);
  });
});

it('says of a Service that gets another port only that port', async () => {
  const service = (...ports: string[]): string => `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  type: LoadBalancer
  selector: { app: web }
  ports:
${ports.map((port) => `    - ${port}\n`).join('')}`;
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools,
    'leases/web.yaml': service('{ name: p443, port: 443 }'),
    '.gitattributes': 'leases/** -merge\n',
    '.gitignore': '.leasehold/\n',
  });
  const { git, isDone } = checkout.repository;
  git('checkout', '-q', '-b', 'change');
  checkout.put('leases/web.yaml', service('{ name: p443, port: 443 }', '{ name: http, port: 80 }'));
  await checkout.synth('2026-01-10');
  git('checkout', '-q', 'main');
  checkout.put('leases/web.yaml', service('{ name: https, port: 8443 }'));
  await checkout.synth('2026-01-10');
  git('checkout', '-q', 'change');
  expect(isDone('merge', '-q', 'main')).toBe(false);
  const { out } = await checkout.run('resolve', ...day);
  expect(out).toContain('HEAD has added web 80/TCP');
});
