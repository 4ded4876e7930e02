import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { Reservation } from '../../../../src/core/model/service.ts';
import {
  type ChartValues,
  chartValues,
  chartValuesYaml,
} from '../../../../src/features/list/chart-values.ts';
import { anAddress, thePools } from '../../../support/declarations/pools-and-claims.ts';
import { aReservation } from '../../../support/declarations/services.ts';

function valuesOf(
  changes: Partial<Reservation> = {},
  { addresses = ['203.0.113.7'], version = '0.14.9', sharingKey = 'leasehold-shop' } = {},
): ChartValues {
  const metallb = {
    kind: 'metallb',
    version,
    namespace: 'metallb-system',
    layout: 'lease',
  } as const;
  const [cluster] = thePools({ cluster: { plane: metallb } }).clusters;
  const claim = { holder: 'default/service/shop/web', sharingKey };
  const placement = { addresses: addresses.map(anAddress), pool: { name: 'default' } };
  return chartValues(cluster!, claim, aReservation(changes), placement);
}

test('values for one address have the annotation, and loadBalancerIP in a comment', () => {
  expect(chartValuesYaml([valuesOf()])).toBe(
    `# Service shop/web in cluster default, reserved in leases/shop/web.yaml: 203.0.113.7
# A chart that knows only service.loadBalancerIP takes, in place of the annotation loadBalancerIPs:
#   loadBalancerIP: "203.0.113.7"

service:
  type: LoadBalancer
  annotations:
    metallb.io/allow-shared-ip: leasehold-shop
    metallb.io/loadBalancerIPs: 203.0.113.7
  labels:
    leasehold.dev/reserved: "true"
  ipFamilyPolicy: SingleStack
  ipFamilies:
    - IPv4
`,
  );
});

test('values for two addresses have the annotation with the prefix of the MetalLB version', () => {
  const text = chartValuesYaml([
    valuesOf(
      { ipFamily: 'dual' },
      { addresses: ['203.0.113.7', '2001:db8::7'], version: '0.14.8' },
    ),
  ]);
  expect(text).not.toContain('loadBalancerIP:');
  expect(parse(text)).toEqual({
    service: {
      type: 'LoadBalancer',
      annotations: {
        'metallb.universe.tf/allow-shared-ip': 'leasehold-shop',
        'metallb.universe.tf/loadBalancerIPs': '203.0.113.7,2001:db8::7',
      },
      labels: { 'leasehold.dev/reserved': 'true' },
      ipFamilyPolicy: 'RequireDualStack',
      ipFamilies: ['IPv4', 'IPv6'],
    },
  });
});

test('values for one family of a dual-stack holder have only that family', () => {
  const addresses = ['203.0.113.7', '2001:db8::7'];
  expect(valuesOf({ ipFamily: 'ipv6' }, { addresses })).toMatchObject({
    addresses: ['2001:db8::7'],
    ipFamilies: ['IPv6'],
    loadBalancerIP: '2001:db8::7',
  });
});

test('values for the Service of a Gateway are what its controller copies to the Service', () => {
  const gateway = { namespace: 'shop', name: 'public' };
  expect(chartValuesYaml([valuesOf({ gateway })])).toBe(
    `# Service shop/web in cluster default, reserved in leases/shop/web.yaml: 203.0.113.7

apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  namespace: shop
  name: public
spec:
  infrastructure:
    annotations:
      metallb.io/allow-shared-ip: leasehold-shop
      metallb.io/loadBalancerIPs: 203.0.113.7
    labels:
      leasehold.dev/reserved: "true"
`,
  );
});

test('values for the Service of a Gateway name the fields that a Gateway does not have', () => {
  const gateway = { namespace: 'shop', name: 'public' };
  const addresses = ['203.0.113.7', '2001:db8::7'];
  const [comment] = chartValuesYaml([
    { ...valuesOf({ gateway, ipFamily: 'dual' }, { addresses }), loadBalancerClass: 'metallb' },
  ]).split('\n\n');
  expect(comment).toBe(
    `# Service shop/web in cluster default, reserved in leases/shop/web.yaml: 203.0.113.7 and 2001:db8::7
# Set these fields of this Service in the options of the controller of the Gateway:
#   ipFamilyPolicy: RequireDualStack
#   ipFamilies: [IPv4, IPv6]
#   loadBalancerClass: metallb`,
  );
});

test.each([
  'yes',
  '0x1F',
  '1e3',
  '12:30',
  '1_000',
  'a: b',
  '# no',
  '2026-01-01',
  'a\u001b[31mb',
  'x\ny',
])('a sharing key remains a string in YAML 1.1, without control characters: %j', (sharingKey) => {
  const text = chartValuesYaml([valuesOf({}, { sharingKey })]);
  const [document] = parseAllDocuments(text, { version: '1.1' });
  expect(document?.toJS().service.annotations['metallb.io/allow-shared-ip']).toBe(sharingKey);
  expect(text).not.toContain('\u001b');
});

test('each Service has its own YAML document', () => {
  const texts = parseAllDocuments(chartValuesYaml([valuesOf(), valuesOf({ name: 'api' })]));
  expect(texts).toHaveLength(2);
  expect(chartValuesYaml([])).toBe('');
});

test("text that Go's YAML reader would parse as a number or a date is quoted", () => {
  for (const text of ['0o7', '0B1', '1_000', '1.5e3_', '-0o7', '2001-01-01', 'off', '=', '.inf']) {
    const values = { ...valuesOf(), annotations: { 'metallb.io/allow-shared-ip': text } };
    expect(chartValuesYaml([values])).toContain(`    metallb.io/allow-shared-ip: "${text}"\n`);
  }
});
