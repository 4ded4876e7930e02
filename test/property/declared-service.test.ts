// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { liveFacts } from '../../src/core/manifests/live-facts.ts';
import { namedManifests, readManifests } from '../../src/core/manifests/manifest-objects.ts';
import { holderPath } from '../../src/core/manifests/paths.ts';
import { thePools } from '../support/declarations/pools-and-claims.ts';
import { aService, aServicePlacement } from '../support/declarations/services.ts';
import { renderedTexts } from '../support/manifests/rendered.ts';
import { runs } from '../support/run/scope.ts';

/** Texts that would be objects, documents or fields of ours if they were read by lines alone. */
const hostile = fc.constantFrom(
  '---\napiVersion: v1\nkind: Service\nmetadata:\n  name: other\n  namespace: else\n',
  'kind: Service\n  loadBalancerIP: 192.0.2.1\n    metallb.io/loadBalancerIPs: 192.0.2.1',
  '\n\n  name: other\n\n  namespace: else\n',
  '  ipFamilies:\n    - IPv6\n',
  '192.0.2.1',
  'a\n---\nb',
);
const text = fc.oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 30 }));
const key = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9]{0,5}\.[a-z]{2,3}\/[A-Za-z][A-Za-z0-9_.]{0,5}[a-z]$/),
  fc.constantFrom('name', 'namespace', 'yes', 'y', '1e3', 'constructor'),
);
const labelKey = fc.oneof(key, fc.constantFrom('metallb.io/loadBalancerIPs'));
const labelValue = fc.oneof(
  fc.stringMatching(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?)?$/),
  fc.constantFrom('192.0.2.1', 'yes', '1e3', '0x1F', '1_000'),
);

const options = { noNullPrototype: true, maxKeys: 4 };

test('whatever its author wrote, a Service is read back as it was written, and as nothing else', () => {
  fc.assert(
    fc.property(
      fc.dictionary(key, text, options),
      fc.dictionary(labelKey, labelValue, options),
      fc.dictionary(labelKey, labelValue, { ...options, minKeys: 1 }),
      fc.boolean(),
      (annotations, labels, selector, isDual) => {
        const declared = aService({
          annotations,
          labels,
          spec: { selector },
          ipFamily: isDual ? 'dual' : 'ipv4',
        });
        const addresses = isDual ? ['203.0.113.7', '2001:db8::7'] : ['203.0.113.7'];
        const placement = aServicePlacement([declared], addresses);
        const path = holderPath({ name: 'default', shards: 1 }, placement.holder);
        const file = renderedTexts(thePools(), [placement]).get(path) ?? '';

        const service = readManifests(file).find(({ kind }) => kind === 'service')?.object;
        expect(service?.metadata.annotations).toMatchObject(annotations);
        expect(service?.metadata.labels).toMatchObject(labels);
        expect(service?.spec).toMatchObject({ selector });
        expect([...namedManifests(file).keys()]).toEqual([
          'IPAddressPool metallb-system/ip-203.0.113.7',
          'L2Advertisement metallb-system/ip-203.0.113.7',
          'Service shop/web',
        ]);
        const facts = liveFacts(file);
        expect([...facts.families]).toEqual([['shop/web', 'IPv4']]);
        expect([...facts.pins.values()]).toEqual(addresses);
        expect([...facts.sharers]).toEqual([
          [
            'shop/web',
            {
              pins: addresses,
              sharingKey: 'leasehold-shop',
              prefix: 'metallb.io',
              ports: ['80/TCP'],
              backend: '',
            },
          ],
        ]);
      },
    ),
    { seed: 5, numRuns: runs(500) },
  );
});
