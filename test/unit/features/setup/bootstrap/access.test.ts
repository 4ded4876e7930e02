import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { inventoryChecks } from '../../../../../src/features/inventory/checks.ts';
import { doctorAccess, verifyAccess } from '../../../../../src/features/setup/bootstrap/access.ts';

const plane = { kind: 'metallb', namespace: 'metallb-system' } as const;

const account = { namespace: 'leasehold', name: 'leasehold' };
const shipped = (name: string) =>
  parseAllDocuments(readFileSync(`docs/rbac/${name}.yaml`, 'utf8')).map((one) => one.toJS());
/** Without the fields that are left out. */
const plain = (objects: unknown) => JSON.parse(JSON.stringify(objects));

test('docs/rbac/verify.yaml is the output for metallb-system', () => {
  const printed = verifyAccess({ account, plane });
  expect(plain(printed)).toEqual(shipped('verify'));
});

test('docs/rbac/doctor.yaml is the output for metallb-system and akash-services', () => {
  const akash = { provider: 'akash-services', added: [inventoryChecks.access] };
  const printed = doctorAccess({ account, plane }, akash);
  expect(plain(printed)).toEqual(shipped('doctor'));
});

test('the account, the MetalLB namespace and the provider are arguments', () => {
  const target = {
    account: { namespace: 'ci', name: 'bot' },
    plane: { kind: 'metallb' as const, namespace: 'lb' },
  };
  const printed = plain([
    ...verifyAccess(target),
    ...doctorAccess(target, { provider: undefined, added: [] }),
  ]) as {
    readonly metadata: { readonly namespace?: string };
    readonly subjects?: unknown;
  }[];
  expect([...new Set(printed.map(({ metadata }) => metadata.namespace))]).toEqual([
    undefined,
    'lb',
    'kube-system',
  ]);
  for (const { subjects } of printed) {
    if (subjects !== undefined) {
      expect(subjects).toEqual([{ kind: 'ServiceAccount', namespace: 'ci', name: 'bot' }]);
    }
  }
});

test('only with an inventory, and in its own namespace, the operator may be asked', () => {
  const target = { account, plane };
  const rolesOf = (provider: string | undefined, hasInventory: boolean) =>
    plain(
      doctorAccess(target, { provider, added: hasInventory ? [inventoryChecks.access] : [] }),
    ) as {
      readonly kind: string;
      readonly metadata: { readonly namespace?: string };
      readonly rules?: readonly { readonly resources: readonly string[] }[];
    }[];
  expect(JSON.stringify(rolesOf('akash', false))).not.toMatch(/proxy|storage/);
  const own = rolesOf('akash', true).filter(
    ({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'akash-services',
  );
  expect(own.flatMap(({ rules = [] }) => rules)).toEqual([
    { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
    {
      apiGroups: [''],
      resources: ['services/proxy'],
      verbs: ['get'],
      resourceNames: ['operator-inventory:rest'],
    },
  ]);
});
