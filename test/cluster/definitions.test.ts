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

describe.skipIf(inject('clusterIsMissing'))('Resource definitions', () => {
  const sources = programSources.filter(({ name }) => /^(metallb-|akash-provider$)/.test(name));
  describe.each(sources.map(({ name, version }) => [titleOf(name, version), name]))(
    '%s',
    (_, name) => {
      const isMetallb = name.startsWith('metallb-');
      const group = isMetallb ? 'metallb.io' : 'akash.network';
      const file = isMetallb ? 'metallb-native.yaml' : 'crd.yaml';
      const ours = readFileSync(`imports/crds/${group}.yaml`, 'utf8');

      const kinds = isMetallb ? metallbKinds : ['ProviderLeasedIP'];
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
    },
  );
});

function titleOf(name: string, version: string): string {
  const [project, number = version.slice(1)] = name.split(/-(?=\d)/);
  return `${project === 'metallb' ? 'MetalLB' : 'Akash provider'} ${number}`;
}
