import { expect } from 'vitest';
import { accountOf, type EndpointText, leaseText } from '../declarations/lease-text.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import { remade } from './cached-repository.ts';
import { type LeaseCheckout, leaseCheckout, recordOf } from './lease-checkout.ts';

/** One pool of sixteen addresses with a retention of ten days. */
export const pools = providerPoolsText(`pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28]
    retentionDays: 10
`);

/** An endpoint that takes any address. */
export const web: EndpointText = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

/** The same, on an address by its last byte. */
export function pinned(last: number): EndpointText {
  return { ...web, address: `203.0.113.${last}` };
}

/** `ann` holds .1, `bob` .2; `old` gave .3 back on 2026-01-05, and it is free from the 15th. */
export function begin(): Promise<LeaseCheckout> {
  return remade('begin', beginAnew);
}

async function beginAnew(): Promise<LeaseCheckout> {
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

/** An allocation file as somebody writes it by hand. */
export function recordText(address: string, owner: string, since: string, rest = ''): string {
  const holder = `default/akash/${accountOf(owner)}-ip-front`;
  const head = 'apiVersion: leasehold.dev/v1\nkind: Allocation\n';
  return `${head}address: ${address}\npool: default\nholder: ${holder}\nsince: ${since}\nretain: 10\n${rest}`;
}

/** Writes by hand that somebody has an address. */
export function heldBy(
  checkout: LeaseCheckout,
  address: string,
  owner: string,
  since: string,
): void {
  checkout.put(recordOf(address), recordText(address, owner, since));
}

/** Runs the one command that the hints of `check --base main` name, on a day, and commits what it writes. */
export async function mended(checkout: LeaseCheckout, day: string): Promise<void> {
  const { out } = await checkout.run('check', '--base', 'main');
  const commands = [
    ...out.matchAll(
      /^ {2}hint: .*on the branch, after a `git fetch`, run `leasehold (.*)` and commit /gm,
    ),
  ];
  const [command, ...others] = new Set(commands.map(([, words = '']) => words));
  expect([command, others]).toEqual([expect.any(String), []]);
  checkout.repository.git('add', '-A');
  expect(await checkout.run(...`${command}`.split(' '), '--today', day)).toMatchObject({
    status: 0,
  });
  checkout.commit(day);
}

/** The codes and places that `check --base main` finds, and nothing when it is content. */
export async function found(
  checkout: LeaseCheckout,
  ...options: string[]
): Promise<readonly string[]> {
  const { status, out } = await checkout.run('check', '--base', 'main', ...options);
  const problems = [...out.matchAll(/^(\S+):\d+:\d+ ([A-Z_]+) /gm)];
  expect([status, problems.length > 0]).toEqual([status === 0 ? 0 : 1, status !== 0]);
  return problems.map(([, file, code]) => `${code} ${file}`);
}

/** The codes that a command prints. */
export async function codesOf(
  checkout: LeaseCheckout,
  ...argv: string[]
): Promise<readonly string[]> {
  const { out } = await checkout.run(...argv);
  return [...out.matchAll(/^\S+:\d+:\d+ ([A-Z_]+) /gm)].map(([, code = '']) => code);
}

/** The codes and messages of `check --base main`. */
export async function checkedOn({ run }: LeaseCheckout, today: string): Promise<readonly string[]> {
  const { out, err } = await run('check', '--base', 'main', '--today', today, '-o', 'json');
  const { problems = [] } = JSON.parse(out || err) as {
    problems?: { code: string; message: string }[];
  };
  return problems.map(({ code, message }) => `${code} ${message}`);
}
