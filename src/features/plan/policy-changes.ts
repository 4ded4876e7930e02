import { policyPath } from '../../model/folders.ts';
import type { Party, Policy, Tenant } from '../../model/policy.ts';
import type { Caution } from './plan-answer.ts';

/** POLICY_CHANGED, once, with all that the policy says differently. */
export function policyCautions(base: Policy | undefined, head: Policy | undefined): Caution[] {
  const changes = policyChanges(base, head);
  if (changes.length === 0) return [];
  const side = head ? 'head' : 'base';
  return [
    {
      code: 'POLICY_CHANGED',
      message: changes.join('; '),
      at: { side, file: policyPath, line: 1 },
    },
  ];
}

/** All that a policy says, in one text: equal for files that say the same. */
export function policyText(policy: Policy | undefined): string {
  if (!policy) return '';
  return JSON.stringify([policy.operators, policy.tenants.map(fieldsOf)]);
}

/** What two policies say differently, each a short phrase; none when they say the same. */
function policyChanges(base: Policy | undefined, head: Policy | undefined): readonly string[] {
  if (!head) return base ? ['there is no policy any more'] : [];
  if (!base) return [`there is a policy now, of ${counted(head.tenants.length)}`];
  const before = new Map(base.tenants.map((tenant) => [tenant.name, tenant]));
  const after = new Map(head.tenants.map((tenant) => [tenant.name, tenant]));
  return [
    ...differing('the operators', partyOf(base.operators), partyOf(head.operators)),
    ...base.tenants.flatMap(({ name }) => (after.has(name) ? [] : [`tenant ${name} removed`])),
    ...head.tenants.flatMap((tenant) => {
      const was = before.get(tenant.name);
      if (!was) return [`tenant ${tenant.name} added`];
      return differing(`tenant ${tenant.name}`, fieldsOf(was), fieldsOf(tenant));
    }),
  ];
}

function counted(tenants: number): string {
  return tenants === 1 ? '1 tenant' : `${tenants} tenants`;
}

type Fields = Readonly<Record<string, unknown>>;

function partyOf({ reviewers, signers }: Party): Fields {
  return { reviewers, signers };
}

/** All but where it stands. */
function fieldsOf({ at, places, ...fields }: Tenant): Fields {
  return fields;
}

function differing(whose: string, before: Fields, after: Fields): string[] {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return names.length === 0 ? [] : [`${whose}: other ${names.join(', ')}`];
}
