/**
 * What a Service of vitistack's ipam-operator may change while it is live, and what comes of it here: the rules of its
 * update webhook (ipam-operator: internal/webhook/v1/service_webhook_validate_update.go) that no other test holds.
 */

import { expect, test } from 'vitest';
import { type ServiceTextWords, serviceText } from '../../support/declarations/service-text.ts';
import { objectsIn } from '../../support/manifests/written-objects.ts';
import {
  type Neighbourhood,
  neighbourhood,
  poolText,
} from '../../support/repositories/akash-tenants.ts';

const twoZones = `defaultZone: inet
pools:
  - { name: inet, zone: inet, addresses: [203.0.113.0/28, '2001:db8:1::/124'] }
  - { name: lab, zone: lab, addresses: [198.51.100.0/28] }
`;
const web = 'leases/alice/web.yaml';

/** Alice's Service `web` is live beside the neighbours, in a file of two zones. */
async function withWeb(words: ServiceTextWords): Promise<Neighbourhood> {
  return neighbourhood({
    'leases/pools.yaml': poolText('').replace(/pools:\n\n$/, twoZones),
    [web]: text(words),
  });
}

function text(words: ServiceTextWords): string {
  return serviceText('web', { namespace: 'alice', ...words });
}

function addressIn({ records }: Neighbourhood): string {
  return records()[0]?.split(' ')[0] ?? '';
}

// There, a change of the zone is let through once `addresses` is emptied.
test('another zone is refused while an address is held, with a pin and without', {
  tags: 'slow',
}, async () => {
  const street = await withWeb({});
  const refusal = [expect.stringMatching(/^ADDRESS_STRANDED leases\/allocations\/203/)];
  street.put(web, text({ ipam: { zone: 'lab' } }));
  expect(await street.refused('2026-01-03')).toEqual(refusal);
  street.put(web, text({ ipam: { zone: 'lab', addresses: '' } }));
  expect(await street.refused('2026-01-03')).toEqual(refusal);
});

test('a Service that ends and is declared again gets an address of its new zone', {
  tags: 'slow',
}, async () => {
  const street = await withWeb({ ipam: { 'retention-period-days': '3' } });
  const old = addressIn(street);
  street.put(web, '');
  await street.live('2026-01-03');
  street.put(web, text({ ipam: { zone: 'lab' } }));
  await street.live('2026-01-03');
  expect(street.records()).toEqual([
    expect.stringMatching(/^198\.51\.100\.\d+ web held$/),
    `${old} web free from 2026-01-06`,
  ]);
});

test('pins in another order, and in another spelling, change no address', {
  tags: 'slow',
}, async () => {
  const pinned = (addresses: string) => text({ ipam: { 'ip-family': 'dual', addresses } });
  const street = await withWeb({});
  street.put(web, '');
  await street.live('2026-01-03');
  street.put(web, pinned('203.0.113.9,2001:db8:1::9'));
  await street.live('2026-01-04');
  const records = street.records();
  const { spec } = serviceIn(street);
  street.put(web, pinned('2001:DB8:1:0::9/128, 203.0.113.9/32'));
  expect(await street.live('2026-01-05')).toEqual([expect.stringMatching(/^~ dist/)]);
  expect(street.records()).toEqual(records);
  expect(serviceIn(street)).toMatchObject({
    metadata: { annotations: { 'metallb.io/loadBalancerIPs': '203.0.113.9,2001:db8:1::9' } },
    spec,
  });
});

// There, an address that is taken out of `addresses` is given up, and another one is given.
test('a pin that goes leaves the address where it is, when something else says the zone', {
  tags: 'slow',
}, async () => {
  const addresses = '198.51.100.9';
  const street = await withWeb({ ipam: { zone: 'lab', addresses } });
  street.put(web, text({ ipam: { zone: 'lab', addresses: '' } }));
  await street.live('2026-01-03');
  expect(street.records()).toEqual([`${addresses} web held`]);
  street.put(web, text({ ipam: { addresses } }));
  await street.live('2026-01-04');
  street.put(web, text({}));
  expect(await street.refused('2026-01-05')).toEqual([
    expect.stringMatching(/^ADDRESS_STRANDED leases\/allocations\/198/),
  ]);
});

// There, a changed retention is not sent before the secret changes or the Service goes.
test('another retention counts from the next synth, and a shorter one does not shorten an earlier one', {
  tags: 'slow',
}, async () => {
  const street = await withWeb({});
  const address = addressIn(street);
  street.put(web, text({ ipam: { 'retention-period-days': '9' } }));
  await street.live('2026-01-03');
  expect(recordIn(street)).toContain('retain: 9\n');
  street.put(web, text({}));
  await street.live('2026-01-05');
  street.put(web, '');
  await street.live('2026-01-06');
  expect(street.records()).toEqual([`${address} web free from 2026-01-14`]);
});

// There, whoever writes the same key into another namespace asks MetalLB for the same address.
test('the sharing key of another namespace is another holder with another address', async () => {
  const ipam = { 'allow-local-shared-ip': 'front' };
  const street = await withWeb({ ipam, port: 8443 });
  const [alices] = street.records();
  const eves = objectsIn(street.root, 'Service').filter(
    ({ metadata }) => metadata.namespace === 'eve',
  );
  expect(alices).toMatch(/ front held$/);
  expect(eves).toHaveLength(2);
  for (const { spec } of eves) expect(spec.loadBalancerIP).not.toBe(addressIn(street));
});

/** Alice's Service as it came out. */
function serviceIn({ root }: Neighbourhood) {
  const own = objectsIn(root, 'Service').filter(({ metadata }) => metadata.namespace === 'alice');
  return { metadata: own[0]?.metadata, spec: own[0]?.spec };
}

function recordIn(street: Neighbourhood): string {
  const address = addressIn(street);
  return street.read(`leases/allocations/${address.replace(/\.\d+$/, '')}/${address}.yaml`);
}
