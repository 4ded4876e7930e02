import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EndpointText, leaseText } from '../../support/declarations/lease-text.ts';
import { begin, found, mended, pinned, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** `cat` gets .4 on the branch; main never has it. */
async function opened(): Promise<LeaseCheckout> {
  const checkout = await begin();
  declare(checkout, pinned(4));
  await checkout.synth('2026-01-10');
  return checkout;
}

function declare(checkout: LeaseCheckout, endpoint: EndpointText, owner = 'cat'): void {
  checkout.put('leases/cat.yaml', leaseText(owner, 4, [endpoint]));
}

/** The addresses of which the working tree records something else than main, by their last byte. */
function recorded({ repository }: LeaseCheckout): readonly string[] {
  repository.git('add', '-A');
  const folder = ['--', 'leases/allocations'];
  const names = repository.git('diff', '--name-only', '--cached', 'main', ...folder);
  return [...names.matchAll(/(\d+)\.yaml$/gm)].map(([, last = '']) => last);
}

type Round = readonly [string, (checkout: LeaseCheckout) => void, readonly string[]];

const rounds: readonly Round[] = [
  ['another endpoint', (checkout) => declare(checkout, { ...pinned(4), name: 'shop' }), ['4']],
  ['another pin', (checkout) => declare(checkout, pinned(5)), ['5']],
  ['another port', (checkout) => declare(checkout, { ...pinned(4), externalPort: 81 }), ['4']],
  ['another owner', (checkout) => declare(checkout, pinned(4), 'dan'), ['4']],
  ['no lease any more', (checkout) => checkout.put('leases/cat.yaml', ''), []],
];

describe('a review round in an open pull request', () => {
  it.each(rounds)(
    'that ends with %s leaves nothing of the first',
    { tags: 'slow' },
    async (_, change, addresses) => {
      const checkout = await opened();
      change(checkout);
      await checkout.synth('2026-01-11');
      expect(await found(checkout)).toEqual([]);
      expect(recorded(checkout)).toEqual(addresses);
      expect((await checkout.run('check')).status).toBe(0);
    },
  );

  it('leaves nothing when both runs come before the first commit', async () => {
    const checkout = await begin();
    declare(checkout, pinned(4));
    await checkout.run('synth', '--today', '2026-01-10');
    declare(checkout, pinned(5));
    const { out } = await checkout.run('synth', '--today', '2026-01-10');
    const base = checkout.idOf('main').slice(0, 12);
    expect(out).toContain(
      `recorded as a single run on ${base}, without intermediate states of this branch`,
    );
    expect(recorded(checkout)).toEqual(['5']);
  });

  it('does not keep promises of intermediate commits', { tags: 'slow' }, async () => {
    const checkout = await opened();
    declare(checkout, { ...pinned(4), retentionDays: 30 });
    await checkout.synth('2026-01-11');
    declare(checkout, pinned(4));
    await checkout.synth('2026-01-12');
    expect(checkout.read(recordOf('203.0.113.4'))).not.toContain('keepUntil');
    expect(checkout.read(recordOf('203.0.113.4'))).toContain('since: 2026-01-10');
  });

  it('changes nothing by a run on a later day', { tags: 'slow' }, async () => {
    const checkout = await opened();
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-10');
    const { out } = await checkout.run('synth', '--today', '2026-01-13');
    expect(out).toBe('no address changes; 2 held; all files up to date\n');
  });
});

describe('a lease that the target has', () => {
  it('that ends and is declared again is as it was', async () => {
    const checkout = await begin();
    const text = checkout.read('leases/ann.yaml');
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-09');
    checkout.put('leases/ann.yaml', text);
    await checkout.synth('2026-01-10');
    expect(recorded(checkout)).toEqual([]);
  });

  it('that is renamed twice is released once, and the second name has one address', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    for (const [day, name] of [
      ['2026-01-09', 'shop'],
      ['2026-01-10', 'store'],
    ] as const) {
      checkout.put('leases/ann.yaml', leaseText('ann', 1, [{ ...web, name }]));
      await checkout.synth(day);
    }
    expect(await found(checkout)).toEqual([]);
    expect(recorded(checkout)).toHaveLength(2);
    expect(checkout.read(recordOf('203.0.113.1'))).toContain('on: 2026-01-09');
  });
});

describe('a move in an open pull request', () => {
  const moved = async (checkout: LeaseCheckout, from: number, to: number, day: string) => {
    const [old, fresh] = [from, to].map((last) => `203.0.113.${last}`);
    const { status, out } = await checkout.run(
      'move',
      `${old}`,
      '--to',
      `${fresh}`,
      '--today',
      day,
    );
    expect([status, out]).toEqual([0, expect.stringContaining(`${old} -> ${fresh}`)]);
    checkout.commit(day);
  };

  it('of a lease that is not on the target is not a move', { tags: 'slow' }, async () => {
    const checkout = await opened();
    declare(checkout, web);
    await moved(checkout, 4, 5, '2026-01-11');
    expect(await found(checkout)).toEqual([]);
    expect(recorded(checkout)).toEqual(['5']);
    expect(checkout.read(recordOf('203.0.113.5'))).not.toContain('movedFrom');
  });

  it('is one move from where the target has the lease, and none when it comes back', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [web]));
    await moved(checkout, 1, 5, '2026-01-09');
    await moved(checkout, 5, 6, '2026-01-10');
    expect(recorded(checkout)).toEqual(['1', '6']);
    expect(checkout.read(recordOf('203.0.113.6'))).toContain('movedFrom: 203.0.113.1');
    expect(await found(checkout)).toEqual([]);
    await moved(checkout, 6, 1, '2026-01-11');
    expect(recorded(checkout)).toEqual([]);
  });
});

describe('a pull request on top of another one', () => {
  it('names that one with --base, as the refusal says', { tags: 'slow' }, async () => {
    const checkout = await opened();
    checkout.repository.git('branch', '-q', 'first');
    declare(checkout, { ...pinned(4), name: 'shop' });
    await checkout.synth('2026-01-11');
    expect((await checkout.run('check', '--base', 'first')).status).toBe(1);
    const told = await checkout.run('check', '--base', 'first');
    expect(told.out).toContain('run `leasehold synth --base first` and commit');
    const { out } = await checkout.run('synth', '--base', 'first', '--today', '2026-01-11');
    expect(out).toContain('PIN_TAKEN 203.0.113.4 is held by');
    declare(checkout, { ...web, name: 'shop' });
    await checkout.run('synth', '--base', 'first', '--today', '2026-01-11');
    checkout.commit('2026-01-11');
    expect((await checkout.run('check', '--base', 'first')).status).toBe(0);
    expect(await found(checkout)).toHaveLength(1);
  });
});

/** Main and the branch merge each other's past. */
function crissCross({ repository: { git } }: LeaseCheckout): void {
  git('checkout', '-q', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'Meanwhile');
  const before = git('rev-parse', 'HEAD').trim();
  git('merge', '-q', '-m', 'The branch', 'change');
  git('checkout', '-q', 'change');
  git('merge', '-q', '--no-ff', '-m', 'Main', before);
}

describe('a run without a base', () => {
  it.each([
    ['where --no-base says so', ['--no-base'], () => {}],
    [
      'on the target itself',
      [],
      ({ repository }: LeaseCheckout) => repository.git('checkout', '-q', '-B', 'main'),
    ],
    [
      'in a repository without a target',
      [],
      ({ repository }: LeaseCheckout) => repository.git('branch', '-q', '-m', 'main', 'trunk'),
    ],
    ['after a criss-cross merge', [], crissCross],
  ] as const)('counts all that is recorded: %s', { tags: 'slow' }, async (_, options, change) => {
    const checkout = await opened();
    change(checkout);
    checkout.put('leases/cat.yaml', '');
    checkout.repository.git('add', '-A');
    const { status, out } = await checkout.run('synth', '--today', '2026-01-11', ...options);
    expect([status, out]).toEqual([0, expect.stringContaining('1 released')]);
    expect(out).not.toContain('recorded as a single run on');
  });

  it('is refused for a ref that names nothing', async () => {
    const checkout = await opened();
    const { status, err } = await checkout.run('synth', '--base', 'nowhere');
    expect([status, err]).toEqual([74, expect.stringContaining("git knows no commit 'nowhere'")]);
  });
});

describe('a branch that is not the default one', () => {
  it.each([
    ['that engines apply keeps what was pushed of it', 'branches: [production]\n', true],
    ['without an engine keeps no trace', '', false],
  ])('%s', { tags: 'slow' }, async (_, branches, isKept) => {
    const checkout = await begin();
    const { repository } = checkout;
    repository.git('checkout', '-q', '-b', 'production');
    checkout.put('leases/pools.yaml', `${checkout.read('leases/pools.yaml')}${branches}`);
    declare(checkout, pinned(4));
    await checkout.synth('2026-01-10');
    repository.git('remote', 'add', 'origin', '.');
    repository.git('fetch', '-q', 'origin', 'production');
    repository.git('branch', '-q', '--set-upstream-to=origin/production');
    checkout.put('leases/cat.yaml', '');
    await checkout.synth('2026-01-11');
    const record = recordOf('203.0.113.4');
    expect(existsSync(join(checkout.root, record))).toBe(isKept);
    if (isKept) expect(checkout.read(record)).toContain('freeFrom: 2026-01-21');
    // What comes and goes before it is pushed leaves no trace there either.
    declare(checkout, pinned(5), 'dan');
    await checkout.synth('2026-01-11');
    checkout.put('leases/cat.yaml', '');
    await checkout.synth('2026-01-11');
    expect(existsSync(join(checkout.root, recordOf('203.0.113.5')))).toBe(false);
  });
});

describe('an endpoint that ends in one commit of a pull request and begins again in the next', () => {
  const ann = recordOf('203.0.113.1');
  /** Ends the lease of ann, and declares it again under another number. */
  async function again(record: (checkout: LeaseCheckout, day: string) => Promise<void>) {
    const checkout = await begin();
    checkout.put('leases/ann.yaml', '');
    await record(checkout, '2026-01-10');
    checkout.put('leases/ann.yaml', leaseText('ann', 7, [web]));
    await record(checkout, '2026-01-11');
    return checkout;
  }

  it('passes, and is held as it was', async () => {
    const checkout = await again((one, day) => one.synth(day));
    expect(await found(checkout)).toEqual([]);
    expect(recorded(checkout)).toEqual([]);
  });

  it('is one run away from passing where the runs did not know the target', {
    tags: 'slow',
  }, async () => {
    const checkout = await again((one, day) => one.forge(day));
    expect(await found(checkout)).toEqual([`ALLOCATION_FORGED ${ann}`]);
    await mended(checkout, '2026-01-11');
    expect(await found(checkout)).toEqual([]);
  });
});
