import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { beyond, definitionOf, differences } from '../support/cluster/definitions.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { programFolder, programSources } from '../support/cluster/programs/programs.ts';

const metallbKinds = ['IPAddressPool', 'L2Advertisement', 'BGPAdvertisement'];
const ofPools = ['spec.serviceAllocation.priority', 'status'];
const ofAdvertisements = ['spec.ipAddressPoolSelectors', 'status'];

/** What each version has and leasehold never writes. A new version, or a new field in one, fails until it is judged. */
const neverWritten: Readonly<Record<string, readonly string[]>> = {
  'akash-provider ProviderLeasedIP': [],
  'akash-provider ProviderHost': [],
  'external-dns DNSEndpoint': [
    ...['labels', 'providerSpecific', 'setIdentifier'].map((field) => `spec.endpoints[].${field}`),
    'status',
  ],
  'metallb-0.13.9 IPAddressPool': ofPools,
  'metallb-0.13.9 L2Advertisement': ofAdvertisements,
  'metallb-0.13.9 BGPAdvertisement': ofAdvertisements,
  'metallb-0.14.9 IPAddressPool': ofPools,
  'metallb-0.14.9 L2Advertisement': ofAdvertisements,
  'metallb-0.14.9 BGPAdvertisement': ofAdvertisements,
  'metallb-0.16.1 IPAddressPool': ofPools,
  'metallb-0.16.1 L2Advertisement': [...ofAdvertisements, 'spec.serviceSelectors'],
  'metallb-0.16.1 BGPAdvertisement': [
    ...ofAdvertisements,
    'spec.serviceSelectors',
    'spec: !has(self.serviceSelectors) || self.serviceSelectors.size() == 0 || ((!has(self.aggregationLength) || self.aggregationLength == 32) && (!has(self.aggregationLengthV6) || self.aggregationLengthV6 == 128))',
  ],
};

/** Where each project defines kinds that leasehold writes. */
const definedBy = {
  metallb: { group: 'metallb.io', file: 'metallb-native.yaml', kinds: metallbKinds },
  'akash-provider': {
    group: 'akash.network',
    file: 'crd.yaml',
    kinds: ['ProviderLeasedIP', 'ProviderHost'],
  },
  'external-dns': {
    group: 'externaldns.k8s.io',
    file: 'dnsendpoints.externaldns.k8s.io.yaml',
    kinds: ['DNSEndpoint'],
  },
} as const;

const titles = {
  metallb: 'MetalLB',
  'akash-provider': 'Akash provider',
  'external-dns': 'external-dns',
} as const;

type Project = keyof typeof definedBy;

/** The project of a program, whose name can end with a version. */
function projectOf(name: string): Project | undefined {
  return (Object.keys(definedBy) as Project[]).find((project) =>
    new RegExp(`^${project}(-\\d|$)`).test(name),
  );
}

describe.skipIf(inject('clusterIsMissing'))('Resource definitions', () => {
  const sources = programSources.flatMap(({ name, version }) => {
    const project = projectOf(name);
    return project ? [[`${titles[project]} ${version.slice(1)}`, name, project] as const] : [];
  });
  describe.each(sources)('%s', (_, name, project) => {
    const { group, file, kinds } = definedBy[project];
    const ours = readFileSync(`imports/crds/${group}.yaml`, 'utf8');
    const theirs = () => readFileSync(join(programFolder(name), file), 'utf8');
    const both = (kind: string) =>
      [definitionOf(kind, objectsIn(ours)), definitionOf(kind, objectsIn(theirs()))] as const;

    test.each(kinds)('whatever leasehold may write in %s is in it', (kind) => {
      expect(differences(...both(kind))).toEqual([]);
    });

    test.each(kinds)('what else is in %s is known', (kind) => {
      const known = neverWritten[`${name} ${kind}`];
      expect(beyond(...both(kind))).toEqual(known && [...known].sort());
    });
  });
});
