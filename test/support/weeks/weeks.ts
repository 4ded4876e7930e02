import { daysAfter } from '../allocations/naive-rules.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import { SeededRandom } from '../life/seeded-random.ts';
import { type LeaseCheckout, leaseCheckout } from '../repositories/lease-checkout.ts';
import { type Begun, type Desk, type Held, heldIn, type Job } from './job.ts';
import { jobs } from './jobs/all.ts';
import { Newcomer } from './newcomer.ts';
import { newFile, servicesIn, serviceText } from './service-files.ts';

/** What a week was like: the jobs, and the refusals that each met. */
export type Counts = Map<string, { done: number; steps: number; most: number }>;

function poolFile(layout: string): string {
  return providerPoolsText(`metallb: { version: 0.14.9, namespace: metallb-system, layout: ${layout} }
naming: akash
clusters:
  - name: default
    routes: { kind: HTTPRoute, gateway: { namespace: gateways, name: public } }
  - { name: west, defaultZone: west }
defaultCluster: default
defaultZone: lan
pools:
  - name: lan
    zone: lan
    clusters: [default]
    addresses: [203.0.113.0/27, '2001:db8::/120']
    reserved: []
    retentionDays: 2
    advertise: { l2: {} }
  - name: west
    zone: west
    clusters: [west]
    addresses: [192.0.2.128/28]
    advertise: { l2: {} }
  - name: edge
    zone: edge
    clusters: [default]
    addresses: [192.0.2.0/27, '2001:db8:1::/120']
    advertise: { l2: {} }
`);
}

/** A job that is done but for its landing. */
interface Work {
  readonly job: Job;
  readonly begun: Begun;
  readonly newcomer: Newcomer;
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
  const weeks = new Weeks(checkout, random, counts);
  let today = '2026-01-03';
  for (let number = 0; number < count; number += 1) {
    today = daysAfter(today, random.below(3));
    try {
      await weeks.play(today, { branch: `job-${number}`, fresh: `s${seed}x${number}` });
    } catch (error) {
      throw new Error(`seed ${seed}: ${weeks.told.join('; ')}\n${(error as Error).message}`);
    }
  }
}

class Weeks {
  readonly told: string[] = [];
  readonly #checkout: LeaseCheckout;
  readonly #random: SeededRandom;
  readonly #counts: Counts;

  constructor(checkout: LeaseCheckout, random: SeededRandom, counts: Counts) {
    this.#checkout = checkout;
    this.#random = random;
    this.#counts = counts;
  }

  /** Plays one job on a branch. Sometimes another one lands first, and is merged into the branch. */
  async play(today: string, { branch, fresh }: { branch: string; fresh: string }): Promise<void> {
    const { git } = this.#checkout.repository;
    git('checkout', '-q', '-b', branch);
    const before = await heldIn(this.#checkout);
    const own = await this.#work(today, fresh);
    const works = [own];
    if (this.#random.isOnceIn(4)) {
      this.#checkout.commit(today, own.job.name);
      this.told.push('(meanwhile');
      git('checkout', '-q', '-b', `${branch}-first`, 'main');
      const first = await this.#work(today, `${fresh}00`);
      await first.newcomer.land(first.job.name);
      await this.#landed(`${branch}-first`, today);
      this.told.push('landed)');
      git('checkout', '-q', branch);
      await own.newcomer.merge('main');
      works.push(first);
    }
    await own.newcomer.land(own.job.name);
    assertKept(before, await heldIn(this.#checkout), works);
    this.#count(own);
    await this.#landed(branch, today);
  }

  async #work(today: string, fresh: string): Promise<Work> {
    const desk = {
      checkout: this.#checkout,
      random: this.#random,
      services: servicesIn(this.#checkout.root),
      held: await heldIn(this.#checkout),
      fresh,
    };
    const [job, begun] = this.#begin(desk);
    this.told.push(job.name);
    const newcomer = new Newcomer(this.#checkout, today, begun.byHand);
    for (const argv of begun.commands ?? [['synth']]) await newcomer.run(...argv);
    const plan = await this.#checkout.run('plan', '--base', 'main', '--today', today);
    await begun.reads?.(plan.out, newcomer);
    return { job, begun, newcomer };
  }

  #begin(desk: Desk): [Job, Begun] {
    for (;;) {
      const job = this.#random.of(jobs);
      const begun = job?.begin(desk);
      if (job && begun) return [job, begun];
    }
  }

  #count({ job, newcomer }: Work): void {
    const own = this.#counts.get(job.name) ?? { done: 0, steps: 0, most: 0 };
    const most = Math.max(own.most, newcomer.steps);
    this.#counts.set(job.name, { done: own.done + 1, steps: own.steps + newcomer.steps, most });
  }

  /** Merges a branch in one of the three ways of a forge. */
  async #landed(branch: string, today: string): Promise<void> {
    const { git } = this.#checkout.repository.on(today);
    git('checkout', '-q', 'main');
    const way = this.#random.one('merge', 'squash', 'rebase');
    if (way === 'squash') {
      git('merge', '-q', '--squash', branch);
      git('commit', '-q', '--allow-empty', '-m', `${branch} (#${branch.slice(4)})`);
    } else git('merge', '-q', way === 'merge' ? '--no-ff' : '--ff-only', '-m', branch, branch);
    const check = await this.#checkout.run('check');
    if (check.status !== 0) throw new Error(`main is red\n${check.out}`);
  }
}

function assertKept(before: Held, after: Held, works: readonly Work[]): void {
  const moved = works.flatMap(({ begun }) => begun.moved ?? []);
  const left = new Set(moved.flatMap((name) => before.get(name) ?? []));
  for (const [name, values] of before) {
    // Those that share an address move together.
    if (moved.includes(name) || values.some((value) => left.has(value))) continue;
    const names = [name, ...works.flatMap(({ begun }) => begun.renamed?.[name] ?? [])];
    const own = names.flatMap((one) => after.get(one) ?? []);
    const lost = values.filter((value) => !own.includes(value));
    if (lost.length > 0) throw new Error(`${name} lost ${lost.join(' and ')}: it has ${own}`);
  }
}
