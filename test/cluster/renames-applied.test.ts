import { expect, test } from 'vitest';
import { declared, leaseOf } from '../support/cluster/declared.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { inScope } from '../support/run/scope.ts';

/** Both engines and layouts, with MetalLB before and after 0.15. */
const places: readonly Place[] = [
  { metallb: '0.14.9', engine: 'Flux', layout: 'lease' },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool' },
  { metallb: '0.16.1', engine: 'Argo CD', layout: 'lease' },
  { metallb: '0.16.1', engine: 'Flux', layout: 'pool' },
];
const placesInScope = inScope(places, (place) => place.metallb === '0.14.9');

const day = '2026-11-20';
const ember = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';

/** A namespace with twelve Services: one has both families, two share an address. */
function shop(): Readonly<Record<string, string>> {
  const plain = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [`s${number}`, {}] as const);
  const sharing = { annotations: { 'ipam.vitistack.io/allow-local-shared-ip': 'front' } };
  const pair = {
    annotations: { 'ipam.vitistack.io/ip-family': 'dual', 'ipam.vitistack.io/zone': 'edge' },
  };
  const all = [
    ...plain,
    ['pair', pair],
    ['one', { ...sharing, spec: { ports: [{ port: 81 }] } }],
    ['two', { ...sharing, spec: { ports: [{ port: 82 }] } }],
  ] as const;
  return Object.fromEntries(
    all.map(([name, written]) => [`leases/shop/${name}.yaml`, declared('shop', name, written)]),
  );
}

/** A lease on the endpoint `site` of one owner. */
function site(dseq: string, port: number): string {
  return leaseOf(ember, dseq, { name: 'site', service: 'web', port, externalPort: port });
}

describeStories('Renames applied', placesInScope, (story) => {
  test('twelve Services go to another namespace with their addresses', async () => {
    await story.change([shop(), day]);
    const before = [...story.planned.addresses];
    await story.follow(() =>
      story.repository.run(day, 'rename', 'default/namespace/shop', 'store'),
    );
    const renamed = before.map(([name, address]) => [name.replace(/^shop\//, 'store/'), address]);
    expect(renamed.filter(([name]) => name?.startsWith('store/'))).toHaveLength(12);
    expect(Object.fromEntries(story.planned.addresses)).toEqual(Object.fromEntries(renamed));
  });

  test('the Services of two leases keep the address of their endpoint throughout', async () => {
    await story.change([
      {
        'leases/ember/18500011.yaml': site('18500011', 8080),
        'leases/ember/18500012.yaml': site('18500012', 8081),
      },
      day,
    ]);
    const before = Object.fromEntries(story.planned.addresses);
    await story.follow(() => story.repository.run(day, 'rename', `${ember}/site`, 'blog'));
    expect(Object.fromEntries(story.planned.addresses)).toEqual(before);
    await story.follow(() => story.repository.run(day, 'rename', `${ember}/blog`, 'site'));
    expect(Object.fromEntries(story.planned.addresses)).toEqual(before);
  });
});
