import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  doctorAccess,
  verifyAccess,
} from '../../../../../src/features/delivery/bootstrap/access.ts';

const account = { namespace: 'leasehold', name: 'leasehold' };
const shipped = (name: string) =>
  parseAllDocuments(readFileSync(`docs/rbac/${name}.yaml`, 'utf8')).map((one) => one.toJS());
/** Without the fields that are left out. */
const plain = (objects: unknown) => JSON.parse(JSON.stringify(objects));

test('docs/rbac/verify.yaml is the output for metallb-system', () => {
  const printed = verifyAccess({ account, metallb: 'metallb-system' });
  expect(plain(printed)).toEqual(shipped('verify'));
});

test('docs/rbac/doctor.yaml is the output for metallb-system and akash-services', () => {
  const printed = doctorAccess({ account, metallb: 'metallb-system' }, 'akash-services');
  expect(plain(printed)).toEqual(shipped('doctor'));
});

test('the account, the MetalLB namespace and the provider are arguments', () => {
  const target = { account: { namespace: 'ci', name: 'bot' }, metallb: 'lb' };
  const printed = plain([...verifyAccess(target), ...doctorAccess(target, undefined)]) as {
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
