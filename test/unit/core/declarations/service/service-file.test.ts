import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../../../../src/core/net/address.ts';
import {
  declarationPath,
  declaredBy,
  placeText,
  problemsOf,
  readText,
  serviceText,
  somePools,
} from '../../../../support/declarations/read-declaration.ts';

const file = declarationPath;

describe('a Service declaration', () => {
  it('takes every default', () => {
    expect(declaredBy(serviceText())).toEqual({
      kind: 'Service',
      cluster: 'default',
      namespace: 'default',
      name: 'web',
      ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
      isLeased: true,
      zone: undefined,
      pool: undefined,
      ipFamily: 'ipv4',
      familyOrder: ['ipv4'],
      pins: [],
      dns: [],
      retentionDays: 0,
      sharingKey: undefined,
      secret: undefined,
      signature: undefined,
      denyExternalCleanup: false,
      localBackend: undefined,
      isPinnedByAnnotation: false,
      nodePorts: [],
      written: {
        labels: {},
        annotations: {},
        spec: { type: 'LoadBalancer', ports: [{ port: 80, protocol: 'TCP' }] },
      },
      at: { file, line: 4, column: 3 },
    });
  });

  it('takes a field that is null for absent, as the API server does', () => {
    const written = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace:
  creationTimestamp: null
  annotations:
spec:
  type: LoadBalancer
  selector: ~
  ports:
    - port: 80
      targetPort:
status:
`;
    const { at: _, ...declared } = declaredBy(written);
    const { at: __, ...without } = declaredBy(serviceText());
    expect(declared).toEqual(without);
  });

  it.each([
    ['  annotations: { a: null }', 'FIELD_TYPE'],
    ['  labels: { a: null }', 'FIELD_TYPE'],
  ])('refuses the text %s', (text, code) => {
    expect(problemsOf(serviceText({ metadata: text.trim() })).map((one) => one.code)).toEqual([
      code,
    ]);
  });

  it('reads all terms from annotations', () => {
    const declared = declaredBy(
      serviceText({
        metadata: 'namespace: shop',
        annotations: {
          'ipam.vitistack.io/addresses': '10.0.0.7',
          'ipam.vitistack.io/allow-local-shared-ip': 'a key, with more',
          'ipam.vitistack.io/deny-external-cleanup': 'T',
          'ipam.vitistack.io/ip-family': 'ipv4',
          'ipam.vitistack.io/retention-period-days': '30',
          'ipam.vitistack.io/secret': 'my.key',
          'ipam.vitistack.io/zone': 'lan',
          'leasehold.dev/cluster': 'default',
          'leasehold.dev/dns': 'shop.example.com, *.example.com',
          'leasehold.dev/pool': 'inner',
          'leasehold.dev/signature': 'abc',
        },
      }),
    );

    expect(declared).toMatchObject({
      namespace: 'shop',
      zone: 'lan',
      pool: 'inner',
      retentionDays: 30,
      dns: [{ name: 'shop.example.com' }, { name: '*.example.com' }],
      sharingKey: 'a key, with more',
      secret: { name: 'my.key', at: { file, line: 11, column: 31 } },
      signature: { text: 'abc', at: { file, line: 16, column: 30 } },
      denyExternalCleanup: true,
    });
    expect(declared.pins.map(({ address }) => formatAddress(address))).toEqual(['10.0.0.7']);
  });

  it('keeps the declared fields, without those that leasehold fills in', () => {
    const declared = declaredBy(
      serviceText({
        metadata: 'labels: { app: web, app.kubernetes.io/managed-by: leasehold }',
        annotations: {
          'example.com/note': 'mine',
          'ipam.vitistack.io/zone': 'inet',
          'metallb.io/address-pool': 'default',
          'metallb.universe.tf/allow-shared-ip': 'k',
        },
        spec: [
          'loadBalancerIP: 203.0.113.9',
          'ipFamilies: [IPv4]',
          'ipFamilyPolicy: SingleStack',
          'externalTrafficPolicy: Local',
          'selector: { b: "2", a: "1" }',
          'sessionAffinity: None',
        ].join('\n'),
        ports: '[{ name: http, port: 80, targetPort: web }]',
      }),
    );

    expect(declared).toMatchObject({
      pool: 'default',
      sharingKey: 'k',
      ports: [{ port: 80, targetPort: undefined, protocol: 'TCP' }],
      localBackend: 'a=1,b=2',
      isPinnedByAnnotation: false,
      written: {
        labels: { app: 'web', 'app.kubernetes.io/managed-by': 'leasehold' },
        annotations: { 'example.com/note': 'mine', 'ipam.vitistack.io/zone': 'inet' },
      },
    });
    expect('written' in declared && declared.written).toHaveProperty('spec', {
      type: 'LoadBalancer',
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 'web' }],
      selector: { b: '2', a: '1' },
      externalTrafficPolicy: 'Local',
      sessionAffinity: 'None',
    });
  });

  it.each(['ClusterIP', 'NodePort'])(
    'of type %s has no address, and keeps its families',
    (type) => {
      const spec = 'ipFamilyPolicy: PreferDualStack\nloadBalancerIP: 203.0.113.9';
      const annotations = { 'metallb.io/address-pool': 'default' };

      expect(declaredBy(serviceText({ type, spec, annotations }))).toMatchObject({
        isLeased: false,
        written: {
          annotations: {},
          spec: {
            type,
            ports: [{ port: 80, protocol: 'TCP' }],
            ipFamilyPolicy: 'PreferDualStack',
          },
        },
      });
    },
  );

  it.each([
    ['ipv4', undefined, ['IPv4'], 'SingleStack'],
    ['ipv6', undefined, ['IPv6'], 'SingleStack'],
    ['dual', undefined, ['IPv4', 'IPv6'], 'RequireDualStack'],
    [
      'dual',
      'ipFamilies: [IPv6, IPv4]\nipFamilyPolicy: RequireDualStack',
      ['IPv6', 'IPv4'],
      'RequireDualStack',
    ],
    ['dual', 'ipFamilyPolicy: PreferDualStack', ['IPv4', 'IPv6'], 'PreferDualStack'],
  ])(
    'without an address has the families that its annotation names: %s %s',
    (annotated, spec, ipFamilies, ipFamilyPolicy) => {
      const annotations = { 'ipam.vitistack.io/ip-family': annotated };
      const text = serviceText({ type: 'ClusterIP', annotations, ...(spec ? { spec } : {}) });
      expect(declaredBy(text)).toMatchObject({ written: { spec: { ipFamilies, ipFamilyPolicy } } });
    },
  );

  it('lists each node port once, with its place', () => {
    const ports =
      '[{ name: a, port: 53, nodePort: 30053 }, { name: b, port: 53, protocol: UDP, nodePort: 30053 }]';
    const spec = 'externalTrafficPolicy: Local\nhealthCheckNodePort: 30090';
    const declared = declaredBy(serviceText({ ports, spec }));
    expect('nodePorts' in declared && declared.nodePorts.map(({ port }) => port)).toEqual([
      30053, 30090,
    ]);
  });

  it('without a type has no address', () => {
    const text = serviceText().replace('  type: LoadBalancer\n', '');

    expect(declaredBy(text)).toMatchObject({
      isLeased: false,
      written: { spec: { type: 'ClusterIP' } },
    });
  });

  it('is also checked in a type without an address', () => {
    const annotations = { 'ipam.vitistack.io/retention-period-days': '31' };

    expect(problemsOf(serviceText({ type: 'NodePort', annotations })).map(placeText)).toEqual([
      'FIELD_VALUE 6:46',
    ]);
  });

  it('with externalTrafficPolicy Local and no selector has an empty backend, as in MetalLB', () => {
    const spec = 'externalTrafficPolicy: Local';

    expect(declaredBy(serviceText({ spec }))).toHaveProperty('localBackend', '');
  });

  it.each(['default', undefined])('has no key when its secret is %s', (secret) => {
    const annotations = secret === undefined ? {} : { 'ipam.vitistack.io/secret': secret };

    expect(declaredBy(serviceText({ annotations })).secret).toBeUndefined();
  });

  it('does not share with an empty sharing key, as in MetalLB', () => {
    const annotations = { 'ipam.vitistack.io/allow-local-shared-ip': '' };

    expect(declaredBy(serviceText({ annotations })).sharingKey).toBeUndefined();
  });

  it.each([
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
    ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
  ])('reads deny-external-cleanup: %s as Go does', (text, isDenied) => {
    const annotations = { 'ipam.vitistack.io/deny-external-cleanup': text };

    expect(declaredBy(serviceText({ annotations })).denyExternalCleanup).toBe(isDenied);
  });

  it('is checked as far as possible without the pools', () => {
    const annotations = { 'ipam.vitistack.io/zone': 'moon', 'leasehold.dev/cluster': 'other' };

    expect(readText(serviceText({ annotations }), undefined)).toEqual({
      ok: true,
      value: undefined,
    });
    expect(problemsOf(serviceText({ annotations }), somePools).map(placeText)).toEqual([
      'ZONE_UNKNOWN 6:29',
      'CLUSTER_UNKNOWN 7:28',
    ]);
  });

  it('reports only the substitution for a text that Flux replaces', () => {
    const text = serviceText({ spec: `selector: { app: '\${APP}' }` });

    expect(problemsOf(text).map(placeText)).toEqual(['SUBSTITUTION 8:20']);
  });

  it('reports the problems of all parts together', () => {
    const text = serviceText({
      metadata: 'labels: { leasehold.dev/leases: "true" }',
      annotations: { 'ipam.vitistack.io/ip-family': 'both', 'ipam.vitistack.io/adresses': 'x' },
      ports: '[{ port: 80 }, { port: 80 }]',
    });

    expect(problemsOf(text).map(placeText)).toEqual([
      'FIELD_VALUE 6:34',
      'ANNOTATION_UNKNOWN 7:5',
      'METADATA_REFUSED 8:13',
      'SERVICE_INVALID 11:11',
      'SERVICE_INVALID 11:25',
      'SERVICE_INVALID 11:33',
    ]);
  });
});
