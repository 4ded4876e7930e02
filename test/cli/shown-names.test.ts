// @module-tag slow
import { describe, expect, it } from 'vitest';
import { run } from '../../src/core/cli/run.ts';
import type { Day } from '../../src/core/model/day.ts';
import { features } from '../../src/features.ts';
import { leaseText } from '../support/declarations/lease-text.ts';
import { poolsText } from '../support/declarations/pools-text.ts';
import { profilesLine } from '../support/declarations/sdl.ts';
import { remade } from '../support/repositories/cached-repository.ts';
import { type LeaseCheckout, leaseCheckout } from '../support/repositories/lease-checkout.ts';

const day = '2026-01-07';
const ranges = ['203.0.113.0/26', '198.51.100.0/26'];
const endpoint = { service: 'web', port: 80 };
const files = {
  'leases/pools.yaml': poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
defaultZone: inet
pools:
  - { name: front, zone: inet, addresses: [${ranges[0]}] }
  - { name: back, zone: lab, addresses: [${ranges[1]}] }
`),
  'leases/ann.yaml': leaseText('ann', 1000, [{ ...endpoint, name: 'front' }]),
  'leases/bob.yaml': leaseText('bob', 1001, [{ ...endpoint, name: 'lab', zone: 'lab' }]),
};
const sdl = `version: '2.0'
services: { web: { image: a, expose: [{ port: 80, to: [{ global: true }] }] } }
${profilesLine(['rack'], ['web'])}deployment: { web: { rack: { profile: web, count: 1 } } }
`;

/** Two leases of two accounts on main. The branch `first` has one of them. */
function synthesized(): Promise<LeaseCheckout> {
  return remade('two accounts', async () => {
    const { 'leases/bob.yaml': second, ...first } = files;
    const checkout = await leaseCheckout(first);
    await checkout.synth('2026-01-05');
    checkout.repository.git('branch', '-q', 'first');
    checkout.put('leases/bob.yaml', second);
    checkout.put('node.yaml', sdl);
    await checkout.synth('2026-01-06');
    return checkout;
  });
}

/** What a command prints for a person at a terminal of 80 characters, without line breaks in names. */
async function shownIn(root: string, argv: readonly string[]): Promise<string> {
  let shown = '';
  const take = (text: string): void => {
    shown += text;
  };
  const terminal = { color: false, terminal: true, columns: 80, env: { NO_COLOR: '1' }, cwd: root };
  await run(argv, features, { ...terminal, out: take, err: take, today: () => day as Day });
  return shown;
}

/** The views that have names of holders, accounts or leases. */
const views = [
  ...['list', 'list --sort owner', 'list --cluster default', 'pools --owners'],
  ...ranges.flatMap((range) => [`who ${range}`, `history ${range}`]),
  ...['who web', 'plan --base first', 'verify-history', 'usage 2026-01'],
  ...ranges.flatMap((range) => [
    `release ${range} --today ${day}`,
    `move ${range} --today ${day}`,
    `pin ${range}`,
  ]),
].map((words) => words.split(' '));

/** A shortened holder, lease or account, as a word of a view. */
const shortened = /(?:[a-z]+\/)*akash1\w*…\w+(?:-ip-[a-z-]*[a-z]|(?:\/[\w…]+)+)?/g;

/** What takes a name, by its kind; each is run on a branch of its own. */
const takenBy: Readonly<Record<string, readonly string[]>> = {
  holder: [
    'who NAME',
    'history NAME',
    'move NAME --today 2026-01-07',
    'pin NAME',
    'release NAME --today 2026-01-07',
    'rename NAME new --today 2026-01-07',
  ],
  account: [
    ...[
      'who NAME',
      'history NAME',
      'release NAME --today 2026-01-07',
      'list --owner NAME',
      'capacity --owner NAME',
    ],
    'sdl fill node.yaml --owner NAME',
  ],
  lease: ['who NAME', 'release NAME --today 2026-01-07'],
};

function kindOf(name: string): string {
  if (name.includes('-ip-')) return 'holder';
  return name.includes('/') ? 'lease' : 'account';
}

describe('a name that a view shortens at 80 characters', () => {
  it('is there, of each kind', async () => {
    const found = await namesOf(await synthesized());
    expect([...new Set([...found.keys()].map(kindOf))].sort()).toEqual([
      'account',
      'holder',
      'lease',
    ]);
  });

  it.each(
    Object.entries(takenBy).flatMap(([kind, commands]) => commands.map((one) => [kind, one])),
  )(
    'of the kind %s is taken by %s, with … and with three dots',
    async (kind = '', command = '') => {
      const checkout = await synthesized();
      const own = [...(await namesOf(checkout)).keys()].filter((name) => kindOf(name) === kind);
      for (const name of own.flatMap((one) => [one, one.replaceAll('…', '...')])) {
        const argv = command.split(' ').map((word) => (word === 'NAME' ? name : word));
        const { status, out, err } = await checkout.run(...argv);
        expect([argv, status], out + err).toEqual([argv, 0]);
        startAgain(checkout);
      }
    },
  );
});

const names = new Map<string, string>();

/** The shortened names of all views, which are looked at once, each with the view that has it. */
async function namesOf(checkout: LeaseCheckout): Promise<ReadonlyMap<string, string>> {
  if (names.size > 0) return names;
  for (const view of views) {
    const text = await shownIn(checkout.root, view);
    for (const [name] of text.matchAll(shortened)) names.set(name, view.join(' '));
    startAgain(checkout);
  }
  return names;
}

/** Takes back what a command has written. */
function startAgain({ repository }: LeaseCheckout): void {
  repository.git('reset', '-q', '--hard');
  repository.git('clean', '-q', '-f', '-d');
}
