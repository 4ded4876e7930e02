import { describe, expect, it } from 'vitest';
import { type LeaseCheckout, leaseCheckout, recordOf } from '../support/lease-checkout.ts';
import { accountOf, type EndpointText, leaseText } from '../support/lease-text.ts';

const pools = `apiVersion: leasehold.dev/v1
kind: Pools
provider: ${accountOf('provider')}
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28]
    cooldownDays: 10
`;

const web: EndpointText = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

function pinned(last: number): EndpointText {
  return { ...web, address: `203.0.113.${last}` };
}

/** `ann` holds .1, `bob` .2; `old` gave .3 back on 2026-01-05, and it is free from the 15th. */
async function begin(): Promise<LeaseCheckout> {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
    'leases/bob.yaml': leaseText('bob', 2, [pinned(2)]),
    'leases/old.yaml': leaseText('old', 3, [pinned(3)]),
  });
  checkout.put('leases/old.yaml', '');
  await checkout.synth('2026-01-05', 'Old ends');
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

function recordText(address: string, owner: string, since: string, rest = ''): string {
  const holder = `default/akash/${accountOf(owner)}-ip-front`;
  const head = 'apiVersion: leasehold.dev/v1\nkind: Allocation\n';
  return `${head}address: ${address}\npool: default\nholder: ${holder}\nsince: ${since}\nretain: 10\n${rest}`;
}

/** Writes by hand that somebody has an address. */
function heldBy(checkout: LeaseCheckout, address: string, owner: string, since: string): void {
  checkout.put(recordOf(address), recordText(address, owner, since));
}

/** The codes and places that `check --base main` finds, and nothing when it is content. */
async function found(checkout: LeaseCheckout, ...options: string[]): Promise<readonly string[]> {
  const { status, err } = await checkout.run('check', '--base', 'main', ...options);
  const problems = [...err.matchAll(/^(\S+):\d+:\d+ ([A-Z_]+) /gm)];
  expect([status, problems.length > 0]).toEqual([status === 0 ? 0 : 1, status !== 0]);
  return problems.map(([, file, code]) => `${code} ${file}`);
}

describe('check --base accepts', () => {
  it.each<[string, (checkout: LeaseCheckout) => Promise<void> | void]>([
    ['nothing at all', () => {}],
    [
      'a new lease',
      async (checkout) => {
        checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a lease that ends',
      async (checkout) => {
        checkout.put('leases/ann.yaml', '');
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a lease that comes and goes in one pull request',
      async (checkout) => {
        checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
        await checkout.synth('2026-01-10');
        checkout.put('leases/cat.yaml', '');
        await checkout.synth('2026-01-11');
      },
    ],
    [
      'a holder that comes back to what is kept for it',
      async (checkout) => {
        checkout.put('leases/old.yaml', leaseText('old', 3, [web]));
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a holder that comes back, with a shorter promise',
      async (checkout) => {
        checkout.put('leases/old.yaml', leaseText('old', 3, [web]));
        checkout.edit('leases/pools.yaml', 'cooldownDays: 10', 'cooldownDays: 0');
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'another holder, once it is free',
      async (checkout) => {
        checkout.put('leases/cat.yaml', leaseText('cat', 4, [pinned(3)]));
        await checkout.synth('2026-01-15');
      },
    ],
    [
      'a longer promise, and a shorter one that keeps the old',
      async (checkout) => {
        checkout.edit('leases/pools.yaml', 'cooldownDays: 10', 'cooldownDays: 2');
        checkout.put(
          'leases/bob.yaml',
          leaseText('bob', 2, [{ ...pinned(2), retentionPeriodDays: 30 }]),
        );
        await checkout.synth('2026-01-10');
      },
    ],
    [
      'a prune from the free day on',
      async (checkout) => {
        await checkout.run('prune', '--today', '2026-01-15');
        checkout.commit('2026-01-15');
      },
    ],
    [
      'a run of the day after, over the date line',
      async (checkout) => {
        checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
        checkout.repository.git('add', '-A');
        await checkout.run('synth', '--today', '2026-01-11');
        checkout.commit('2026-01-10');
      },
    ],
  ])('%s', async (_, change) => {
    const checkout = await begin();
    await change(checkout);
    expect(await found(checkout)).toEqual([]);
    expect(await found(checkout, '--head', 'HEAD')).toEqual([]);
  });
});

/** A change of committed files that is content with itself: `check` alone finds nothing. */
type Cheat = (checkout: LeaseCheckout) => Promise<void> | void;

const cheats: readonly [string, string, number, Cheat][] = [
  [
    'a held address handed over',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.put('leases/ann.yaml', leaseText('eve', 9, [pinned(1)]));
      checkout.edit(recordOf('203.0.113.1'), accountOf('ann'), accountOf('eve'));
    },
  ],
  [
    'a kept address handed over',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(3)]));
      heldBy(checkout, '203.0.113.3', 'eve', '2026-01-10');
    },
  ],
  [
    'a kept address handed over with a date ahead',
    'DATE_AHEAD',
    3,
    (checkout) => {
      checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(3)]));
      heldBy(checkout, '203.0.113.3', 'eve', '2026-01-15');
    },
  ],
  [
    'a tombstone deleted',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.put(recordOf('203.0.113.3'), '');
    },
  ],
  [
    'a tombstone shortened',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.edit(recordOf('203.0.113.3'), 'on: 2026-01-05', 'on: 2026-01-02');
      checkout.edit(recordOf('203.0.113.3'), 'freeFrom: 2026-01-15', 'freeFrom: 2026-01-12');
    },
  ],
  [
    'a tombstone taken back by hand',
    'ALLOCATION_FORGED',
    3,
    (checkout) => {
      checkout.put('leases/old.yaml', leaseText('old', 3, [pinned(3)]));
      heldBy(checkout, '203.0.113.3', 'old', '2026-01-02');
    },
  ],
  [
    'a cooldown shortened in the same pull request',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.edit('leases/pools.yaml', 'cooldownDays: 10', 'cooldownDays: 0');
      checkout.put('leases/ann.yaml', '');
      checkout.edit(
        recordOf('203.0.113.1'),
        'retain: 10\n',
        'retain: 0\nreleased:\n  on: 2026-01-10\n  freeFrom: 2026-01-10\n',
      );
    },
  ],
  [
    'a promise shortened without keeping it',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.edit('leases/pools.yaml', 'cooldownDays: 10', 'cooldownDays: 0');
      for (const last of [1, 2])
        checkout.edit(recordOf(`203.0.113.${last}`), 'retain: 10', 'retain: 0');
      checkout.edit(recordOf('203.0.113.2'), 'retain: 0', 'retain: 0\nkeepUntil: 2026-01-20');
    },
  ],
  [
    'a forged date of a new lease',
    'DATE_AHEAD',
    5,
    (checkout) => {
      checkout.put('leases/eve.yaml', leaseText('eve', 9, [pinned(5)]));
      heldBy(checkout, '203.0.113.5', 'eve', '2026-01-12');
    },
  ],
  [
    'a forged date of a lease that stays',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.edit(recordOf('203.0.113.1'), 'since: 2026-01-02', 'since: 2025-01-02');
    },
  ],
  [
    'a forged date of a release',
    'DATE_AHEAD',
    1,
    (checkout) => {
      checkout.put('leases/ann.yaml', '');
      checkout.edit(
        recordOf('203.0.113.1'),
        'retain: 10\n',
        'retain: 10\nreleased:\n  on: 2026-02-10\n  freeFrom: 2026-02-20\n',
      );
    },
  ],
  [
    'an address kept from everyone for years',
    'DATE_AHEAD',
    5,
    (checkout) => {
      checkout.put(
        recordOf('203.0.113.5'),
        recordText(
          '203.0.113.5',
          'eve',
          '2026-01-10',
          'released:\n  on: 2026-01-10\n  freeFrom: 2036-01-10\n',
        ),
      );
    },
  ],
  [
    'a held address whose record is deleted with the lease',
    'ALLOCATION_FORGED',
    1,
    (checkout) => {
      checkout.put('leases/ann.yaml', '');
      checkout.put(recordOf('203.0.113.1'), '');
    },
  ],
];

describe('check --base refuses', () => {
  it.each(cheats)('%s', async (_, code, last, cheat) => {
    const checkout = await begin();
    await cheat(checkout);
    checkout.repository.git('add', '-A');
    expect(await checkout.run('synth', '--today', '2026-01-10')).toMatchObject({ status: 0 });
    checkout.commit('2026-01-10');
    const expected = [`${code} ${recordOf(`203.0.113.${last}`)}`];
    expect((await checkout.run('check')).err).toContain('all files up to date');
    expect(await found(checkout)).toEqual(expected);
  });
});

describe('the way out of a forged record', () => {
  it.each([
    ['comes from the base where that has it', '203.0.113.1', 'git restore --source=BASE --staged'],
    ['is to remove it where the base has none', '203.0.113.5', 'git rm leases/allocations/'],
  ])('%s', async (_, address, hint) => {
    const checkout = await begin();
    heldBy(checkout, address, 'eve', '2026-01-12');
    checkout.commit('2026-01-10');
    const { err } = await checkout.run('check', '--base', 'main');
    expect(err).toContain(`DATE_AHEAD ${address} is held since 2026-01-12`);
    expect(err).toContain(hint);
  });
});

describe('MASS_RELEASE', () => {
  it('is refused unless a commit of the pull request says the very number', async () => {
    const checkout = await leaseCheckout({ 'leases/pools.yaml': pools, ...leasesOf(5) });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    for (const number of [1, 2, 3, 4]) checkout.put(`leases/l${number}.yaml`, '');
    checkout.repository.git('add', '-A');
    await checkout.run('synth', '--today', '2026-01-10', '--allow-release', '4');
    checkout.commit('2026-01-10', 'All go\n\nLeasehold-Allow-Release: 3');
    const [problem] = await found(checkout);
    expect(problem).toMatch(/^MASS_RELEASE leases\/allocations\//);
    expect(await found(checkout, '--allow-release', '4')).toEqual([]);
    expect(await found(checkout, '--allow-release', '5')).toHaveLength(1);
    checkout.commit('2026-01-10', 'Say it\n\nLeasehold-Allow-Release: 4');
    expect(await found(checkout)).toEqual([]);
  });
});

function leasesOf(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return Object.fromEntries(
    numbers.map((number) => [`leases/l${number}.yaml`, leaseText(`l${number}`, number, [web])]),
  );
}

describe('a change of what is live', () => {
  it('is looked at again when dist/ was deleted before the run', async () => {
    const checkout = await begin();
    checkout.edit('leases/pools.yaml', 'pools:', 'metallb: { layout: pool }\npools:');
    checkout.repository.git('rm', '-rq', 'dist');
    await checkout.synth('2026-01-10');
    expect((await checkout.run('check')).status).toBe(0);
    expect(await found(checkout)).toEqual(['LAYOUT_CHANGED leases/pools.yaml']);
  });

  it('is an allocation that was lost and given anew, in two commits', async () => {
    const checkout = await begin();
    checkout.put(recordOf('203.0.113.1'), '');
    checkout.put('leases/ann.yaml', leaseText('ann', 1, [pinned(7)]));
    checkout.repository.git('rm', '-rq', 'dist');
    await checkout.synth('2026-01-10');
    const codes = (await found(checkout)).map((problem) => problem.split(' ')[0]);
    expect(codes).toEqual(['ALLOCATION_LOST', 'ALLOCATION_FORGED']);
  });
});

describe('what is wrong with the head itself', () => {
  it('is told together with what may not follow from the base', async () => {
    const checkout = await begin();
    checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
    checkout.put(recordOf('203.0.113.1'), '');
    expect(await found(checkout)).toEqual([
      `ALLOCATION_FORGED ${recordOf('203.0.113.1')}`,
      `FILE_LOST ${recordOf('203.0.113.1')}`,
    ]);
  });

  it('is not told twice when a record cannot be read', async () => {
    const checkout = await begin();
    checkout.put(recordOf('203.0.113.3'), 'x: [');
    expect(await found(checkout)).toEqual([`YAML_SYNTAX ${recordOf('203.0.113.3')}`]);
  });
});
