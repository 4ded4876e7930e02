import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { codesOf, pinned, pools } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** `ann` holds .1; the branch `change` is checked out. */
async function begin(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
  });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

describe('a head commit of a day ahead', () => {
  it('does not pass on its day, also when an attribute makes a fresh clone differ from it', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(5)]));
    checkout.put('leases/notes.sdl.yaml', 'version: "2.0"\r\n');
    await checkout.synth('2030-01-10');
    checkout.put('.gitattributes', '*.sdl.yaml text eol=lf\n');
    checkout.repository.git('add', '.gitattributes');
    checkout.repository.on('2030-01-10').git('commit', '-q', '-m', 'Line ends');
    utimesSync(join(checkout.root, 'leases/notes.sdl.yaml'), 1, 1);
    expect(checkout.repository.git('status', '--short')).toBe(' M leases/notes.sdl.yaml\n');
    expect(await codesOf(checkout, 'check', '--base', 'main')).toEqual(['DATE_AHEAD']);
    expect(await codesOf(checkout, 'check', '--base', 'main', '--head', 'HEAD')).toEqual([
      'DATE_AHEAD',
    ]);
  });
});

describe('two sides that have merged the past of each other', () => {
  it('are referred to a merge, after which a stolen address is found', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    const { git, on } = checkout.repository;
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(9)]));
    await checkout.synth('2026-01-06');
    git('checkout', '-q', 'main');
    checkout.put('NOTES.md', 'Nothing of ours.\n');
    checkout.commit('2026-01-07');
    git('checkout', '-q', '-b', 'eve');
    on('2026-01-07').git('merge', '-q', '--no-commit', 'change');
    checkout.put('leases/cat.yaml', '');
    checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(9)]));
    checkout.edit(recordOf('203.0.113.9'), accountOf('cat'), accountOf('eve'));
    git('rm', '-rqf', 'dist');
    await checkout.synth('2026-01-07', 'Merge');
    git('checkout', '-q', 'main');
    on('2026-01-08').git('merge', '-q', '--no-edit', 'change');
    for (const command of ['check', 'plan']) {
      const { status, out, err } = await checkout.run(command, '--base', 'main', '--head', 'eve');
      expect([status, out, err]).toEqual([
        74,
        '',
        expect.stringContaining('on the branch, run `git merge main` first'),
      ]);
    }
    git('checkout', '-q', 'eve');
    on('2026-01-08').git('merge', '-q', '--no-edit', 'main');
    expect(await codesOf(checkout, 'check')).toEqual([]);
    expect(await codesOf(checkout, 'check', '--base', 'main')).toContain('ALLOCATION_FORGED');
  });
});

describe('the history of git', () => {
  it('is read without writing its index', async () => {
    const checkout = await begin();
    utimesSync(join(checkout.root, 'leases/ann.yaml'), 1, 1);
    const index = join(checkout.root, '.git/index');
    const before = [readFileSync(index).toString('hex'), statSync(index).mtimeMs];
    await checkout.run('check', '--base', 'main');
    await checkout.run('plan', '--base', 'main');
    expect([readFileSync(index).toString('hex'), statSync(index).mtimeMs]).toEqual(before);
  });

  it('is read from the commits themselves, not from replace refs', async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(9)]));
    await checkout.synth('2026-01-10');
    const plan = () => checkout.run('plan', '--base', 'main', '--head', 'change', '-o', 'json');
    const before = await plan();
    checkout.repository.git('replace', '--graft', 'change');
    expect(await plan()).toEqual(before);
  });

  it.each([
    ['a negated ref', '^main', "git knows no commit '^main'"],
    ['a commit after the last valid day', 'far', 'has no readable date'],
  ])('is refused in one sentence for %s', async (_, ref, sentence) => {
    const checkout = await begin();
    const text = `tree ${checkout.idOf('HEAD^{tree}')}\nparent ${checkout.idOf('main')}\nauthor A <a> 99999999999999 +0000\ncommitter A <a> 99999999999999 +0000\n\nFar\n`;
    const command = ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'];
    const options = { cwd: checkout.root, input: text, encoding: 'utf8' } as const;
    checkout.repository.git('branch', 'far', spawnSync('git', command, options).stdout.trim());
    for (const option of ['--base=main --head', '--base']) {
      const { status, err } = await checkout.run('check', ...`${option}=${ref}`.split(' '));
      expect([status, err]).toEqual([74, expect.stringContaining(sentence)]);
    }
  });
});
