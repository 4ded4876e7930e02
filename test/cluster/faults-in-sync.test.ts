import { beforeAll, expect, test } from 'vitest';
import { leaseOf } from '../support/cluster/declared.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place, Story } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { inScope, repeats } from '../support/run/scope.ts';

const places: readonly Place[] = [
  { metallb: '0.16.1', engine: 'Flux', layout: 'lease' },
  { metallb: '0.16.1', engine: 'Argo CD', layout: 'lease' },
];
/** Argo CD takes ten minutes. */
const placesInScope = inScope(places, ({ engine }) => engine === 'Flux');

const [ember, stranger] = [
  'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye',
  'akash1qnnhhgzxj24f2kld5yhy4v4h4s9r295ak5gjw4',
];
const day = '2026-11-20';

describeStories('Faults in the middle of a sync', placesInScope, (story, { engine }) => {
  /** How many leases come in one commit. Argo CD takes minutes for a commit beside 300. */
  const many = engine === 'Flux' ? repeats(40, 300) : 40;

  beforeAll(async () => {
    await story.change([{ 'leases/pools.yaml': withCrowd(story) }, day]);
  }, 600_000);

  test('every lease of a large commit comes, while MetalLB is killed twice', async () => {
    const { metallb } = story.machine;
    await story.follow(async () => {
      const commit = await story.repository.change(crowd(0, many), day);
      for (const share of [0.2, 0.6]) {
        await live(share * many);
        await metallb.stopController('SIGKILL');
        await metallb.startController();
      }
      return commit;
    });
  });

  test('git does not answer after a commit, and the commit comes later', async () => {
    const { engine, repository, server } = story;
    await story.follow(async () => {
      const commit = await repository.change(crowd(900, 1), day);
      server.goAway();
      try {
        const misses = async () => (/503/.test(await engine.complaint()) ? true : undefined);
        await until(misses, { what: 'an engine that misses git', every: 500 });
      } finally {
        server.comeBack();
      }
      return commit;
    });
  });

  test('the API server is killed while leases come and go, and starts again', () =>
    withFault({ ...crowd(910, 20), ...gone(0, 2) }, many + 6, () => story.restartApiServer()));

  test('the engine is killed while leases come and go, and starts again', () =>
    withFault({ ...crowd(930, 20), ...gone(2, 2) }, many + 24, () => story.restartEngine()));

  test('the engine rests during ten commits, and MetalLB starts anew before it goes on', async () => {
    const ten: readonly Edit[] = [
      crowd(950, 2),
      gone(4, 1),
      crowd(952, 1),
      { ...gone(950, 1), ...gone(5, 1) },
      crowd(960, 1, stranger),
      crowd(961, 1, stranger),
      crowd(4, 1),
      gone(960, 1),
      crowd(953, 1),
      gone(951, 1),
    ];
    const before = story.planned.addresses.size;
    await story.follow(
      ...ten.map((edit, index) => async () => {
        const commit = await story.repository.change(edit, day);
        if (index < ten.length - 1) return commit;
        await story.machine.metallb.stopController('SIGTERM');
        await story.machine.metallb.startController();
        return commit;
      }),
    );
    expect(story.planned.addresses.size).toBe(before + 2);
  });

  /** Commits a change, and makes a fault once so many Services of the crowd have addresses. */
  function withFault(edit: Edit, count: number, fault: () => Promise<void>): Promise<void> {
    return story.follow(async () => {
      const commit = await story.repository.change(edit, day);
      await live(count);
      await fault();
      return commit;
    });
  }

  /** Waits until so many Services of the crowd have addresses. */
  async function live(count: number): Promise<void> {
    const { kube } = story.machine.plane;
    const isThere = async (): Promise<true | undefined> => {
      await story.engine.complaint();
      const services = await kube.list('v1', 'Service');
      const given = services.filter(({ status }) =>
        status?.loadBalancer?.ingress?.[0]?.ip.startsWith('198.18.'),
      );
      return given.length >= count ? true : undefined;
    };
    await until(isThere, { what: `${count} addresses`, within: 300_000, every: 200 });
  }
});

/** The pool file with one more pool, large enough for the crowd. */
function withCrowd({ repository }: Story): string {
  return `${repository.read('leases/pools.yaml')}
  - name: crowd
    zone: crowd
    addresses: [198.18.0.0/22]
    advertise: { l2: {} }
`;
}

/** Declarations of leases of the crowd, `count` of them from a number on. */
function crowd(from: number, count: number, owner = ember): Edit {
  const leases = numbers(from, count).map((number) => {
    const dseq = String(19_000_000 + number);
    const endpoint = { name: `site${number}`, service: 'web', port: 80, zone: 'crowd' };
    return [pathOf(number), leaseOf(owner, dseq, endpoint)];
  });
  return Object.fromEntries(leases);
}

/** The removal of such declarations. */
function gone(from: number, count: number): Edit {
  return Object.fromEntries(numbers(from, count).map((number) => [pathOf(number), undefined]));
}

const pathOf = (number: number): string => `leases/crowd/${19_000_000 + number}.yaml`;

const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);
