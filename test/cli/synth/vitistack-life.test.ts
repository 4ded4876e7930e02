// @module-tag slow

/**
 * What goes wrong in vitistack's ipam-operator and ipam-api over the life of a Service, and must not here. W1 to W14
 * are faults read from their code: what is left behind, what is never mended, and what changes without being asked.
 */

import { expect, test } from 'vitest';
import { type ServiceTextWords, serviceText } from '../../support/declarations/service-text.ts';
import { objectsIn } from '../../support/manifests/written-objects.ts';
import {
  type Neighbourhood,
  neighbourhood,
  poolText,
} from '../../support/repositories/akash-tenants.ts';
import { filesBelow } from '../../support/trees/tree-bytes.ts';

const eight =
  '  - { name: default, zone: inet, addresses: [203.0.113.0/29], retentionDays: 0, strategy: lowest }';
const shared = { ipam: { 'allow-local-shared-ip': 'front' } };

// W1: an address of one family is taken, the other one fails, and the first is leaked for good.
test('a dual Service in a zone without IPv6 is refused before anything is taken, and leaves nothing behind', async () => {
  const street = await neighbourhood();
  put(street, 'web', { ipam: { 'ip-family': 'dual' } });
  expect(await street.refused('2026-01-03')).toEqual([
    expect.stringMatching(/^ZONE_FAMILY leases\/alice\/web\.yaml:/),
  ]);
  put(street, 'web', {});
  await street.live('2026-01-03');
  expect(street.records()).toEqual([`${addressOf(street, 'web')} web held`]);
});

// W6: the type change releases nothing, and the pool keeps the address.
test('a LoadBalancer that turns ClusterIP gives its address back for its retention, and has it again when it returns', async () => {
  const street = await neighbourhood({ 'leases/alice/web.yaml': text('web', keptFor(7)) });
  const address = addressOf(street, 'web');
  put(street, 'web', { ...keptFor(7), type: 'ClusterIP' });
  await street.live('2026-01-03');
  expect(street.records()).toEqual([`${address} web free from 2026-01-10`]);
  expect(serviceOf(street, 'web')?.spec).toMatchObject({ type: 'ClusterIP' });
  expect(addressOf(street, 'web')).toBeUndefined();
  put(street, 'web', keptFor(7));
  await street.live('2026-01-09');
  expect(addressOf(street, 'web')).toBe(address);
});

// W6: two sharers that go together each count the other one, and the address stays taken.
test('two Services that share an address and go together release it once', async () => {
  const street = await neighbourhood({
    'leases/alice/web.yaml': text('web', shared),
    'leases/alice/tls.yaml': text('tls', { ...shared, port: 443 }),
  });
  const address = addressOf(street, 'web');
  expect(addressOf(street, 'tls')).toBe(address);
  put(street, 'web');
  put(street, 'tls');
  await street.live('2026-01-03');
  expect(street.records()).toEqual([`${address} front free from 2026-01-04`]);
  expect([...filesBelow(street.root, ['dist']).values()].join('')).not.toContain(address);
});

test('one of two sharers goes, and the other serves on as it did', async () => {
  const street = await neighbourhood({
    'leases/alice/web.yaml': text('web', shared),
    'leases/alice/tls.yaml': text('tls', { ...shared, port: 443 }),
  });
  const tls = serviceOf(street, 'tls');
  const records = street.records();
  put(street, 'web');
  await street.live('2026-01-03');
  expect(serviceOf(street, 'tls')).toEqual(tls);
  expect(street.records()).toEqual(records);
});

// W12: whatever somebody changes by hand is never put right.
test('a manifest that was changed by hand is told by check, and synth puts it right', async () => {
  const street = await neighbourhood({ 'leases/alice/web.yaml': text('web') });
  const before = filesBelow(street.root);
  const { path } = serviceOf(street, 'web') ?? { path: '' };
  street.edit(path, 'type: LoadBalancer', 'type: NodePort');
  expect(await street.run('check')).toMatchObject({
    status: 1,
    out: expect.stringContaining(`${path}:52:3 STALE`),
  });
  expect(await street.run('synth', '--today', '2026-01-03')).toMatchObject({ status: 0 });
  expect(filesBelow(street.root)).toEqual(before);
});

// W13: a Service that nobody asked about gets a new address at its first unrelated update.
test('a Service without annotations keeps its address whatever else its author changes', async () => {
  const street = await neighbourhood({ 'leases/alice/web.yaml': text('web') });
  const address = addressOf(street, 'web');
  const records = street.records();
  const changes: readonly ServiceTextWords[] = [
    { spec: { selector: { app: 'other' } } },
    { port: 8080 },
    { spec: { ports: [{ port: 80, targetPort: 8443 }] } },
    { spec: { externalTrafficPolicy: 'Local' } },
    { spec: { sessionAffinity: 'ClientIP' } },
  ];
  for (const [index, words] of changes.entries()) {
    put(street, 'web', words);
    expect(await street.live(`2026-01-0${index + 3}`)).toEqual([expect.stringMatching(/^~ dist/)]);
    expect(addressOf(street, 'web')).toBe(address);
    expect(street.records()).toEqual(records);
  }
});

test('dropping one port of a Service takes that port away, and the address stays', async () => {
  const ports = [
    { name: 'http', port: 80 },
    { name: 'https', port: 443 },
  ];
  const street = await neighbourhood({
    'leases/alice/web.yaml': text('web', { spec: { ports } }),
  });
  const address = addressOf(street, 'web');
  put(street, 'web', { spec: { ports: ports.slice(1) } });
  await street.live('2026-01-03');
  expect(serviceOf(street, 'web')?.spec.ports).toMatchObject([{ port: 443 }]);
  expect(addressOf(street, 'web')).toBe(address);
});

test('a renamed Service is another holder, and its old name may have its address back while it is kept', async () => {
  const street = await neighbourhood({ 'leases/alice/web.yaml': text('web', keptFor(3)) });
  const address = addressOf(street, 'web');
  put(street, 'web');
  put(street, 'shop');
  await street.live('2026-01-03');
  expect(addressOf(street, 'shop')).not.toBe(address);
  expect(street.records()).toContain(`${address} web free from 2026-01-06`);
  put(street, 'web', keptFor(0));
  await street.live('2026-01-05');
  expect(addressOf(street, 'web')).toBe(address);
});

// W14: an address without retention is the very next one that is handed out.
test('an address that was just given back is the last one to be handed out', async () => {
  const street = await neighbourhood({
    'leases/pools.yaml': poolText(eight),
    'leases/alice/web.yaml': text('web'),
  });
  const address = addressOf(street, 'web');
  put(street, 'web');
  await street.live('2026-01-03');
  const names = Array.from({ length: 4 }, (_, index) => `s${index}`);
  const given: unknown[] = [];
  for (const name of names) {
    put(street, name);
    await street.live('2026-01-03');
    given.push(addressOf(street, name));
  }
  expect(given.indexOf(address)).toBe(names.length - 1);
});

/** Writes Alice's Service; without words for one that is there, removes it. */
function put(street: Neighbourhood, name: string, words?: ServiceTextWords): void {
  const path = `leases/alice/${name}.yaml`;
  const isThere = filesBelow(street.root, ['leases']).has(path);
  street.put(path, words === undefined && isThere ? '' : text(name, words));
}

function text(name: string, words: ServiceTextWords = {}): string {
  return serviceText(name, { namespace: 'alice', ...words });
}

function keptFor(days: number): ServiceTextWords {
  return { ipam: { 'retention-period-days': `${days}` } };
}

function serviceOf({ root }: Neighbourhood, name: string) {
  return objectsIn(root, 'Service').find(
    ({ metadata }) => metadata.namespace === 'alice' && metadata.name === name,
  );
}

/** The address that a Service is pinned to. */
function addressOf(street: Neighbourhood, name: string): string | undefined {
  return serviceOf(street, name)?.spec.loadBalancerIP;
}
