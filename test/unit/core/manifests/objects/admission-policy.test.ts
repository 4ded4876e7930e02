import { expect, test } from 'vitest';
import {
  aPlacement,
  aPool,
  type PoolsChanges,
  thePools,
} from '../../../../support/declarations/pools-and-claims.ts';
import { ofKind, rendered } from '../../../../support/manifests/rendered.ts';

const metallb = {
  kind: 'metallb',
  version: '0.14.9',
  namespace: 'metallb-system',
  layout: 'pool',
} as const;

function policyOf(changes: PoolsChanges = {}) {
  const [policy] = ofKind(
    rendered(thePools({ ...changes, cluster: { plane: metallb } }), []),
    'ValidatingAdmissionPolicy',
  );
  const variables: readonly { name: string; expression: string }[] = policy?.spec.variables ?? [];
  const expression = (name: string) => variables.find((one) => one.name === name)?.expression;
  return { policy, expression };
}

test('the policy and its binding are written with layout: pool only, beside leasehold.yaml', () => {
  const kinds = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
  const pooled = rendered(thePools({ cluster: { plane: metallb } }), []);
  const leased = rendered(thePools(), [aPlacement()]);
  expect(leased.filter(({ kind }) => kinds.includes(kind))).toEqual([]);
  const found = pooled.filter(({ kind }) => kinds.includes(kind));
  expect(found.map(({ path }) => path)).toEqual(
    Array(2).fill('dist/default/leasehold-admission.yaml'),
  );
  expect(found[1]?.spec).toEqual({
    policyName: found[0]?.metadata.name,
    validationActions: ['Deny'],
  });
});

test('the policy matches new and changed LoadBalancer Services, but not their status or deletion', () => {
  const { policy } = policyOf();
  expect(policy?.spec).toMatchObject({
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], operations: ['CREATE', 'UPDATE'], resources: ['services'] },
      ],
    },
  });
  expect(policy?.spec.matchConditions.map((one: { expression: string }) => one.expression)).toEqual(
    [
      "has(object.spec.type) && object.spec.type == 'LoadBalancer'",
      '!has(object.metadata.deletionTimestamp)',
    ],
  );
});

test('the policy has the names of all declared pools and the CIDR blocks of their ranges', () => {
  const pools = [
    aPool({ name: 'one', addresses: ['203.0.113.0/28', '203.0.113.20-203.0.113.22'] }),
    aPool({ name: 'two', addresses: ['2001:db8::/64'] }),
  ];
  const { expression } = policyOf({ pools });
  expect(expression('asksPool')).toContain("in ['one', 'two']");
  expect(expression('asksAddress')).toContain(
    "['203.0.113.0/28', '203.0.113.20/31', '203.0.113.22/32', '2001:db8::/64']",
  );
});

test('the policy leaves out open pools, and is not written without a closed pool', () => {
  const open = aPool({ name: 'two', addresses: ['198.51.100.0/28'], fence: 'open' });
  const { expression } = policyOf({ pools: [aPool({ name: 'one' }), open] });
  expect(expression('asksPool')).toContain("in ['one']");
  expect(expression('asksAddress')).not.toContain('198.51.100');
  expect(policyOf({ pools: [open] }).policy).toBeUndefined();
});

test('a variable uses only earlier variables', () => {
  const { policy } = policyOf();
  const known: string[] = [];
  for (const { name, expression } of policy?.spec.variables ?? []) {
    const used: string[] = expression.match(/(?<=variables\.)\w+/g) ?? [];
    expect(used.filter((one) => !known.includes(one))).toEqual([]);
    known.push(name);
  }
  const [validation] = policy?.spec.validations ?? [];
  const used: string[] = validation.expression.match(/(?<=variables\.)\w+/g) ?? [];
  expect(used.filter((one) => !known.includes(one))).toEqual([]);
  expect(used).toEqual(['leased', 'labelled', 'asksPool', 'asksAddress']);
});

test('the message of a denial names the label of namespaces', () => {
  const { policy } = policyOf({
    emit: { namespaces: false },
  });
  expect(policy?.spec.validations[0].message).toContain('leasehold.dev/leases=true');
});

test('both labels that open a pool are denied outside of leased namespaces', () => {
  const { expression } = policyOf();
  expect(expression('labelled')).toBe(
    "('app.kubernetes.io/managed-by' in variables.labels && variables.labels['app.kubernetes.io/managed-by'] == 'leasehold') || ('leasehold.dev/reserved' in variables.labels && variables.labels['leasehold.dev/reserved'] == 'true')",
  );
});
