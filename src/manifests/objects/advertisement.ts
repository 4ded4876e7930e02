import type { Construct } from 'constructs';
import { BgpAdvertisement, L2Advertisement } from '../../../imports/metallb.io.ts';
import type { Advertise, LabelSelector } from '../../model/pools.ts';
import { staticObject } from '../dist-app.ts';
import { managedBy, wave } from '../metadata.ts';

const StaticL2Advertisement = staticObject(L2Advertisement);
const StaticBgpAdvertisement = staticObject(BgpAdvertisement);

/**
 * Adds the advertisement beside an `IPAddressPool`, of the same name. A pool without one is given out
 * and never announced; one without a pool would announce all. Empty lists are left out.
 */
export function addAdvertisement(
  scope: Construct,
  id: string,
  advertise: Advertise,
  { name, metallbNamespace }: { readonly name: string; readonly metallbNamespace: string },
): void {
  const nodeSelectors = filled('nodeSelectors', advertise.nodeSelectors.map(selectorOf));
  if (advertise.kind === 'l2') {
    new StaticL2Advertisement(scope, id, {
      metadata: metadataOf('L2Advertisement', name, metallbNamespace),
      spec: {
        ipAddressPools: [name],
        ...filled('interfaces', advertise.interfaces),
        ...nodeSelectors,
      },
    });
    return;
  }
  new StaticBgpAdvertisement(scope, id, {
    metadata: metadataOf('BGPAdvertisement', name, metallbNamespace),
    spec: {
      ipAddressPools: [name],
      aggregationLength: advertise.aggregationLength,
      aggregationLengthV6: advertise.aggregationLengthV6,
      ...(advertise.localPref === undefined ? {} : { localPref: advertise.localPref }),
      ...filled('communities', advertise.communities),
      ...filled('peers', advertise.peers),
      ...nodeSelectors,
    },
  });
}

function metadataOf(kind: 'L2Advertisement' | 'BGPAdvertisement', name: string, namespace: string) {
  return { name, namespace, labels: { ...managedBy }, annotations: { ...wave(kind) } };
}

function selectorOf({ matchLabels, matchExpressions }: LabelSelector) {
  return {
    ...(matchLabels ? { matchLabels: { ...matchLabels } } : {}),
    ...(matchExpressions
      ? {
          matchExpressions: matchExpressions.map(({ key, operator, values }) => ({
            key,
            operator,
            ...(values ? { values: [...values] } : {}),
          })),
        }
      : {}),
  };
}

function filled<Key extends string, Item>(key: Key, list: readonly Item[]) {
  return (list.length > 0 ? { [key]: [...list] } : {}) as { [Name in Key]?: Item[] };
}
