import { expect, test } from 'vitest';
import { liveIds } from '../support/cluster/convergence.ts';
import { leaseOf } from '../support/cluster/declared.ts';
import { documented } from '../support/cluster/documented.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { inScope } from '../support/run/scope.ts';

/** Argo CD that is set to compare all Applications on the server. */
const engine = 'Argo CD with server-side diff';
const places: readonly Place[] = [
  { metallb: '0.16.1', engine, layout: 'pool' },
  { metallb: '0.14.9', engine, layout: 'lease' },
];
const placesInScope = inScope(places, ({ layout }) => layout === 'pool');

const ember = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const paths = ['leases/ember/18500001.yaml', 'leases/ember/18500002.yaml'] as const;
const day = '2026-11-20';
const web = { name: 'site', service: 'web', port: 3000, externalPort: 80 };

/** The documented Application, changed. */
function application(change: (application: KubeObject) => KubeObject): readonly KubeObject[] {
  return [documented('AppProject'), change(documented('Application'))];
}

/** As documented, but applied on the server. */
const appliedOnServer = application((one) => {
  const syncPolicy = { ...one.spec.syncPolicy, syncOptions: ['ServerSideApply=true'] };
  return { ...one, spec: { ...one.spec, syncPolicy } };
});

/** Without the annotation that keeps the comparison off the server. */
const comparedOnServer = application(({ metadata: { annotations, ...metadata }, ...rest }) => ({
  ...rest,
  metadata,
}));

describeStories('Server-side diff and apply of Argo CD', placesInScope, (story, place) => {
  /** An address leaves a pool in one commit, and is in the other pool in the next. */
  function border(pool: 'default' | 'edge'): readonly Edit[] {
    const path = 'leases/pools.yaml';
    const text = story.repository.read(path);
    const [long, short] = ['194.28.98.219-194.28.98.222', '194.28.98.219-194.28.98.221'];
    const [edge, added] = ['      - 203.0.113.16-203.0.113.47\n', '      - 194.28.98.222/32\n'];
    const nowhere = text.replace(long, short).replace(added, '');
    const there =
      pool === 'edge' ? nowhere.replace(edge, added + edge) : nowhere.replace(short, long);
    return [{ [path]: nowhere }, { [path]: there }];
  }

  /** Makes commits that Argo CD sees at once. */
  const together = (edits: readonly Edit[]): Promise<void> =>
    story.change(...edits.map((edit) => [edit, day] as const));

  test('the shipped example is live, and a lease comes', async () => {
    await story.change([{}, day]);
    await story.change([{ [paths[0]]: leaseOf(ember, '18500001', web) }, day]);
  });

  test('an address goes from one pool to another, in two commits that are applied at once', async () => {
    await together(border('edge'));
    await together(border('default'));
  });

  test.runIf(place.layout === 'pool')(
    'without the annotation that leasehold prints, such a change is not applied: the webhook of MetalLB refuses the comparison',
    async () => {
      const { engine, repository, url } = story;
      await engine.turn(comparedOnServer, url);
      await story.change([{}, day]);
      await engine.suspend();
      let commit = '';
      for (const edit of border('edge')) commit = await repository.change(edit, day);
      await engine.resume();
      const isStuck = async (): Promise<true> => {
        const complaint = await engine.complaint();
        expect(complaint).toContain('ComparisonError');
        expect(complaint).toContain('overlaps');
        return true;
      };
      await until(isStuck, { what: 'the complaint of Argo CD', within: 60_000 });
      await engine.turn(
        application((one) => one),
        url,
      );
      await engine.synced(commit);
      await story.settle();
    },
  );

  test('server-side apply takes over what client-side apply made, and nothing is touched', async () => {
    const before = await liveIds(story.machine.plane.kube);
    await story.engine.turn(appliedOnServer, story.url);
    await story.change([{}, day]);
    expect(await liveIds(story.machine.plane.kube)).toEqual(before);
  });

  test('with server-side apply, leases come, join, change their ports, move and go', async () => {
    const [first, second] = paths;
    const secure = { ...web, port: 3443, externalPort: 443 };
    const both = { name: 'pair', service: 'web', port: 53, ipFamily: 'dual', zone: 'edge' };
    const datagrams = { ...both, protocol: 'UDP' };
    const lease = (dseq: string, ...endpoints: readonly object[]) =>
      leaseOf(ember, dseq, ...endpoints);
    await story.change([{ [first]: lease('18500001', { ...web, port: 3001 }) }, day]);
    await story.change([{ [first]: lease('18500001', web, secure) }, day]);
    await story.change([{ [second]: lease('18500002', both, datagrams) }, day]);
    const [key = ''] = [...story.planned.addresses.keys()].filter((one) =>
      one.endsWith('web-ip-53-tcp'),
    );
    expect(key).not.toBe('');
    await story.follow(() => story.repository.run(day, 'move', `default/akash/${ember}-ip-site`));
    await story.change([{ [first]: undefined }, day]);
    await story.change([{ [second]: undefined }, day]);
  });

  test('client-side apply takes over again, and nothing is touched', async () => {
    const before = await liveIds(story.machine.plane.kube);
    await story.engine.turn(
      application((one) => one),
      story.url,
    );
    await story.change([{}, day]);
    expect(await liveIds(story.machine.plane.kube)).toEqual(before);
  });
});
