import { accountOf, type EndpointText, leaseText } from '../declarations/lease-text.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import { remade } from '../repositories/cached-repository.ts';
import { type LeaseCheckout, leaseCheckout, recordOf } from '../repositories/lease-checkout.ts';

/** One thing that a pull request does, and what a reviewer must be able to say of it. */
export interface PullRequestKind {
  readonly name: string;
  /** The verdict and the sentence that its plan opens with. */
  readonly opens: string;
  /** The exit status of the plan. */
  readonly status: number;
  /** Takes a checkout from {@link beginning} to the head of the pull request, and commits it. */
  readonly make: (checkout: LeaseCheckout) => Promise<void> | void;
  /** What is compared with, other than `main`. */
  readonly base?: string;
}

const pools = providerPoolsText(`emit: { providerLeasedIP: false }
defaultZone: inet
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28]
    retentionDays: 10

  - name: edge
    zone: edge
    addresses: [198.51.100.0/30, '2001:db8::/64']
    retentionDays: 0
`);

/** An endpoint that takes any address. */
export const web: EndpointText = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
const pinned = (last: number): EndpointText => ({ ...web, address: `203.0.113.${last}` });
const edge: EndpointText = { ...web, zone: 'edge', ipFamily: 'dual' };

/** `ann` holds .1, `bob` .2 with two ports, `gus` a pair; `old` gave .3 back, free from 2026-01-15. */
export function beginning(): Promise<LeaseCheckout> {
  return remade('the beginning of a plan', begun);
}

async function begun(): Promise<LeaseCheckout> {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools,
    'leases/ann.yaml': leaseText('ann', 1, [pinned(1)]),
    'leases/bob.yaml': leaseText('bob', 2, [
      pinned(2),
      { ...web, service: 'api', externalPort: 443 },
    ]),
    'leases/gus.yaml': leaseText('gus', 4, [edge]),
    'leases/old.yaml': leaseText('old', 3, [pinned(3)]),
  });
  checkout.put('leases/old.yaml', '');
  await checkout.synth('2026-01-05', 'Old ends');
  checkout.repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

/** As sentences name the holder of an endpoint. */
export function called(owner: string, endpoint = 'front'): string {
  const account = accountOf(owner);
  return `${endpoint} of ${account.slice(0, 10)}…${account.slice(-5)}`;
}

/** A kind with the sentence that its plan opens with, and its exit status. */
export function kind(
  name: string,
  [opens, status]: readonly [opens: string, status: number],
  make: PullRequestKind['make'],
): PullRequestKind {
  return { name, opens, status, make };
}

/** A kind that declares something and synthesizes it on 2026-01-10. */
function declared(
  name: string,
  opens: string,
  edit: (checkout: LeaseCheckout) => void,
): PullRequestKind {
  return kind(name, [opens, 0], async (checkout) => {
    edit(checkout);
    await checkout.synth('2026-01-10');
  });
}

/** The kinds whose plans are golden: test/golden/plan/changes. */
export const pullRequestKinds: readonly PullRequestKind[] = [
  kind('nothing', ['No change: No address, pool or manifest changes.', 0], (checkout) => {
    checkout.put('NOTES.md', 'Nothing of ours.\n');
    checkout.commit('2026-01-10');
  }),
  declared('a-lease-begins', `Routine: ${called('cat')} gets 203.0.113.9.`, (checkout) =>
    checkout.put('leases/cat.yaml', leaseText('cat', 5, [pinned(9)])),
  ),
  declared('a-lease-ends', `Caution: ${called('ann')} loses 203.0.113.1.`, (checkout) =>
    checkout.put('leases/ann.yaml', ''),
  ),
  declared(
    'a-dual-stack-lease-begins',
    `Routine: ${called('kim')} gets 198.51.100.1 and 2001:db8::22.`,
    (checkout) =>
      checkout.put(
        'leases/kim.yaml',
        leaseText('kim', 6, [
          { ...edge, address: '198.51.100.1' },
          { ...edge, service: 'api', externalPort: 81, address: '2001:db8::22' },
        ]),
      ),
  ),
  declared(
    'a-port-is-added',
    `Routine: ${called('ann')} keeps 203.0.113.1: mail 25/TCP added.`,
    (checkout) =>
      checkout.put(
        'leases/ann.yaml',
        leaseText('ann', 1, [pinned(1), { ...web, service: 'mail', externalPort: 25 }]),
      ),
  ),
  declared(
    'a-port-is-removed',
    `Caution: ${called('bob')} keeps 203.0.113.2: api 443/TCP removed.`,
    (checkout) => checkout.put('leases/bob.yaml', leaseText('bob', 2, [pinned(2)])),
  ),
  declared(
    'a-target-port-changes',
    `Caution: ${called('ann')} keeps 203.0.113.1: web 80/TCP: port 8080 → 9000.`,
    (checkout) => checkout.edit('leases/ann.yaml', '8080', '9000'),
  ),
  declared(
    'an-endpoint-is-renamed',
    `Caution: web 80/TCP of ${called('ann')}, now ${called('ann', 'shop')}, moves from 203.0.113.1 to 203.0.113.8.`,
    (checkout) =>
      checkout.put('leases/ann.yaml', leaseText('ann', 1, [{ ...pinned(8), name: 'shop' }])),
  ),
  declared(
    'an-endpoint-goes-to-another-lease',
    `Routine: ${called('ann')} keeps 203.0.113.1: redeployed, lease 1/1/1 → 11/1/1: connections are cut once.`,
    (checkout) => {
      checkout.put('leases/ann.yaml', '');
      checkout.put('leases/ann-2.yaml', leaseText('ann', 11, [pinned(1)]));
    },
  ),
  declared('a-holder-comes-back', `Routine: ${called('old')} reclaims 203.0.113.3.`, (checkout) =>
    checkout.put('leases/old.yaml', leaseText('old', 3, [web])),
  ),
  kind(
    'another-holder-follows',
    [`Routine: ${called('cat')} gets 203.0.113.3.`, 0],
    async (checkout) => {
      checkout.put('leases/cat.yaml', leaseText('cat', 5, [pinned(3)]));
      await checkout.synth('2026-01-15');
    },
  ),
  kind('a-lease-comes-and-goes', ['This must not be merged', 3], async (checkout) => {
    checkout.put('leases/cat.yaml', leaseText('cat', 5, [pinned(9)]));
    await checkout.synth('2026-01-10');
    checkout.put('leases/cat.yaml', '');
    await checkout.forge('2026-01-10');
  }),
  kind('a-prune', ['Routine: record of 203.0.113.3 removed (not held).', 0], async (checkout) => {
    await checkout.run('prune', '--today', '2026-01-15');
    checkout.commit('2026-01-15');
  }),
  declared(
    'a-retention-is-shortened',
    'Caution: 2 holders keep their addresses: kept after release: 10 → 2 days, not free before 2026-01-20.',
    (checkout) => checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'retentionDays: 2'),
  ),
  declared(
    'a-pool-is-widened',
    'Caution: No address changes, but the pool file does.',
    (checkout) => checkout.edit('leases/pools.yaml', '[203.0.113.0/28]', '[203.0.113.0/27]'),
  ),
  declared(
    'a-pool-fills',
    'Caution: 12 holders get an address; no other address changes.',
    (checkout) => {
      for (let number = 0; number < 12; number += 1) {
        checkout.put(
          `leases/many-${number}.yaml`,
          leaseText(`many ${number}`, 100 + number, [web]),
        );
      }
    },
  ),
  declared(
    'no-retention',
    `Caution: ${called('gus')} loses 198.51.100.2 and 2001:db8::51a2:368c:d7ee:c90f.`,
    (checkout) => checkout.put('leases/gus.yaml', ''),
  ),
  declared(
    'the-provider-changes',
    'Caution: No address changes, but the reach of 3 IPAddressPools (',
    (checkout) => checkout.edit('leases/pools.yaml', accountOf('provider'), accountOf('another')),
  ),
  {
    ...declared(
      'leasehold-begins',
      'Caution: 3 holders get an address, 1 holder is assigned an address and releases it within this change; no other address changes.',
      () => {},
    ),
    base: 'empty',
  },
  kind('a-broken-declaration', ['This must not be merged', 1], (checkout) => {
    checkout.edit('leases/ann.yaml', 'port', 'prot');
    checkout.commit('2026-01-10');
  }),
  kind('not-synthesized', ['This must not be merged', 1], (checkout) => {
    checkout.put('leases/cat.yaml', leaseText('cat', 5, [pinned(9)]));
    checkout.commit('2026-01-10');
  }),
  kind('an-address-is-handed-over', ['This must not be merged', 3], async (checkout) => {
    checkout.put('leases/ann.yaml', leaseText('eve', 9, [pinned(1)]));
    checkout.edit(recordOf('203.0.113.1'), accountOf('ann'), accountOf('eve'));
    await checkout.forge('2026-01-10');
  }),
  kind('everybody-leaves', ['This must not be merged', 3], async (checkout) => {
    // In small runs that know no base: none of them is confirmed.
    for (const name of ['ann', 'bob', 'gus']) {
      checkout.put(`leases/${name}.yaml`, '');
      await checkout.forge('2026-01-10');
    }
  }),
];
