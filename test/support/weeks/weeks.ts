import { daysAfter } from '../allocations/naive-rules.ts';
import { poolsText } from '../declarations/pools-text.ts';
import { SeededRandom } from '../life/seeded-random.ts';
import { type LeaseCheckout, leaseCheckout } from '../repositories/lease-checkout.ts';
import { type Begun, type Job, jobs, newFile, servicesIn, serviceText } from './jobs.ts';
import { Newcomer } from './newcomer.ts';

/** What a week was like: the jobs, and the refusals that each met. */
export type Counts = Map<string, { done: number; steps: number; most: number }>;

function poolFile(layout: string): string {
  return poolsText(`metallb: { version: 0.14.9, namespace: metallb-system, layout: ${layout} }
defaultZone: lan
pools:
  - name: lan
    zone: lan
    addresses: [203.0.113.0/27, '2001:db8::/120']
    reserved: []
    cooldownDays: 2
    advertise: { l2: {} }
  - name: edge
    zone: edge
    addresses: [192.0.2.0/27, '2001:db8:1::/120']
    advertise: { l2: {} }
`);
}

/** The addresses of each Service of `shop`, by its name. */
async function addressesOf(checkout: LeaseCheckout): Promise<Map<string, readonly string[]>> {
  const { out } = await checkout.run('list', '-o', 'json');
  const { items } = JSON.parse(out) as {
    items: { state: string; addresses: string[]; claims: { service: string }[] }[];
  };
  return new Map(
    items
      .filter(({ state }) => state === 'held')
      .flatMap(({ addresses, claims }) =>
        claims.map(({ service }) => [service, addresses] as const),
      ),
  );
}

/** Plays the jobs of a team on one repository. Throws with the seed when one does not end well. */
export async function playWeeks(seed: number, count: number, counts: Counts): Promise<void> {
  const random = new SeededRandom(seed);
  const checkout = await leaseCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': poolFile(random.one('pool', 'lease')),
    ...Object.fromEntries(
      ['s1', 's2', 's3', 's4'].map((name, index) => [newFile(name), serviceText(name, 80 + index)]),
    ),
  });
  let today = '2026-01-03';
  const told: string[] = [];
  for (let number = 0; number < count; number += 1) {
    today = daysAfter(today, random.below(3));
    const branch = `job-${number}`;
    checkout.repository.git('checkout', '-q', '-b', branch);
    const before = await addressesOf(checkout);
    const desk = {
      checkout,
      random,
      services: servicesIn(checkout.root),
      addresses: before,
      fresh: `s${seed}x${number}`,
    };
    const [job, begun] = begin(random, desk);
    told.push(job.name);
    const newcomer = new Newcomer(checkout, today, begun.byHand);
    try {
      for (const argv of begun.commands ?? [['synth']]) await newcomer.run(...argv);
      const plan = await checkout.run('plan', '--base', 'main', '--today', today);
      await begun.reads?.(plan.out, newcomer);
      await newcomer.land(job.name);
      assertKept(before, await addressesOf(checkout), begun);
    } catch (error) {
      throw new Error(`seed ${seed}: ${told.join('; ')}\n${(error as Error).message}`);
    }
    const own = counts.get(job.name) ?? { done: 0, steps: 0, most: 0 };
    const most = Math.max(own.most, newcomer.steps);
    counts.set(job.name, { done: own.done + 1, steps: own.steps + newcomer.steps, most });
    land(checkout, branch, { random, today });
    const check = await checkout.run('check');
    if (check.status !== 0) throw new Error(`seed ${seed}: main is red\n${check.out}`);
  }
}

function begin(random: SeededRandom, desk: Parameters<Job['begin']>[0]): [Job, Begun] {
  for (;;) {
    const job = random.of(jobs);
    const begun = job?.begin(desk);
    if (job && begun) return [job, begun];
  }
}

/** Merges a branch in one of the three ways of a forge. */
function land(
  { repository }: LeaseCheckout,
  branch: string,
  { random, today }: { readonly random: SeededRandom; readonly today: string },
): void {
  const { git } = repository.on(today);
  git('checkout', '-q', 'main');
  const way = random.one('merge', 'squash', 'rebase');
  if (way === 'squash') {
    git('merge', '-q', '--squash', branch);
    git('commit', '-q', '--allow-empty', '-m', `${branch} (#${branch.slice(4)})`);
  } else git('merge', '-q', way === 'merge' ? '--no-ff' : '--ff-only', '-m', branch, branch);
}

function assertKept(
  before: ReadonlyMap<string, readonly string[]>,
  after: ReadonlyMap<string, readonly string[]>,
  { renamed = {}, moved = [] }: Begun,
): void {
  const left = new Set(moved.flatMap((service) => before.get(service) ?? []));
  for (const [service, addresses] of before) {
    // Those that share an address move together.
    if (addresses.some((address) => left.has(address))) continue;
    const own = after.get(renamed[service] ?? service) ?? [];
    const lost = addresses.filter((address) => !own.includes(address));
    if (lost.length > 0) throw new Error(`${service} lost ${lost.join(' and ')}: it has ${own}`);
  }
}
