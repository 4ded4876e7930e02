import { expect, test } from 'vitest';
import type { KubeObject } from '../support/cluster/kube.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import type { MetallbVersion } from '../support/cluster/machines/metallb.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { serviceText } from '../support/declarations/service-text.ts';
import { inScope } from '../support/run/scope.ts';

/** Flux and hands, with each layout. All begin with the oldest MetalLB. */
const places: readonly Place[] = [
  { metallb: '0.13.9', engine: 'Flux', layout: 'pool' },
  { metallb: '0.13.9', engine: 'by hand', layout: 'lease' },
  { metallb: '0.13.9', engine: 'Flux', layout: 'lease' },
  { metallb: '0.13.9', engine: 'by hand', layout: 'pool' },
];
const placesInScope = inScope(places, (place) => place === places[0]);

/** The crossings from the oldest MetalLB on. */
const steps = ['0.14.9', '0.16.1', '0.14.9', '0.13.9'] as const;

const day = '2026-11-20';
const path = 'leases/pools.yaml';

/** A Service on the two addresses of a group, each with a port of its own. */
function sharer(port: number): Edit {
  const ipam = { 'allow-local-shared-ip': 'front', zone: 'edge', 'ip-family': 'dual' };
  return { [`leases/shop/p${port}.yaml`]: serviceText(`p${port}`, { ipam, port }) };
}

const single = (name: string, port: number): Edit => ({
  [`leases/shop/${name}.yaml`]: serviceText(name, {
    ipam: { 'allow-local-shared-ip': 'mail' },
    port,
  }),
});

describeStories('An upgrade of MetalLB', placesInScope, (story) => {
  let port = 8000;
  const declaring = (metallb: string): Edit => {
    const text = story.repository.read(path);
    return { [path]: text.replace(/version: .*(?=, namespace)/, `version: ${metallb}`) };
  };
  const kept = ', annotationPrefix: metallb.universe.tf';
  /** What is committed says this of MetalLB, and is applied. */
  const git = (metallb: string) => story.change([declaring(metallb), day]);
  /** The cluster runs this MetalLB, and every address stays meanwhile. */
  const cluster = (version: MetallbVersion) =>
    story.through(() => story.machine.metallb.become(version));
  /** One more Service shares the addresses of those that have them: MetalLB is at work, and reads what is there. */
  async function join(): Promise<void> {
    port += 1;
    await story.change([sharer(port), day]);
  }
  const prefixes = (): ReadonlySet<string> => {
    const keys = story.planned.objects.flatMap(({ metadata }: KubeObject) =>
      Object.keys(metadata.annotations ?? {}),
    );
    return new Set(keys.flatMap((key) => /^(metallb\..*)\/allow/.exec(key)?.[1] ?? []));
  };

  test('Services share single and dual-stack addresses', async () => {
    const edit = { ...sharer(8000), ...single('in', 25), ...single('out', 465) };
    await story.change([edit, day]);
    await join();
    const pair = story.planned.addresses.get('shop/p8000');
    expect(pair?.split(',')).toHaveLength(2);
    expect(story.planned.addresses.get('shop/p8001')).toBe(pair);
  });

  test('the annotations that the old version does not read are refused', async () => {
    expect(await story.repository.refused(declaring('0.14.9'), day)).toMatch(/ANNOTATIONS_UNREAD/);
  });

  test('git first, up and back: every address stays, and the next Service shares it', async () => {
    for (const version of steps) {
      await git(`${version}${kept}`);
      await join();
      await cluster(version);
    }
    await join();
  });

  test('the cluster first, up and back: every address stays, and the next Service shares it', async () => {
    for (const version of inScope(steps, (one) => one !== '0.14.9')) {
      await cluster(version);
      await join();
      await git(`${version}${kept}`);
    }
    await join();
  });

  test('the new annotations come with a line of their own, and go when git is lowered first', async () => {
    await cluster('0.16.1');
    await git(`0.16.1${kept}`);
    await git('0.16.1, annotationPrefix: metallb.io');
    expect(prefixes()).toEqual(new Set(['metallb.io']));
    await join();
    await git('0.13.9');
    expect(prefixes()).toEqual(new Set(['metallb.universe.tf']));
    await cluster('0.13.9');
    await join();
  });

  test('verify and doctor say so when MetalLB was lowered first, and what they say mends it', async () => {
    await cluster('0.14.9');
    await git('0.14.9, annotationPrefix: metallb.io');
    await story.machine.metallb.become('0.13.9');
    expect(await story.verified(1)).toMatch(
      /cluster problem .*\n.*is MetalLB 0\.13\.9, which ignores the metallb\.io\/ annotations/,
    );
    const doctor = await story.repository.leasehold(
      'doctor',
      '--kubeconfig',
      story.machine.plane.kubeconfig,
    );
    expect(doctor.out).toMatch(/problem +METALLB_RELEASE .*set metallb\.version: 0\.13\.9/s);
    // The old MetalLB takes the shared addresses away in its own time, before or after this commit: only the end is certain.
    await story.engine.synced(await story.repository.change(declaring('0.13.9'), day));
    // MetalLB before 0.15.0 does not look again at a Service that waits.
    await story.machine.metallb.stopController('SIGTERM');
    await story.machine.metallb.startController();
    await story.settle();
    await join();
  });
});
