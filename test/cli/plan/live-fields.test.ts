// @module-tag slow

import { describe, expect, test } from 'vitest';
import type { Grade } from '../../../src/core/run/plan/objects/field-grades.ts';
import type { FieldChange, Plan } from '../../../src/core/run/plan/plan-answer.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { leaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { inScope } from '../../support/run/scope.ts';

const pools = providerPoolsText(`metallb: { version: 0.13.9 }
pools:
  - { name: default, zone: inet, addresses: [203.0.113.0/28], retentionDays: 10 }
`);

const service = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  labels: { team: a }
  annotations: { note: one }
spec:
  type: LoadBalancer
  selector: { app: web }
  sessionAffinity: ClientIP
  loadBalancerSourceRanges: [10.0.0.0/8]
  ports:
    - { name: http, port: 80, targetPort: 8080 }
    - { name: https, port: 443, targetPort: https }
`;

const file = 'leases/shop/web.yaml';
const [reach, identity, cosmetic]: Grade[] = ['reach', 'identity', 'cosmetic'];
const spec = (line: string): readonly [string, string] => ['spec:\n', `spec:\n  ${line}\n`];

/** What is replaced by what, the changed field with both values, and its grade. */
const changes: readonly (readonly [
  from: string,
  into: string,
  field: string,
  grade: Grade | undefined,
])[] = [
  ['{ app: web }', '{ app: other }', 'spec.selector.app web → other', reach],
  ['{ app: web }', '{ app: web, tier: a }', 'spec.selector.tier none → a', reach],
  ['  selector: { app: web }\n', '', 'spec.selector.app web → none', reach],
  [
    '  loadBalancerSourceRanges: [10.0.0.0/8]\n',
    '',
    'spec.loadBalancerSourceRanges 10.0.0.0/8 → none',
    reach,
  ],
  ['[10.0.0.0/8]', '[0.0.0.0/0]', 'spec.loadBalancerSourceRanges 10.0.0.0/8 → 0.0.0.0/0', reach],
  [...spec('externalTrafficPolicy: Local'), 'spec.externalTrafficPolicy none → Local', reach],
  [
    ...spec('externalTrafficPolicy: Cluster'),
    'spec.externalTrafficPolicy none → Cluster',
    cosmetic,
  ],
  [...spec('internalTrafficPolicy: Local'), 'spec.internalTrafficPolicy none → Local', reach],
  [
    ...spec('trafficDistribution: PreferClose'),
    'spec.trafficDistribution none → PreferClose',
    reach,
  ],
  [...spec('publishNotReadyAddresses: true'), 'spec.publishNotReadyAddresses none → true', reach],
  [
    ...spec('allocateLoadBalancerNodePorts: false'),
    'spec.allocateLoadBalancerNodePorts none → false',
    reach,
  ],
  ['ClientIP', 'None', 'spec.sessionAffinity ClientIP → None', reach],
  [
    ...spec('sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } }'),
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds none → 60',
    reach,
  ],
  ['targetPort: 8080', 'targetPort: 9090', 'spec.ports[0].targetPort 8080 → 9090', reach],
  ['targetPort: https', 'targetPort: admin', 'spec.ports[1].targetPort https → admin', reach],
  ['port: 80,', 'port: 81,', 'spec.ports[0].port 80 → 81', reach],
  ['port: 443,', 'port: 443, protocol: UDP,', 'spec.ports[1].protocol TCP → UDP', reach],
  ['name: http,', 'name: plain,', 'spec.ports[0].name http → plain', reach],
  ['port: 80,', 'port: 80, appProtocol: h2c,', 'spec.ports[0].appProtocol none → h2c', reach],
  ['port: 80,', 'port: 80, nodePort: 30080,', 'spec.ports[0].nodePort none → 30080', reach],
  [
    '    - { name: http, port: 80, targetPort: 8080 }\n',
    '',
    'spec.ports[0] {"name":"http","port":80,"protocol":"TCP","targetPort":8080} → none',
    reach,
  ],
  [
    'type: LoadBalancer\n  selector: { app: web }\n  sessionAffinity: ClientIP\n  loadBalancerSourceRanges: [10.0.0.0/8]',
    'selector: { app: web }\n  sessionAffinity: ClientIP',
    'spec.type LoadBalancer → ClusterIP',
    reach,
  ],
  [
    'note: one',
    'note: one, ipam.vitistack.io/allow-local-shared-ip: k1',
    'metadata.annotations.ipam.vitistack.io/allow-local-shared-ip none → k1',
    reach,
  ],
  [
    'note: one',
    'note: one, leasehold.dev/dns: www.example.com',
    'metadata.annotations.leasehold.dev/dns none → www.example.com',
    reach,
  ],
  [
    'note: one',
    'note: one, ipam.vitistack.io/retention-period-days: "3"',
    'metadata.annotations.ipam.vitistack.io/retention-period-days none → 3',
    cosmetic,
  ],
  [
    'note: one',
    'note: one, service.kubernetes.io/topology-mode: Auto',
    'metadata.annotations.service.kubernetes.io/topology-mode none → Auto',
    reach,
  ],
  [
    'note: one',
    'note: one, lbipam.cilium.io/sharing-key: k',
    'metadata.annotations.lbipam.cilium.io/sharing-key none → k',
    reach,
  ],
  ['note: one', 'note: two', 'metadata.annotations.note one → two', cosmetic],
  ['team: a', 'team: b', 'metadata.labels.team a → b', cosmetic],
  [
    'team: a',
    'team: a, app.kubernetes.io/version: "2"',
    'metadata.labels.app.kubernetes.io/version none → 2',
    cosmetic,
  ],
  [
    'team: a',
    'team: a, app.kubernetes.io/instance: shop',
    'metadata.labels.app.kubernetes.io/instance none → shop',
    identity,
  ],
  [
    'team: a',
    'team: a, service.kubernetes.io/service-proxy-name: x',
    'metadata.labels.service.kubernetes.io/service-proxy-name none → x',
    reach,
  ],
  ['{ name: http, port: 80,', '{ port: 80, name: http,', '', undefined],
];

function fieldsOf({ manifests }: Plan, object: string): readonly FieldChange[] {
  return manifests.flatMap(({ objects }) =>
    objects.filter((one) => one.object === object).flatMap(({ fields = [] }) => fields),
  );
}

/** Each field as `changes` has it. */
function shownIn(fields: readonly FieldChange[]): readonly string[] {
  return fields.map(({ path, before = 'none', after = 'none' }) => `${path} ${before} → ${after}`);
}

test('a changed field of a live Service has both values and a grade', async () => {
  const many = changes.map(([from, into], index) => {
    const text = service.replace('name: web', `name: s${index}`);
    expect(text).toContain(from);
    const path = `leases/shop/s${index}.yaml`;
    return { path, text, changed: text.replace(from, into) };
  });
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools.replace('203.0.113.0/28', '203.0.113.0/26'),
    ...Object.fromEntries(many.map(({ path, text }) => [path, text])),
  });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  for (const { path, changed } of many) checkout.put(path, changed);
  await checkout.synth('2026-01-03');
  const plan: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
  for (const [index, [, , field, grade]] of changes.entries()) {
    const fields = fieldsOf(plan, `Service shop/s${index}`);
    const shown = shownIn(fields);
    expect(shown).toEqual(expect.arrayContaining(field === '' ? [] : [field]));
    expect([field, fields[shown.indexOf(field)]?.grade]).toEqual([field, grade]);
  }
});

/** A row of each grade; a full run plays every row in a plan of its own. */
const usualFields = new Set(['spec.selector.app web → other', 'metadata.labels.team a → b', '']);
const alone = inScope(
  changes,
  ([, , field, grade]) => usualFields.has(field) || grade === 'identity',
);

describe('a single changed field of a live Service', () => {
  const begun = () =>
    remade('a live Service', async () => {
      const checkout = await leaseCheckout({ 'leases/pools.yaml': pools, [file]: service });
      checkout.repository.git('checkout', '-q', '-b', 'change');
      return checkout;
    });

  test.each(alone)('%j becomes %j: %s is %s', async (from, into, field, grade) => {
    const checkout = await begun();
    checkout.edit(file, from, into);
    await checkout.synth('2026-01-03');
    const plan: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
    const fields = plan.manifests.flatMap(({ objects }) =>
      objects.flatMap(({ fields = [] }) => fields),
    );
    const worst = (['reach', 'identity', 'cosmetic'] as const).find((one) =>
      fields.some((each) => each.grade === one),
    );
    expect(fields[shownIn(fields).indexOf(field)]?.grade).toBe(grade);
    const codes = plan.cautions.map(({ code }) => code);
    expect(codes.includes('REACH_CHANGED')).toBe(worst === 'reach');
    const isTouched = worst === 'reach' || worst === 'identity';
    expect(plan.verdict).toBe(isTouched ? 'caution' : worst ? 'routine' : 'no change');
    if (isTouched)
      expect(plan.summary + plan.cautions.map(({ message }) => message)).toContain(field);
  });
});

describe('a change of the pool file', () => {
  test('that renames annotations of live Services is told once for all of them', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools.replace(
        'version: 0.13.9',
        'version: 0.14.9, annotationPrefix: metallb.universe.tf',
      ),
      ...Object.fromEntries(
        names.map((name) => [
          `leases/shop/${name}.yaml`,
          service.replace('name: web', `name: ${name}`),
        ]),
      ),
    });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    checkout.edit('leases/pools.yaml', 'metallb.universe.tf', 'metallb.io');
    await checkout.synth('2026-01-03');
    const plan: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
    expect(plan.verdict).toBe('caution');
    expect(plan.summary).toMatch(
      /^No address changes, but the reach of 4 Services \(shop\/a, shop\/b, shop\/c and 1 more\) does\.$/,
    );
    const key = 'leasehold-shop';
    expect(plan.cautions.filter(({ code }) => code === 'REACH_CHANGED')).toEqual([
      {
        code: 'REACH_CHANGED',
        message: `4 Services (shop/a, shop/b, shop/c and 1 more): metadata.annotations.metallb.io/allow-shared-ip none → ${key}; metadata.annotations.metallb.universe.tf/allow-shared-ip ${key} → none`,
        at: { side: 'head', file: 'dist/default/shop/a.yaml', line: 1 },
      },
    ]);
  });

  test('that drains the only pool of the default zone is told with who waits', async () => {
    const checkout = await leaseCheckout({ 'leases/pools.yaml': pools, [file]: service });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    checkout.edit('leases/pools.yaml', 'retentionDays: 10', 'state: draining');
    await checkout.synth('2026-01-03');
    const plan: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
    expect(
      plan.cautions.filter(({ code }) => code === 'GIVES_NOTHING').map((one) => one.message),
    ).toEqual([
      'zone inet gives no IPv4 addresses from now on: pool default is draining; new declarations that name it or no zone are refused (POOL_DRAINING)',
    ]);
  });
});

test('a new Service that gets no address is told by synth, check and plan', async () => {
  const checkout = await leaseCheckout({ 'leases/pools.yaml': pools });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  checkout.put(
    file,
    service.replace('  type: LoadBalancer\n', '').replace(/.*SourceRanges.*\n/, ''),
  );
  const caution = 'Service shop/web gets no address: its type is ClusterIP, not LoadBalancer';
  const { out } = await checkout.run('synth', '--today', '2026-01-03', '-o', 'json');
  expect(JSON.parse(out).cautions).toEqual([caution]);
  checkout.commit('2026-01-03');
  expect((await checkout.run('check', '--base', 'main')).out).toContain(`caution: ${caution}\n`);
  expect((await checkout.run('check')).out).not.toContain('caution');
  const plan: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
  expect(plan.cautions.map(({ code, message }) => [code, message])).toEqual([
    ['NO_ADDRESS', caution],
  ]);
});

test('a declared Service in place of a Reservation replaces the Service of another tool', async () => {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools,
    [file]: `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: web, ports: [{ port: 80 }, { port: 443 }] }
`,
  });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  checkout.put(file, service);
  await checkout.synth('2026-01-03');
  const { out } = await checkout.run('plan', '--base', 'main', '-o', 'json');
  const { cautions }: Plan = JSON.parse(out);
  expect(cautions).toContainEqual({
    code: 'REACH_CHANGED',
    message:
      'the declared Service shop/web replaces the one that another tool renders: its selector, ports, source ranges and traffic policy apply',
    at: expect.objectContaining({ file }),
  });
});

test('a Service that asks another load balancer is told by synth, check and plan, once', async () => {
  const checkout = await leaseCheckout({ 'leases/pools.yaml': pools });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  const asks = (address: string) => `note: one, lbipam.cilium.io/ips: ${address}`;
  checkout.put(file, service.replace('note: one', asks('198.51.100.9')));
  const { out } = await checkout.run('synth', '--today', '2026-01-03', '-o', 'json');
  const [change] = JSON.parse(out).changes;
  const request = 'Service shop/web asks Cilium for 198.51.100.9 (lbipam.cilium.io/ips)';
  const caution = `${request}, which MetalLB does not read: it gets ${change.address}`;
  expect(JSON.parse(out).cautions).toEqual([caution]);
  checkout.commit('2026-01-03');
  expect((await checkout.run('check', '--base', 'main')).out).toContain(`caution: ${caution}\n`);
  const plan: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
  expect(plan.cautions).toEqual([
    {
      code: 'OTHER_BALANCER',
      message: caution,
      at: expect.objectContaining({ side: 'head', file }),
    },
  ]);
  checkout.repository.git('checkout', '-q', '-B', 'main');
  checkout.repository.git('checkout', '-q', '-b', 'later');
  checkout.edit(file, asks('198.51.100.9'), asks(change.address));
  await checkout.synth('2026-01-04');
  const later: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
  expect(later.cautions.find(({ code }) => code === 'OTHER_BALANCER')?.message).toBe(
    `Service shop/web asks Cilium for ${change.address} (lbipam.cilium.io/ips), which MetalLB gives it: while Cilium runs too, both announce the address`,
  );
  checkout.repository.git('checkout', '-q', '-B', 'main');
  checkout.repository.git('checkout', '-q', '-b', 'last');
  checkout.edit(file, 'note: one', 'note: two');
  await checkout.synth('2026-01-05');
  const last: Plan = JSON.parse((await checkout.run('plan', '-o', 'json')).out);
  expect(last.cautions).toEqual([]);
});
