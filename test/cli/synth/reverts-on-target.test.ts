// @module-tag slow
import { describe, expect, it } from 'vitest';
import { accountOf, type EndpointText, leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import {
  type LeaseCheckout,
  leaseCheckout,
  recordOf,
} from '../../support/repositories/lease-checkout.ts';
import { inScope } from '../../support/run/scope.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';
import { type FileTexts, filesBelow } from '../../support/trees/tree-bytes.ts';

const pools = providerPoolsText(`pools:
  - { name: default, zone: inet, addresses: [203.0.113.0/28], strategy: lowest, retentionDays: 5 }
`);
const web = { name: 'front', service: 'web', port: 8080, externalPort: 80, retentionDays: 9 };
const live = recordOf('203.0.113.2');
const day = ['--today', '2026-01-11'];

/** `main`, into which a merge has brought the lease of `cat`, who holds .2 beside `ann`, who holds .1. */
function merged(): Promise<LeaseCheckout> {
  return remade('merged', async () => {
    const checkout = await leaseCheckout({
      '.gitignore': '.leasehold/\n',
      'leases/pools.yaml': pools,
      'leases/ann.yaml': leaseText('ann', 1, [web]),
      'leases/old.yaml': leaseText('old', 9, [web]),
    });
    const { git, on } = checkout.repository;
    git('checkout', '-q', '-b', 'change');
    checkout.put('leases/cat.yaml', leaseText('cat', 2, [{ ...web, address: '203.0.113.2' }]));
    await checkout.synth('2026-01-10', 'cat');
    git('checkout', '-q', 'main');
    on('2026-01-10').git('merge', '-q', '--no-ff', '--no-edit', 'change');
    return checkout;
  });
}

/** What a usual run leaves to a full one: it differs from another case by the words alone, or is a part of one. */
const isRare = new Set([
  'git revert --no-commit, of what is pushed',
  'git restore of both folders',
  'git merge --no-commit of a reverting branch',
  'lease twice',
  'lease and drop',
  'move',
  'retain shorter',
]);
const isUsual = ([name]: readonly [name: string, ...more: unknown[]]) => !isRare.has(name);

/** What reverts the merge in the working tree or in commits that are not pushed. */
const reverts: readonly (readonly [
  name: string,
  commands: readonly string[],
  isPushed: boolean,
])[] = [
  ['git revert --no-commit', ['revert --no-commit -m 1 HEAD'], false],
  ['git revert --no-commit, of what is pushed', ['revert --no-commit -m 1 HEAD'], true],
  ['git revert, of what is pushed', ['revert --no-edit -m 1 HEAD'], true],
  ['git restore of both folders', ['restore -s HEAD~1 --staged --worktree leases dist'], false],
  ['git restore of the declarations', ['restore -s HEAD~1 --staged --worktree leases'], false],
  ['git read-tree', ['read-tree -u --reset HEAD~1'], true],
  ['git rm of the files', [`rm -q leases/cat.yaml ${live}`], false],
  [
    'git merge --squash of a reverting branch',
    [
      'checkout -q -b undo',
      'revert --no-edit -m 1 HEAD',
      'checkout -q main',
      'merge -q --squash undo',
    ],
    false,
  ],
  [
    'git merge --no-commit of a reverting branch',
    [
      'checkout -q -b undo',
      'revert --no-edit -m 1 HEAD',
      'checkout -q main',
      'merge -q --no-ff --no-commit undo',
    ],
    true,
  ],
  [
    'git cherry-pick --no-commit of a revert',
    [
      'revert --no-edit -m 1 HEAD',
      'branch undo',
      'reset -q --hard HEAD~1',
      'cherry-pick --no-commit undo',
    ],
    true,
  ],
];

function push({ repository: { git } }: LeaseCheckout): void {
  const origin = tempTree();
  git('init', '-q', '--bare', '-b', 'main', origin);
  git('remote', 'add', 'origin', origin);
  git('push', '-q', '-u', 'origin', 'main');
}

describe('on the target itself, the record of a live address outlives', () => {
  it.each(inScope(reverts, isUsual))('%s', async (_, commands, isPushed) => {
    const checkout = await merged();
    const { git, on } = checkout.repository;
    if (isPushed) push(checkout);
    for (const command of commands) on('2026-01-11').git(...command.split(' '));
    expect(await checkout.run('synth', ...day)).toMatchObject({ status: 0 });
    expect(checkout.read(live)).toContain('released:\n  on: 2026-01-11\n  freeFrom: 2026-01-20\n');
    git('add', '-A');
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
    const base = isPushed ? 'origin/main' : 'HEAD';
    checkout.commit('2026-01-11');
    const words = ['--base', base === 'HEAD' ? 'HEAD~1' : base, ...day];
    expect(await checkout.run('check', ...words)).toMatchObject({ status: 0 });
  });

  it('a revert before another tenant leases', async () => {
    const checkout = await merged();
    checkout.repository.git('revert', '--no-commit', '-m', '1', 'HEAD');
    checkout.put('leases/eve.yaml', leaseText('eve', 3, [web]));
    await checkout.synth('2026-01-11');
    expect(checkout.read(live)).toContain('released:');
  });
});

const holder = `default/akash/${accountOf('ann')}-ip-front`;
const lease = (owner: string, more: Partial<EndpointText> = {}) =>
  `put leases/${owner}.yaml ${leaseText(owner, 5, [{ ...web, ...more }])}`;

/** What people do on `main`: runs of leasehold, edits, and commits that are not pushed. */
const honest: readonly (readonly [name: string, ...steps: readonly string[]])[] = [
  ['lease twice', lease('bob'), 'synth', lease('eve'), 'synth', 'commit', 'synth'],
  ['lease and drop', lease('bob'), 'synth', 'rm leases/bob.yaml', 'synth'],
  ['release', `release ${holder}`, 'synth', lease('bob'), 'synth', 'commit', 'synth'],
  [
    'end a lease',
    'git rm -q leases/ann.yaml',
    'synth',
    'git add -A',
    'synth',
    lease('bob'),
    'synth',
  ],
  ['move', `move ${holder}`, 'synth', lease('bob'), 'synth', 'commit'],
  ['move and release', `move ${holder}`, 'commit', `release ${holder}`, 'synth'],
  ['retain longer', lease('ann', { retentionDays: 20 }), 'synth', 'synth', 'commit'],
  ['retain shorter', lease('cat', { retentionDays: 2 }), 'synth', 'synth', 'commit', 'synth'],
  [
    'amend',
    lease('bob'),
    'synth',
    'commit',
    'git rm -q leases/bob.yaml',
    'synth',
    'amend',
    'synth',
  ],
  [
    'prune',
    `release ${holder}`,
    'commit',
    'prune --today 2026-02-20',
    lease('bob'),
    'synth --today 2026-02-20',
    'commit',
  ],
];

/** Does one step, with these options for a run of leasehold. */
async function done(checkout: LeaseCheckout, step: string, options: readonly string[]) {
  const { git, on } = checkout.repository;
  const [command = '', ...words] = step.split(' ');
  const byHand: Readonly<Record<string, () => unknown>> = {
    put: () => checkout.put(words[0] ?? '', words.slice(1).join(' ')),
    rm: () => checkout.put(words[0] ?? '', ''),
    git: () => git(...words),
    commit: () => checkout.commit('2026-01-11'),
    amend: () => on('2026-01-11').git('commit', '-q', '-a', '--amend', '--no-edit'),
  };
  if (byHand[command]) byHand[command]();
  else {
    const days = words.includes('--today') ? ['--allow-date-ahead'] : day;
    expect(await checkout.run(command, ...words, ...days, ...options)).toMatchObject({ status: 0 });
  }
}

it.each(inScope(honest, isUsual))(
  'on the target, honest people write what they did: %s',
  async (_, ...steps) => {
    const texts: FileTexts[] = [];
    for (const options of [[], ['--no-base']]) {
      const checkout = await merged();
      for (const step of steps) await done(checkout, step, options);
      texts.push(filesBelow(checkout.root, ['leases', 'dist']));
      expect(await checkout.run('check')).toMatchObject({ status: 0 });
    }
    expect(texts[0]).toEqual(texts[1]);
  },
);
