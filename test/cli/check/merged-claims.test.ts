import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { codesOf } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, leaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = providerPoolsText(`pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28]
    retentionDays: 1
`);

/** What git needs to take one file for another under a new name: most of it alike. */
function site(owner: string, dseq: number, port: number): string {
  return leaseText(owner, dseq, [
    { name: 'front', service: 'web', port, externalPort: 80 },
    { name: 'front', service: 'admin', port: 9100, externalPort: 9100 },
    { name: 'front', service: 'metrics', port: 9200, externalPort: 9200 },
  ]);
}

/**
 * `main` changes a port of `hal`, while `change` ends the lease of `hal` and begins a similar one of
 * `heir`: git takes that for a rename, and puts the port of the one into the file of the other.
 */
function twoSides(): Promise<LeaseCheckout> {
  return remade('two sides', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      'leases/hal/1.yaml': site('hal', 1, 8080),
    });
    const { git } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put('leases/hal/1.yaml', '');
    checkout.put('leases/heir/2.yaml', site('heir', 2, 8080));
    await checkout.synth('2026-01-10', 'Hal ends, heir begins');
    git('checkout', '-q', 'main');
    checkout.put('leases/hal/1.yaml', site('hal', 1, 9000));
    await checkout.synth('2026-01-10', 'Another port for hal');
    return checkout;
  });
}

/** Takes what git makes of the conflicts in generated files, as a person does with resolve. */
async function settle(checkout: LeaseCheckout, from: string): Promise<void> {
  const { git } = checkout.repository;
  git('checkout', from, '--', 'leases/allocations', 'dist');
  git('add', '-A');
  await checkout.run('synth', '--today', '2026-01-11');
  git('add', '-A');
}

/** The branch `change` of {@link twoSides} after a merge of `main`. */
async function mergedBranch(): Promise<LeaseCheckout> {
  const checkout = await twoSides();
  const { git, isDone, on } = checkout.repository;
  git('checkout', '-q', 'change');
  if (!isDone('merge', '-q', '--no-edit', 'main')) {
    await settle(checkout, 'main');
    on('2026-01-11').git('commit', '-q', '--no-edit');
  }
  return checkout;
}

/** A promise in a file that is long enough for git to see the one of `heir` as that of `hal`, renamed. */
function promised(owner: string, until: string): string {
  const terms = 'zone: inet\n  pool: default\n  ipFamily: ipv4\n  cluster: default';
  return `apiVersion: leasehold.dev/v1
kind: Promise
# Promised on the phone. The tenant publishes the address in DNS before the first deployment, so it
# has to be known a few days ahead, and must stay the same when the lease comes.
spec:
  owner: ${accountOf(owner)}
  ${terms}
  endpoint: front
  until: ${until}
`;
}

it('a promise that a merge made up is MERGE_BLENDED', { tags: 'slow' }, async () => {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools,
    'leases/hal/promise.yaml': promised('hal', '2026-01-20'),
  });
  const { git, isDone } = checkout.repository;
  git('checkout', '-q', '-b', 'change');
  checkout.put('leases/hal/promise.yaml', '');
  checkout.put('leases/heir/promise.yaml', promised('heir', '2026-01-20'));
  await checkout.synth('2026-01-10', 'The promise of hal ends, that of heir begins');
  git('checkout', '-q', 'main');
  checkout.put('leases/hal/promise.yaml', promised('hal', '2026-01-30'));
  await checkout.synth('2026-01-10', 'hal has more time');
  git('checkout', '-q', 'change');
  if (!isDone('merge', '-q', '--no-commit', 'main')) await settle(checkout, 'main');
  checkout.commit('2026-01-11', 'Merge');
  expect(checkout.read('leases/heir/promise.yaml')).toContain('2026-01-30');
  expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual(['MERGE_BLENDED']);
});

describe('a claim that a merge made up', () => {
  it('is MERGE_BLENDED in the merge commit, and check alone does not see it', {
    tags: 'slow',
  }, async () => {
    const checkout = await twoSides();
    const { git, isDone } = checkout.repository;
    if (!isDone('merge', '-q', '--no-edit', 'change')) {
      await settle(checkout, 'main');
      checkout.repository.on('2026-01-11').git('commit', '-q', '--no-edit');
    }
    expect(checkout.read('leases/heir/2.yaml')).toContain('9000');
    expect(await codesOf(checkout, 'check')).toEqual([]);
    expect(await codesOf(checkout, 'check', '--base', 'main~1')).toEqual(['MERGE_BLENDED']);
    git('branch', '-f', 'merged');
    expect(await codesOf(checkout, 'check', '--base', 'main~1', '--head', 'merged')).toEqual([
      'MERGE_BLENDED',
    ]);
  });

  it('is MERGE_BLENDED too when the branch takes in main, and later commits do not touch it', {
    tags: 'slow',
  }, async () => {
    const checkout = await mergedBranch();
    checkout.put('leases/new.yaml', site('new', 3, 7000));
    await checkout.synth('2026-01-11');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual(['MERGE_BLENDED']);
  });

  it('is accepted once a commit of its own declares it', { tags: 'slow' }, async () => {
    const checkout = await mergedBranch();
    checkout.put('leases/heir/2.yaml', `# Port 9000 is meant.\n${site('heir', 2, 9000)}`);
    await checkout.synth('2026-01-11');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual([]);
  });

  it('is accepted when git stopped in the file: a person has joined the edits', {
    tags: 'slow',
  }, async () => {
    const file = 'leases/hal.yaml';
    const front = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      [file]: leaseText('hal', 1, [front]),
    });
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put(file, leaseText('hal', 1, [{ ...front, externalPort: 81 }]));
    await checkout.synth('2026-01-10', 'Another external port');
    git('checkout', '-q', 'main');
    checkout.put(file, leaseText('hal', 1, [{ ...front, port: 9000 }]));
    await checkout.synth('2026-01-10', 'Another port');
    git('checkout', '-q', 'change');
    const options = ['-q', '--no-commit', '-X', 'find-renames=100%'];
    expect(isDone('merge', ...options, 'main')).toBe(false);
    checkout.put(file, leaseText('hal', 1, [{ ...front, port: 9000, externalPort: 81 }]));
    await settle(checkout, 'main');
    checkout.commit('2026-01-11', 'Merge');
    const { status, out } = await checkout.run('check', '--base', 'main');
    expect(status).toBe(0);
    expect(out).not.toContain('caution');
  });

  it.each<[string, (checkout: LeaseCheckout) => void, (checkout: LeaseCheckout) => void]>([
    [
      'the pool file of the merge itself cannot be read',
      (checkout) => checkout.put('leases/pools.yaml', 'x: ['),
      (checkout) => checkout.put('leases/pools.yaml', pools),
    ],
    [
      'the file goes to another path afterwards',
      () => {},
      ({ repository }) => repository.git('mv', 'leases/heir/2.yaml', 'leases/heir/9.yaml'),
    ],
  ])('is MERGE_BLENDED also when %s', async (_, spoil, afterwards) => {
    const checkout = await twoSides();
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', 'change');
    if (!isDone('merge', '-q', '--no-commit', 'main')) await settle(checkout, 'main');
    spoil(checkout);
    checkout.commit('2026-01-11', 'Merge');
    afterwards(checkout);
    checkout.commit('2026-01-11');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual(['MERGE_BLENDED']);
  });

  it.each(['squash', 'rebase'])(
    'is MERGE_BLENDED after a %s that names the merged branch',
    async (way) => {
      const checkout = await twoSides();
      const { git, isDone } = checkout.repository;
      if (way === 'squash') {
        if (!isDone('merge', '-q', '--squash', 'change')) await settle(checkout, 'main');
        checkout.repository.on('2026-01-11').git('commit', '-q', '-m', 'Squashed');
      } else {
        git('checkout', '-q', '-b', 'rebased', 'change');
        if (!isDone('rebase', '-q', 'main')) {
          await settle(checkout, 'main');
          checkout.repository
            .on('2026-01-11')
            .git('-c', 'core.editor=true', 'rebase', '--continue');
        }
      }
      expect(await codesOf(checkout, 'check')).toEqual([]);
      const base = way === 'squash' ? 'main~1' : 'main';
      expect(await codesOf(checkout, 'check', '--base', base, '--merged', 'change')).toEqual([
        'MERGE_BLENDED',
      ]);
    },
  );

  it.each([
    ['a look for exact renames only', ['-X', 'find-renames=100%']],
    ['the recursive strategy without renames', ['-s', 'recursive', '-X', 'no-renames']],
  ])('does not come with %s', async (_, options) => {
    const checkout = await twoSides();
    const { isDone } = checkout.repository;
    isDone('merge', '-q', '--no-edit', ...options, 'change');
    expect(checkout.read('leases/heir/2.yaml')).toContain('8080');
  });
});

describe('a clean merge of two sides', () => {
  it('is accepted, whichever of them is the base', { tags: 'slow' }, async () => {
    const checkout = await leaseCheckout({ 'leases/pools.yaml': pools });
    const { git } = checkout.repository;
    for (const [index, name] of ['left', 'right'].entries()) {
      git('checkout', '-q', '-b', name, 'main');
      const address = `203.0.113.${index + 3}`;
      const web = { name: 'front', service: 'web', port: 80, address };
      checkout.put(`leases/${name}.yaml`, leaseText(name, index + 1, [web]));
      await checkout.synth('2026-01-10');
    }
    git('merge', '-q', '--no-edit', 'left');
    for (const base of ['main', 'left', 'HEAD~1', 'HEAD^2']) {
      expect(await codesOf(checkout, 'check', '--base', base)).toEqual([]);
    }
  });
});

/** A lease in block style: git can join an edit of its number or retention and one of its port. */
function blockLease(dseq: number, port: number, days = 3): string {
  const head = leaseText('hal', dseq, []);
  const lines = ['name: front', `retentionDays: ${days}`, '# The site', '# of hal'];
  const more = ['service: web', 'externalPort: 80', `port: ${port}`];
  return `${head}    - ${[...lines, ...more].join('\n      ')}\n`;
}

/** `main` changes the port of a lease, `change` puts another lease into the file. Git joins both without a conflict. */
function twoEdits(): Promise<LeaseCheckout> {
  return remade('two edits', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      'leases/hal.yaml': blockLease(1, 8080),
    });
    const { git } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put('leases/hal.yaml', blockLease(2, 8080));
    await checkout.synth('2026-01-10', 'Another lease');
    git('checkout', '-q', 'main');
    checkout.put('leases/hal.yaml', blockLease(1, 9000));
    await checkout.synth('2026-01-10', 'Another port');
    return checkout;
  });
}

/** The commit that a forge checks: the branch `change` merged, or squashed, into `main`. */
function forgeMerge(checkout: LeaseCheckout, way: 'merge' | 'squash'): void {
  const { git, on } = checkout.repository;
  git('checkout', '-q', '--detach', 'main');
  if (way === 'merge') on('2026-01-11').git('merge', '-q', '--no-ff', '--no-edit', 'change');
  else {
    git('merge', '-q', '--squash', 'change');
    on('2026-01-11').git('commit', '-q', '-m', 'Squashed');
  }
}

describe('an edit of one lease that a forge joins with another lease in its file', () => {
  it.each([
    ['merge', []],
    ['squash', ['--merged', 'change']],
  ] as const)(
    'by a %s is named, and is accepted as the hint says',
    {
      tags: 'slow',
    },
    async (way, options) => {
      const checkout = await twoEdits();
      const { git, on } = checkout.repository;
      forgeMerge(checkout, way);
      expect(checkout.read('leases/hal.yaml')).toBe(blockLease(2, 9000));
      const { out } = await checkout.run('check', '--base', 'main', '--head', 'HEAD', ...options);
      const branch = checkout.idOf('change').slice(0, 12);
      expect(out).toContain(
        `in a form that neither of its sides declares: lease 2/1/1 of ${branch}, port 9000 of the base\n`,
      );
      const command = 'git merge main -X find-renames=100%';
      expect(out).toContain(
        `hint: on the branch, run \`${command}\`; if that joins the edits too, change the file in a later commit: take it from one side or, if both edits are meant, add a comment line (#)`,
      );
      git('checkout', '-q', 'change');
      on('2026-01-11').git(...command.split(' ').slice(1), '-q', '--no-edit');
      expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual(['MERGE_BLENDED']);
      checkout.put('leases/hal.yaml', `# Both edits are meant.\n${blockLease(2, 9000)}`);
      checkout.commit('2026-01-11', 'Both edits are meant');
      expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual([]);
      forgeMerge(checkout, way);
      const words = ['--base', 'main', '--head', 'HEAD', ...options];
      expect(await codesOf(checkout, 'check', ...words)).toEqual([]);
    },
  );

  it('is not confirmed by a commit of the branch that lacks the other edit', {
    tags: 'slow',
  }, async () => {
    const checkout = await twoEdits();
    checkout.repository.git('checkout', '-q', 'change');
    checkout.put('leases/hal.yaml', `# Both edits are meant.\n${blockLease(2, 8080)}`);
    checkout.commit('2026-01-11', 'A comment');
    forgeMerge(checkout, 'merge');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual(['MERGE_BLENDED']);
  });
});

it.each([
  ['merge', []],
  ['squash', ['--merged', 'change']],
] as const)(
  'two edits of one lease are accepted where a forge joins them by a %s',
  {
    tags: 'slow',
  },
  async (way, options) => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools,
      'leases/hal.yaml': blockLease(1, 8080, 3),
    });
    const { git } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put('leases/hal.yaml', blockLease(1, 8080, 30));
    await checkout.synth('2026-01-10', 'A longer retention');
    git('checkout', '-q', 'main');
    checkout.put('leases/hal.yaml', blockLease(1, 9000, 3));
    await checkout.synth('2026-01-10', 'Another port');
    forgeMerge(checkout, way);
    expect(checkout.read('leases/hal.yaml')).toBe(blockLease(1, 9000, 30));
    expect(
      await codesOf(checkout, 'check', '--base', 'main', '--head', 'HEAD', ...options),
    ).toEqual([]);
  },
);

it('an edit in the file of another tenant is named', { tags: 'slow' }, async () => {
  const checkout = await twoSides();
  const { git, isDone } = checkout.repository;
  git('checkout', '-q', '--detach', 'main');
  if (!isDone('merge', '-q', '--no-edit', 'change')) {
    await settle(checkout, 'main');
    checkout.repository.on('2026-01-11').git('commit', '-q', '--no-edit');
  }
  const { out } = await checkout.run('check', '--base', 'main');
  const branch = checkout.idOf('change').slice(0, 12);
  expect(out).toContain(`neither of its sides declares: port 9000, but 8080 in ${branch}\n`);
});
