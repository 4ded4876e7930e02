import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { schemas } from '../../../imports/schemas.ts';
import {
  beyond,
  definitionOf,
  differences,
  fieldsOf,
  type Schema,
  schemaOf,
} from '../../support/cluster/definitions.ts';
import type { KubeObject } from '../../support/cluster/kube.ts';
import { objectsIn } from '../../support/cluster/manifests.ts';

/** Of which project each kind is. */
const groups = {
  ProviderLeasedIP: 'akash.network',
  IPAddressPool: 'metallb.io',
  L2Advertisement: 'metallb.io',
  BGPAdvertisement: 'metallb.io',
} as const;

type Kind = keyof typeof groups;

// biome-ignore lint/suspicious/noExplicitAny: each change reaches into a definition by hand
type Change = (definition: any, spec: any) => void;

const changes: readonly (readonly [string, Change, string])[] = [
  ['a field with another name', renamed, '.spec.addresses: theirs has no such field'],
  [
    'a field of another type',
    (_, spec) => {
      spec.autoAssign.type = 'string';
    },
    '.spec.autoAssign: type ours "boolean", theirs "string"',
  ],
  [
    'a field of another format',
    (_, spec) => {
      spec.addresses.items.format = 'cidr';
    },
    '.spec.addresses[]: format ours nothing, theirs "cidr"',
  ],
  [
    'fewer values for a field',
    (_, spec) => {
      spec.serviceAllocation.properties.namespaces.items.enum = ['a'];
    },
    '.spec.serviceAllocation.namespaces[]: enum ours nothing, theirs ["a"]',
  ],
  [
    'a required field more',
    (_, spec) => {
      spec.serviceAllocation.required = ['priority'];
    },
    '.spec.serviceAllocation.priority: theirs requires it',
  ],
  [
    'a default for what leasehold may leave out',
    (_, spec) => {
      spec.serviceAllocation.properties.namespaces.default = ['all'];
    },
    '.spec.serviceAllocation.namespaces: theirs puts ["all"]',
  ],
  [
    'a list of several owners',
    (_, spec) => {
      spec.addresses['x-kubernetes-list-type'] = 'set';
    },
    '.spec.addresses: x-kubernetes-list-type "set"',
  ],
  [
    'another scope',
    (all) => {
      all.scope = 'Cluster';
    },
    'scope: ours Namespaced, theirs Cluster',
  ],
  [
    'another plural',
    (all) => {
      all.names.plural = 'pools';
    },
    'names: ours IPAddressPool IPAddressPoolList ipaddresspools ipaddresspool, theirs IPAddressPool IPAddressPoolList pools ipaddresspool',
  ],
  [
    'a version that is not served any more',
    (all) => {
      all.versions[0].served = false;
    },
    'served versions: ours v1beta1 stored, theirs ',
  ],
];

describe('the comparison of definitions in the cluster suite', () => {
  test('finds no difference between a definition and itself', () => {
    expect(differences(ours('IPAddressPool'), ours('IPAddressPool'))).toEqual([]);
  });

  test.each(changes)('finds %s', (_, change, line) => {
    const copy = ours('IPAddressPool');
    change(copy.spec, copy.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties);
    expect(differences(ours('IPAddressPool'), copy)).toEqual([line]);
  });

  test('tells of a field and a rule more', () => {
    const copy = ours('IPAddressPool');
    const { spec } = copy.spec.versions[0].schema.openAPIV3Schema.properties;
    spec.properties.serviceAllocation.properties.zone = { type: 'string' };
    spec['x-kubernetes-validations'] = [{ rule: 'self.autoAssign' }];
    const more = ['spec.serviceAllocation.zone', 'spec: self.autoAssign'];
    expect(beyond(ours('IPAddressPool'), copy)).toEqual(more);
  });
});

describe('our definitions', () => {
  test.each(Object.keys(groups) as Kind[])('%s has the fields of its closed schema', (kind) => {
    const definition = ours(kind);
    const { name } = definition.spec.versions[0];
    const closed = schemas[`${definition.spec.group}/${name}/${kind}`] as Schema;
    const inSpec = (schema: Schema) => fieldsOf(schema).filter((path) => path.startsWith('spec.'));
    expect(inSpec(closed)).toEqual(inSpec(schemaOf(definition)));
  });
});

function renamed(_: unknown, spec: Record<string, unknown>): void {
  spec.ranges = spec.addresses;
  delete spec.addresses;
}

/** A copy that nobody else has. */
function ours(kind: Kind): KubeObject {
  return definitionOf(kind, objectsIn(readFileSync(`imports/crds/${groups[kind]}.yaml`, 'utf8')));
}
