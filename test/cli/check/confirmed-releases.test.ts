// @module-tag slow
import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { remade, remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { found, pools, web } from '../../support/repositories/checked-branches.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const day = '2026-01-10';

/** Nine leases on main. */
function begin(): Promise<LeaseCheckout> {
  const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
  return remadeCheckout({
    'leases/pools.yaml': pools,
    ...Object.fromEntries(
      numbers.map((number) => [`leases/l${number}.yaml`, leaseText(`l${number}`, number, [web])]),
    ),
  });
}

/** Ends these leases on a new branch, in one run for each list. */
async function ends(
  checkout: LeaseCheckout,
  branch: string,
  ...runs: readonly (readonly [leases: readonly number[], ...options: readonly string[]])[]
): Promise<void> {
  checkout.repository.git('checkout', '-q', '-b', branch, 'main');
  for (const [leases, ...options] of runs) {
    for (const number of leases) checkout.put(`leases/l${number}.yaml`, '');
    checkout.repository.git('add', '-A');
    const run = await checkout.run('synth', '--today', day, ...options);
    expect([run.status, run.out]).toEqual([0, expect.stringContaining('released')]);
    checkout.commit(day, `${leases.length} leases end`);
  }
}

/** Four of nine leases end on the branch `change`, in a run of two and one that confirms all four. */
function confirmed(): Promise<LeaseCheckout> {
  return remade('four confirmed', async () => {
    const checkout = await begin();
    await ends(checkout, 'change', [[1, 2]], [[3, 4], '--allow-release', '4']);
    return checkout;
  });
}

/** The same with one lease that ended on main meanwhile. */
function behind(): Promise<LeaseCheckout> {
  return remade('four confirmed, and main', async () => {
    const checkout = await confirmed();
    await ends(checkout, 'other', [[9]]);
    checkout.repository.git('checkout', '-q', 'main');
    merged(checkout, 'other', 'Another one');
    return checkout;
  });
}

function merged({ repository }: LeaseCheckout, branch: string, message: string): void {
  repository.on('2026-01-11').git('merge', '-q', '--no-ff', '-m', message, branch);
}

function squashed({ repository }: LeaseCheckout, branch: string, message: string): void {
  repository.git('merge', '-q', '--squash', branch);
  repository.on('2026-01-11').git('commit', '-q', '-m', message);
}

function rebased({ repository }: LeaseCheckout, branch: string): void {
  repository.on('2026-01-11').git('cherry-pick', `main@{0}..${branch}`);
}

/** Runs the command that the hint of MASS_RELEASE names, and commits what it writes. */
async function confirms(checkout: LeaseCheckout, base: string): Promise<void> {
  const { out } = await checkout.run('check', '--base', base);
  const [, command = ''] = /run `leasehold (.*)`, and commit/.exec(out) ?? [];
  expect(command).toMatch(/^synth --base (main|[0-9a-f]{12}) --allow-release 4$/);
  const run = await checkout.run(...command.split(' '), '--today', '2026-01-11');
  expect(run).toMatchObject({ status: 0 });
  checkout.commit('2026-01-11');
}

const squash = merging(squashed);
const merge = merging(merged);

function merging(how: typeof merged) {
  return (message: string) => (checkout: LeaseCheckout) => how(checkout, 'change', message);
}

// What forges write, by their documentation: GitHub's "About pull request merges" and "Configuring commit squashing",
// GitLab's "Commit message templates" (the squash template is %{title} alone), Gitea's and Forgejo's "Merge message templates".
const ways: readonly [string, (checkout: LeaseCheckout) => void][] = [
  ['a merge commit of GitHub', merge('Merge pull request #12 from team/change\n\nFour leases end')],
  ['a squash of GitHub with its title only', squash('Four leases end (#12)')],
  [
    'a squash of GitHub with the messages of the commits',
    squash(
      'Four leases end (#12)\n\n* 2 leases end\n\n* 2 leases end\n\n---------\n\nCo-authored-by: Jane Doe <jane@example.com>',
    ),
  ],
  ['a rebase of GitHub', (checkout) => rebased(checkout, 'change')],
  [
    'a merge commit of GitLab',
    merge(
      "Merge branch 'change' into 'main'\n\nFour leases end\n\nSee merge request team/leases!12",
    ),
  ],
  ['a squash of GitLab, fast-forwarded', squash('Four leases end')],
  [
    'a squash of GitLab with a merge commit',
    (checkout) => {
      const { git } = checkout.repository;
      git('checkout', '-q', '-b', 'squashed', 'change~2');
      squashed(checkout, 'change', 'Four leases end');
      git('checkout', '-q', 'main');
      merged(
        checkout,
        'squashed',
        "Merge branch 'change' into 'main'\n\nFour leases end\n\nSee merge request team/leases!12",
      );
    },
  ],
  [
    'a merge commit of Gitea or Forgejo',
    merge(
      "Merge pull request 'Four leases end' (#12) from change into main\n\nReviewed-on: https://git.example.com/team/leases/pulls/12",
    ),
  ],
  [
    'a squash of Gitea or Forgejo',
    squash(
      'Four leases end (#12)\n\nReviewed-on: https://git.example.com/team/leases/pulls/12\nCo-authored-by: Jane Doe <jane@example.com>\nCo-committed-by: Jane Doe <jane@example.com>',
    ),
  ],
  [
    'a rebase of Gitea with a merge commit',
    (checkout) => {
      checkout.repository.git('checkout', '-q', '-b', 'staging', 'main');
      rebased(checkout, 'change');
      checkout.repository.git('checkout', '-q', 'main');
      merged(
        checkout,
        'staging',
        "Merge pull request 'Four leases end' (#12) from change into main",
      );
    },
  ],
];

describe('what was confirmed on a pull request is confirmed on its target', () => {
  it('passes on the branch, and no message says the number', async () => {
    const checkout = await confirmed();
    expect(await found(checkout)).toEqual([]);
    expect(checkout.repository.git('log', '--format=%B', 'main..')).not.toContain('Allow-Release');
    expect(checkout.repository.git('diff', 'main..', '--', 'leases/allocations')).toContain(
      '+  confirmed: true',
    );
  });

  it.each(ways)('after %s', async (_, land) => {
    const checkout = await behind();
    const base = checkout.idOf('main');
    land(checkout);
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout, '--base', base, '--head', 'HEAD')).toEqual([]);
  });

  it('after a fast-forward', async () => {
    const checkout = await confirmed();
    const base = checkout.idOf('main');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.repository.git('merge', '-q', '--ff-only', 'change');
    expect(await found(checkout, '--base', base)).toEqual([]);
  });

  it('in a merge queue that squashes, behind another pull request', async () => {
    const checkout = await behind();
    checkout.repository.git('checkout', '-q', '-b', 'gh-readonly-queue/main/pr-12', 'main');
    squashed(checkout, 'change', 'Four leases end (#12)');
    expect(await found(checkout)).toEqual([]);
  });
});

describe('pull requests with few releases each', () => {
  it('are judged one by one in a merge train, and by what main holds then', async () => {
    const checkout = await begin();
    await ends(checkout, 'first', [[1, 2, 3]]);
    await ends(checkout, 'second', [[4, 5, 6]]);
    checkout.repository.git('checkout', '-q', '--detach', 'main');
    merged(checkout, 'first', "Merge branch 'first' into 'main'");
    merged(checkout, 'second', "Merge branch 'second' into 'main'");
    expect(await found(checkout, '--head', 'HEAD')).toEqual([]);
    // A pull request of both releases six.
    checkout.repository.git('checkout', '-q', '-b', 'both', 'main');
    squashed(checkout, 'first', 'First');
    squashed(checkout, 'second', 'Second');
    expect(await found(checkout)).toEqual([expect.stringMatching(/^MASS_RELEASE /)]);
  });
});

describe('a confirmation', () => {
  it('of four does not cover eight, at synth and at check', async () => {
    const checkout = await confirmed();
    for (const number of [5, 6, 7, 8]) checkout.put(`leases/l${number}.yaml`, '');
    checkout.repository.git('add', '-A');
    for (const options of [[], ['--allow-release', '8'], ['--allow-release', '3']]) {
      const { status, out } = await checkout.run('synth', '--today', day, ...options);
      expect([status, out]).toEqual([1, expect.stringContaining('--allow-release 4`\n')]);
    }
    for (const number of [7, 8])
      checkout.repository.git('checkout', '-q', 'main', '--', `leases/l${number}.yaml`);
    await checkout.forge(day);
    for (const number of [7, 8]) checkout.put(`leases/l${number}.yaml`, '');
    await checkout.forge(day);
    expect(await found(checkout)).toEqual([expect.stringMatching(/^MASS_RELEASE /)]);
    await confirms(checkout, 'main');
    expect(await found(checkout)).toEqual([]);
  });

  it('stays when a later run records the release anew, and goes with the release', async () => {
    const checkout = await confirmed();
    checkout.repository.git('checkout', '-q', 'main');
    checkout.commit('2026-01-20', 'Meanwhile');
    checkout.repository.git('checkout', '-q', 'change');
    await checkout.synth('2026-01-20');
    const released = checkout.repository.git('grep', '-A2', 'on: 2026-01-20', '--', 'leases');
    expect(released.match(/confirmed: true/g)).toHaveLength(4);
    checkout.repository.git('checkout', '-q', 'main', '--', 'leases/l1.yaml');
    await checkout.synth('2026-01-20');
    expect(checkout.repository.git('grep', 'confirmed', '--', 'leases').split('\n')).toHaveLength(
      4,
    );
  });

  it('in a commit message counts as before, and its loss in a squash has a way out', async () => {
    const checkout = await begin();
    const base = checkout.idOf('main');
    await ends(checkout, 'change', [[1, 2], '--no-base'], [[3, 4], '--no-base']);
    expect(await found(checkout)).toHaveLength(1);
    checkout.commit(day, 'Meant\n\nLeasehold-Allow-Release: 4');
    expect(await found(checkout)).toEqual([]);
    checkout.repository.git('checkout', '-q', 'main');
    squashed(checkout, 'change', 'Four leases end (#12)');
    expect(await found(checkout, '--base', base, '--merged', 'change')).toEqual([]);
    // As a pull request of its own.
    checkout.repository.git('checkout', '-q', '-b', 'repair');
    await confirms(checkout, base);
    expect(await found(checkout)).toEqual([]);
    await checkout.synth('2026-01-12');
    expect(await found(checkout, '--base', base)).toEqual([]);
  });
});
