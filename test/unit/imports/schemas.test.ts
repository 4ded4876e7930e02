import { expect, test } from 'vitest';
import { schemas } from '../../../imports/schemas.ts';

test('there is a schema for every kind that is written, and each is closed all the way down', () => {
  expect(Object.keys(schemas).sort()).toEqual([
    'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
    'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
    'akash.network/v2beta2/ProviderLeasedIP',
    'metallb.io/v1beta1/BGPAdvertisement',
    'metallb.io/v1beta1/IPAddressPool',
    'metallb.io/v1beta1/L2Advertisement',
    'networking.k8s.io/v1/NetworkPolicy',
    'v1/ConfigMap',
    'v1/Namespace',
    'v1/Service',
  ]);
  expect(openPlaces(schemas, '')).toEqual([]);
});

/** Where a schema takes an object and says nothing of other fields. */
function openPlaces(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isOpen =
    'type' in schema && schema.type === 'object' && !('additionalProperties' in schema);
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(schema).flatMap(([key, value]) => openPlaces(value, `${path}/${key}`)),
  ];
}
