import fc from 'fast-check';

/** What may stand in a field: mostly what the API server takes, and now and then something else. */
function mostly<Value>(
  good: fc.Arbitrary<Value>,
  ...bad: readonly unknown[]
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 40, arbitrary: good },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
}

const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);
const key = fc.oneof(
  name,
  fc.tuple(name, name, name).map(([domain, top, last]) => `${domain}.${top}/${last}_X.y`),
);
const labelValue = fc.stringMatching(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?)?$/);
const nodePort = mostly(fc.integer({ min: 30000, max: 32767 }), 80, 0, '30000');

const port = fc.record(
  {
    name: mostly(name, 'Web', '-', ''),
    port: mostly(fc.integer({ min: 1, max: 65535 }), 0, 65536, 10250, '80'),
    protocol: mostly(fc.constantFrom('TCP', 'UDP', 'SCTP'), 'tcp', 'QUIC'),
    targetPort: mostly(
      fc.oneof(fc.integer({ min: 1, max: 65535 }), fc.constantFrom('http', 'a-1', '1-a', 'x')),
      0,
      '80',
      'a--b',
      'much-too-long-name',
    ),
    appProtocol: mostly(fc.constantFrom('http', 'kubernetes.io/h2c', 'example.com/My_p'), 'a b'),
  },
  { requiredKeys: ['name', 'port'] },
);

const annotations = fc.record(
  {
    'ipam.vitistack.io/addresses': mostly(
      fc.constantFrom('', '203.0.113.7', '203.0.113.7/32', ' 203.0.113.7 '),
      '2001:db8::7',
      'x',
    ),
    'ipam.vitistack.io/allow-local-shared-ip': fc.string({ unit: 'grapheme', maxLength: 20 }),
    'ipam.vitistack.io/deny-external-cleanup': mostly(fc.constantFrom('t', 'false'), 'no', true),
    'ipam.vitistack.io/retention-period-days': mostly(fc.constantFrom('0', '30'), '31', '', 7),
    'ipam.vitistack.io/secret': mostly(fc.constantFrom('default', 'my.key'), '', 'A'),
    'ipam.vitistack.io/zone': mostly(fc.constantFrom('inet'), 'lan', ''),
    'leasehold.dev/pool': mostly(fc.constantFrom('default'), 'inner', 'x'),
    'metallb.io/address-pool': mostly(fc.constantFrom('', 'default'), 'inner'),
    'example.com/note': fc.string({ unit: 'grapheme', maxLength: 30 }),
    'argocd.argoproj.io/sync-options': mostly(fc.constant(undefined), 'Prune=false'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what Flux would replace.
    'Example.com/flux': mostly(fc.constantFrom('$VAR', '$ {VAR}'), 'a ${VAR}'),
  },
  { requiredKeys: [] },
);

const metadata = fc.record(
  {
    name: mostly(name, '1web', 'Web', 'a'.repeat(64)),
    namespace: mostly(name, '', 'a.b'),
    labels: fc.dictionary(
      mostly(key, 'a b', 'kustomize.toolkit.fluxcd.io/name', 'akash.network').map(String),
      mostly(labelValue, '-', 'a b').map(String),
      { maxKeys: 3 },
    ),
    annotations,
    finalizers: mostly(fc.constant(undefined), []),
  },
  { requiredKeys: ['name'] },
);

const spec = fc.record(
  {
    type: mostly(
      fc.constantFrom('LoadBalancer', 'LoadBalancer', 'ClusterIP', 'NodePort'),
      'ExternalName',
    ),
    ports: fc.uniqueArray(port, {
      minLength: 1,
      maxLength: 3,
      selector: ({ name, port, protocol }) => [name, port, protocol].join(),
    }),
    selector: fc.dictionary(key, labelValue, { maxKeys: 3 }),
    externalTrafficPolicy: mostly(fc.constantFrom('Cluster', 'Local'), 'local'),
    internalTrafficPolicy: mostly(fc.constantFrom('Cluster', 'Local'), 'local'),
    healthCheckNodePort: nodePort,
    sessionAffinity: mostly(fc.constantFrom('ClientIP', 'None'), 'none'),
    sessionAffinityConfig: mostly(
      fc.constantFrom({}, { clientIP: {} }, { clientIP: { timeoutSeconds: 9 } }),
      { clientIP: { timeoutSeconds: 0 } },
    ),
    ipFamilies: mostly(fc.constantFrom(['IPv4'], ['IPv6'], ['IPv6', 'IPv4']), ['ipv4'], []),
    ipFamilyPolicy: mostly(fc.constantFrom('SingleStack', 'RequireDualStack'), 'PreferDualStack'),
    loadBalancerIP: mostly(fc.constantFrom('', '203.0.113.7'), '203.0.113.7,2001:db8::7'),
    loadBalancerSourceRanges: mostly(
      fc.constantFrom([], ['10.0.0.0/8', 'FD00::/8'], ['0.0.0.0/0', '::/0']),
      ['10.0.0.1/8'],
      ['10.0.0.1'],
    ),
    allocateLoadBalancerNodePorts: fc.boolean(),
    publishNotReadyAddresses: fc.boolean(),
    trafficDistribution: mostly(fc.constant('PreferClose'), 'Prefer'),
    externalIPs: mostly(fc.constant(undefined), ['203.0.113.7']),
  },
  { requiredKeys: ['type', 'ports'] },
);

/** A `v1 Service` that somebody may declare, sound or nearly so. Plain data, of which undefined means nothing. */
export const anyServiceObject = fc
  .record({ metadata, spec: spec.chain(thinned) })
  .map((parts) => ({ apiVersion: 'v1', kind: 'Service', ...parts }));

/** The spec with a few of its optional fields only: most of them do not go with each other. */
function thinned(whole: Readonly<Record<string, unknown>>): fc.Arbitrary<object> {
  const { type, ports, ...others } = whole;
  return fc
    .subarray(Object.entries(others), { maxLength: 4 })
    .map((kept) => ({ type, ports, ...Object.fromEntries(kept) }));
}
