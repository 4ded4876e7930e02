import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { begin, pinned } from '../../support/repositories/checked-branches.ts';
import { type CrissCross, crissCross } from '../../support/repositories/criss-cross.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';

/** Merges main as the message says. */
function mergeAsTold({ repository }: CrissCross, message: string): void {
  const [, command = ''] = /on the branch, run `git (.+)` first\n$/.exec(message) ?? [];
  repository.on('2026-01-15').git(...command.split(' '), '-q', '--no-edit');
}

describe('a base that is one of several merge bases of target and head', () => {
  it.each([[['check']], [['plan']], [['report', '--out', 'page.html']]])(
    'is refused by %s',
    { tags: 'slow' },
    async (argv) => {
      const checkout = await crissCross();
      for (const given of [checkout.chosen, 'HEAD~1^1', checkout.rivals]) {
        expect(await checkout.run(...argv, '--base', given)).toEqual({
          status: 74,
          out: '',
          err: 'leasehold: main and head have several merge bases, because each has merged older commits of the other: on the branch, run `git merge main` first\n',
        });
      }
    },
  );

  it('is refused until main is merged, and then what it hid is found', async () => {
    const checkout = await crissCross();
    const base = () => checkout.repository.git('merge-base', 'main', 'change').trim();
    expect(base()).toBe(checkout.chosen);
    mergeAsTold(checkout, (await checkout.run('check', '--base', base())).err);
    const { status, out } = await checkout.run('check', '--base', base());
    expect([status, out]).toEqual([1, expect.stringContaining('203.0.113.9 is held by')]);
  });
});

/** A lease on the branch `change`, while main goes on; and the merge of both as `result`. */
async function behind(): Promise<LeaseCheckout> {
  const checkout = await begin();
  const { repository } = checkout;
  checkout.put('leases/dan.yaml', leaseText('dan', 5, [pinned(9)]));
  await checkout.synth('2026-01-14');
  checkout.commit('2026-01-14', 'More');
  repository.git('checkout', '-q', 'main');
  checkout.commit('2026-01-15', 'Meanwhile');
  repository.git('checkout', '-q', '-b', 'result');
  repository.on('2026-01-15').git('merge', '-q', '--no-edit', '--no-ff', 'change');
  return checkout;
}

describe('a base that is given as a commit', () => {
  it.each([
    ['the merge base of a branch that is behind', 'change', 'main~1'],
    ['the target of a merge', 'result', 'HEAD^1'],
    ['the head itself', 'result', 'HEAD'],
    ['an older commit of a target that is checked itself', 'main', 'HEAD~1'],
  ])('is taken without a word when it is %s', async (_, head, base) => {
    const checkout = await behind();
    checkout.repository.git('checkout', '-q', head);
    const given = checkout.idOf(base);
    expect(await checkout.run('check', '--base', given)).toMatchObject({ status: 0, err: '' });
  });

  it('is named when it is no merge base, except in a merge queue, whose target is on no branch', async () => {
    const checkout = await behind();
    checkout.repository.git('checkout', '-q', 'change');
    const base = checkout.idOf('HEAD~1');
    const argv = ['check', '--base', base];
    expect(await checkout.run(...argv)).toMatchObject({
      status: 0,
      err: `caution: the base ${base.slice(0, 12)} is not a known merge base of main and head: a merge into main can bring changes that are not checked here\n`,
    });
    for (const env of [
      { GITHUB_EVENT_NAME: 'merge_group' },
      { CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' },
    ]) {
      expect(await runInProcess(argv, checkout.root, env)).toMatchObject({ status: 0, err: '' });
    }
    checkout.repository.git('branch', '-q', '-D', 'main');
    expect(await checkout.run(...argv)).toMatchObject({ status: 0, err: '' });
  });
});

describe('a base that is given as a local branch', () => {
  it('is named when the remote has newer commits of it', async () => {
    const checkout = await behind();
    const { repository } = checkout;
    repository.git('checkout', '-q', 'change');
    const argv = ['check', '--base', 'main'];
    expect(await checkout.run(...argv)).toMatchObject({ status: 0, err: '' });
    repository.git('update-ref', 'refs/remotes/origin/main', checkout.idOf('main'));
    expect(await checkout.run(...argv)).toMatchObject({ status: 0, err: '' });
    repository.git('branch', '-q', '-f', 'main', 'main~1');
    expect(await checkout.run(...argv)).toMatchObject({
      status: 0,
      err: 'caution: main lacks commits of origin/main, which are not judged: compare with --base origin/main\n',
    });
    // Unpushed commits of main are no fault.
    repository.git('branch', '-q', '-f', 'main', 'result');
    repository.git('update-ref', 'refs/remotes/origin/main', checkout.idOf('result~1'));
    expect(await checkout.run(...argv)).toMatchObject({ status: 0, err: '' });
  });
});
