// @module-tag slow
import { expect, it } from 'vitest';
import { hostnameText } from '../../support/declarations/hostname-text.ts';
import { type EndpointText, leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remade, remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { inScope } from '../../support/run/scope.ts';

const poolFile =
  providerPoolsText(`clusters: [{ name: default, routes: { kind: Ingress, className: nginx } }]
defaultZone: inet
pools:
  - { name: default, zone: inet, addresses: [203.0.113.0/28], strategy: lowest }
  - { name: edge, zone: edge, addresses: [198.51.100.0/28], strategy: lowest }
`);

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
const gone = '';

/** A lease of dseq 1 of `ann`, or one of dseq 2. */
function lease(owner: string, dseq: number, more: Partial<EndpointText> = {}): string {
  return leaseText(owner, dseq, [{ ...web, ...more }]);
}

interface Conflict {
  /** Names the conflict: each has another one. */
  readonly code: string;
  /** What `main` declares in a file of its own. */
  readonly main: string;
  /** What the branch declares in its own. */
  readonly own: string;
  /** What a person makes of the own declaration. */
  readonly mends: Readonly<Record<string, string>>;
}

const conflicts: readonly Conflict[] = [
  {
    code: 'PIN_TAKEN',
    main: lease('ann', 1, { address: '203.0.113.9' }),
    own: lease('cat', 2, { address: '203.0.113.9' }),
    mends: {
      'no pin': lease('cat', 2),
      'another pin': lease('cat', 2, { address: '203.0.113.10' }),
      'another zone': lease('cat', 2, { zone: 'edge' }),
      'no lease': gone,
    },
  },
  {
    code: 'PORT_TAKEN',
    main: lease('ann', 1),
    own: lease('ann', 2),
    mends: {
      'another externalPort': lease('ann', 2, { externalPort: 81 }),
      'another endpoint': lease('ann', 2, { name: 'back' }),
      'no lease': gone,
    },
  },
  {
    code: 'HOLDER_CONFLICT',
    main: lease('ann', 1, { zone: 'inet' }),
    own: lease('ann', 2, { externalPort: 81, zone: 'edge' }),
    mends: {
      'the other zone': lease('ann', 2, { externalPort: 81 }),
      'another endpoint': lease('ann', 2, { externalPort: 81, zone: 'edge', name: 'back' }),
    },
  },
  {
    code: 'ADDRESS_STRANDED',
    main: lease('ann', 1),
    own: lease('ann', 2, { externalPort: 81, zone: 'edge' }),
    mends: { 'no zone': lease('ann', 2, { externalPort: 81 }) },
  },
  {
    code: 'PIN_MOVED',
    main: lease('ann', 1),
    own: lease('ann', 2, { externalPort: 81, address: '203.0.113.12' }),
    mends: {
      'no pin': lease('ann', 2, { externalPort: 81 }),
      'the held address': lease('ann', 2, { externalPort: 81, address: '203.0.113.1' }),
    },
  },
  {
    code: 'LEASE_DUPLICATE',
    main: lease('ann', 1),
    own: lease('ann', 1, { name: 'back' }),
    mends: { 'another lease': lease('ann', 2, { name: 'back' }), 'no lease': gone },
  },
  {
    code: 'SERVICE_DUPLICATE',
    main: serviceText('web'),
    own: serviceText('web', { port: 443 }),
    mends: { 'another name': serviceText('site', { port: 443 }), 'no Service': gone },
  },
  {
    code: 'HOSTNAME_TAKEN',
    main: hostnameText('shop.example.com'),
    own: hostnameText('shop.example.com', { namespace: 'blog' }),
    mends: {
      'another hostname': hostnameText('blog.example.com', { namespace: 'blog' }),
      'no hostname': gone,
    },
  },
];

const ends = {
  merge: ['commit', '-q', '--no-edit'],
  rebase: ['-c', 'core.editor=true', 'rebase', '--continue'],
} as const;

const cases = conflicts.flatMap(({ mends, ...conflict }) =>
  Object.entries(mends).flatMap(([mend, text], place, { length }) =>
    (['merge', 'rebase'] as const).map((way) => {
      // Each conflict both ways, and each mend once.
      const isUsual = length === 1 || (way === 'merge') === (place % 2 === 0);
      return { ...conflict, mend, text, way, isUsual };
    }),
  ),
);

/** Both branches of a conflict, which this process makes once. */
function branches({ code, main, own }: Omit<Conflict, 'mends'>): Promise<LeaseCheckout> {
  return remade(`contested ${code}`, () => branched(main, own));
}

async function branched(main: string, own: string): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    '.gitattributes': 'leases/** -merge\n',
    'leases/pools.yaml': poolFile,
    // Both sides change it, so that git stops in every merge.
    'leases/old.yaml': lease('old', 9),
  });
  const { git } = checkout.repository;
  git('checkout', '-q', '-B', 'change');
  checkout.put('leases/own.yaml', own);
  checkout.put('notes.md', 'change');
  await checkout.synth('2026-01-10');
  git('checkout', '-q', 'main');
  checkout.put('leases/main.yaml', main);
  checkout.put('notes.md', 'main');
  await checkout.synth('2026-01-10');
  git('checkout', '-q', 'change');
  return checkout;
}

it.each(inScope(cases, ({ isUsual }) => isUsual))(
  '$code is mended in a $way by $mend',
  async (contested) => {
    const { code, text, way } = contested;
    const checkout = await branches(contested);
    const { git, isDone, on } = checkout.repository;
    expect(isDone(way, '-q', 'main')).toBe(false);
    const day = ['--today', '2026-01-11'];
    const { out } = await checkout.run('resolve', ...day);
    expect(out).toContain(` ${code} `);
    if (text === gone) git('rm', '-q', '-f', 'leases/own.yaml');
    else checkout.put('leases/own.yaml', text);
    checkout.put('notes.md', 'both');
    git('add', 'notes.md');
    expect(await checkout.run('resolve', ...day)).toMatchObject({ status: 0 });
    git('add', '-A');
    on('2026-01-11').isDone(...ends[way]);
    expect(git('status', '--porcelain')).toBe('');
    const checked = await checkout.run('check', '--base', 'main', '--today', '2026-01-11');
    expect(checked).toMatchObject({ status: 0 });
    expect(checkout.read('leases/main.yaml')).toBe(contested.main);
  },
);
