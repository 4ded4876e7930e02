import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { schemas } from '../../imports/schemas.ts';
import {
  beyond,
  definitionOf,
  differences,
  fieldsOf,
  type Schema,
  schemaOf,
} from '../support/cluster/definitions.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { programFolder, programSources } from '../support/cluster/programs.ts';

/** Of which project each kind is, and the file in which its programs ship the definition. */
const projects = {
  ProviderLeasedIP: ['akash.network', 'crd.yaml'],
  IPAddressPool: ['metallb.io', 'metallb-native.yaml'],
  L2Advertisement: ['metallb.io', 'metallb-native.yaml'],
  BGPAdvertisement: ['metallb.io', 'metallb-native.yaml'],
} as const;

type Kind = keyof typeof projects;

const ofPools = ['spec.serviceAllocation.priority', 'status'];
const ofAdvertisements = ['spec.ipAddressPoolSelectors', 'status'];

/** What each version has and leasehold never writes. A new field in a new version fails here until it is judged. */
const neverWritten: readonly (readonly [string, Kind, readonly string[]])[] = [
  ['akash-provider', 'ProviderLeasedIP', []],
  ['metallb-0.13.9', 'IPAddressPool', ofPools],
  ['metallb-0.13.9', 'L2Advertisement', ofAdvertisements],
  ['metallb-0.13.9', 'BGPAdvertisement', ofAdvertisements],
  ['metallb-0.14.9', 'IPAddressPool', ofPools],
  ['metallb-0.14.9', 'L2Advertisement', ofAdvertisements],
  ['metallb-0.14.9', 'BGPAdvertisement', ofAdvertisements],
  ['metallb-0.16.1', 'IPAddressPool', ofPools],
  ['metallb-0.16.1', 'L2Advertisement', [...ofAdvertisements, 'spec.serviceSelectors']],
  [
    'metallb-0.16.1',
    'BGPAdvertisement',
    [
      ...ofAdvertisements,
      'spec.serviceSelectors',
      'spec: !has(self.serviceSelectors) || self.serviceSelectors.size() == 0 || ((!has(self.aggregationLength) || self.aggregationLength == 32) && (!has(self.aggregationLengthV6) || self.aggregationLengthV6 == 128))',
    ],
  ],
];

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

describe.skipIf(inject('clusterIsMissing'))('Resource definitions', () => {
  test.each(neverWritten)('%s takes every %s that leasehold may write', (program, kind, _) => {
    expect(differences(ours(kind), theirs(program, kind))).toEqual([]);
  });

  test.each(neverWritten)(
    '%s has in its %s what is listed here, beside what leasehold writes',
    (program, kind, fields) => {
      expect(beyond(ours(kind), theirs(program, kind))).toEqual([...fields].sort());
    },
  );

  test.each(Object.keys(projects) as Kind[])(
    'the closed schema of %s has the fields of its definition',
    (kind) => {
      const definition = ours(kind);
      const { name } = definition.spec.versions[0];
      const closed = schemas[`${definition.spec.group}/${name}/${kind}`] as Schema;
      const inSpec = (schema: Schema) =>
        fieldsOf(schema).filter((path) => path.startsWith('spec.'));
      expect(inSpec(closed)).toEqual(inSpec(schemaOf(definition)));
    },
  );

  test('every version that the suite has is listed above', () => {
    const versions = programSources.filter(({ name }) => /^(metallb-|akash-provider$)/.test(name));
    const listed = neverWritten.map(([program, kind]) => `${program} ${kind}`);
    const kinds = (name: string) =>
      name === 'akash-provider' ? ['ProviderLeasedIP'] : Object.keys(projects).slice(1);
    const all = versions.flatMap(({ name }) => kinds(name).map((kind) => `${name} ${kind}`));
    expect([...listed].sort()).toEqual(all.sort());
  });

  test.each(changes)('%s is a difference', (_, change, line) => {
    const copy = structuredClone(theirs('metallb-0.16.1', 'IPAddressPool'));
    change(copy.spec, copy.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties);
    expect(differences(ours('IPAddressPool'), copy)).toEqual([line]);
  });

  test('a field and a rule more are told as such', () => {
    const copy = structuredClone(theirs('metallb-0.16.1', 'IPAddressPool'));
    const { spec } = copy.spec.versions[0].schema.openAPIV3Schema.properties;
    spec.properties.serviceAllocation.properties.zone = { type: 'string' };
    spec['x-kubernetes-validations'] = [{ rule: 'self.autoAssign' }];
    const more = ['spec.serviceAllocation.zone', 'spec: self.autoAssign'];
    expect(beyond(ours('IPAddressPool'), copy)).toEqual([...ofPools, ...more].sort());
  });
});

function renamed(_: unknown, spec: Record<string, unknown>): void {
  spec.ranges = spec.addresses;
  delete spec.addresses;
}

function ours(kind: Kind): KubeObject {
  const [group] = projects[kind];
  return definitionOf(kind, objectsIn(readFileSync(`imports/crds/${group}.yaml`, 'utf8')));
}

function theirs(program: string, kind: Kind): KubeObject {
  const [, file] = projects[kind];
  return definitionOf(kind, objectsIn(readFileSync(join(programFolder(program), file), 'utf8')));
}
