import {
  community,
  interfaceName,
  labelSelector,
} from '../../../core/declarations/pools/advertise-schema.ts';
import { poolLabel } from '../../../core/manifests/manifest.ts';
import type { Advertise, LabelSelector } from '../../../core/model/pools.ts';
import { rangeSetOf, setHas } from '../../../core/net/range-set.ts';
import {
  type SourceFields,
  type SourceNode,
  type SourceReader,
  sourceKeyPlace,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import type { KeptObject, LiveService } from '../imported.ts';
import type { SourceObject } from '../metallb/source-object.ts';
import {
  advertisementKey,
  matches,
  type SourceAdvertisement,
  type SourceParts,
  type SourcePool,
} from '../parts/announced-pools.ts';
import { held, readNumber } from '../parts/source-fields.ts';
import { readSelector } from './cilium-pool.ts';

/** The Services of the source. All are known when a pool is compared with an announcement. */
type Services = readonly Pick<LiveService, 'namespace' | 'name' | 'labels' | 'addresses'>[];

/** Reads a `CiliumL2AnnouncementPolicy`. Cilium: l2announcement_types.go. */
export function readL2Policy(
  reader: SourceReader,
  { kind, name, at, spec }: SourceObject,
  { advertisements, kept }: SourceParts,
  services: Services,
): void {
  const subject = `${kind} ${name}`;
  const known = ['interfaces', 'nodeSelector', 'serviceSelector', 'loadBalancerIPs', 'externalIPs'];
  reader.leaveOthers(subject, spec, known);
  const external = spec.get('externalIPs');
  const isExternal = reader.flag(external) ?? false;
  if (external && isExternal) {
    reader.leave(subject, keptText('addresses of externalIPs'), sourcePlace(external));
    keep({ kind: 'l2', name, subject, at }, kept);
  }
  if (!reader.flag(spec.get('loadBalancerIPs'))) {
    if (!isExternal) reader.leave(subject, 'it announces no addresses of load balancers', at);
    return;
  }
  const nodes = spec.get('nodeSelector');
  const selector = readSelector(reader, subject, spec.get('serviceSelector'));
  advertisements.push({
    subject,
    advertise: {
      kind: 'l2',
      interfaces: interfacesOf(reader, subject, spec.get('interfaces')),
      nodeSelectors: held(reader, subject, labelSelector, nodes ? [nodes] : []),
    },
    name,
    isOfOne: isOfLeasehold(selector),
    at,
    covers: (pool) => coverage(selector ?? {}, pool, services),
  });
}

/** Reads a `CiliumBGPAdvertisement`. Without a selector it announces nothing. Cilium: bgp_advert_types.go. */
export function readBGPAdvertisement(
  reader: SourceReader,
  { kind, name, at, metadata, spec }: SourceObject,
  { advertisements, kept }: SourceParts,
  services: Services,
): void {
  reader.leaveOthers(`${kind} ${name}`, spec, ['advertisements']);
  const items = reader.list(spec.get('advertisements'));
  const label = reader.mapping(metadata.get('labels'))?.get(poolLabel)?.value;
  for (const [index, item] of items.entries()) {
    const subject = `${kind} ${name}${items.length > 1 ? `, advertisement ${index + 1}` : ''}`;
    const fields = reader.mapping(item) ?? new Map<string, SourceNode>();
    const addresses = reader.texts(reader.mapping(fields.get('service'))?.get('addresses'));
    const type = reader.text(fields.get('advertisementType'));
    const announced = type === 'Service' ? addresses.map(({ text }) => text) : [type ?? 'nothing'];
    const others = announced.filter((text) => text !== 'LoadBalancerIP');
    if (others.length > 0) {
      reader.leave(subject, keptText(others.join(' and ')), sourcePlace(item));
      keep({ kind: 'bgp', name, subject: `${kind} ${name}`, at }, kept);
    }
    if (!announced.includes('LoadBalancerIP')) continue;
    const selector = readSelector(reader, subject, fields.get('selector')) ?? 'nothing';
    advertisements.push({
      subject,
      advertise: readBGP(reader, subject, fields),
      name,
      isOfOne: items.length === 1 && isOfLeasehold(selector),
      at: sourcePlace(item),
      covers: (pool) => coverage(selector, pool, services),
      sequel: (pool, written) =>
        label === pool
          ? undefined
          : peerText({ kind, name }, { pool, isReplaced: written === name }),
    });
  }
}

function keptText(what: string): string {
  return `its announcement of ${what} is not imported: keep the object for that`;
}

function keep(object: KeptObject, kept: SourceParts['kept']): void {
  kept.set(advertisementKey(object, object.name), object);
}

/** What the peers need: a `CiliumBGPPeerConfig` selects advertisements by labels, which are not imported. */
function peerText(
  { kind, name }: Pick<SourceObject, 'kind' | 'name'>,
  { pool, isReplaced }: { readonly pool: string; readonly isReplaced: boolean },
): string {
  const label = `${poolLabel}=${pool}`;
  const peers = `let each CiliumBGPPeerConfig that selects ${kind} ${name} select that label, and give the label to everything else that it selects`;
  return isReplaced
    ? `dist/ replaces it with one that may have no other label than ${label}, and BGP peers select advertisements by labels: before you apply dist/, run \`kubectl label ${kind.toLowerCase()} ${name} ${label} --overwrite\`, and ${peers}`
    : `the advertisement of pool ${pool} in dist/ has no other label than ${label}, and BGP peers select advertisements by labels: once dist/ is applied, and before you remove this one, ${peers}`;
}

function readBGP(reader: SourceReader, subject: string, fields: SourceFields): Advertise {
  const service = reader.mapping(fields.get('service'));
  const attributes = reader.mapping(fields.get('attributes'));
  const communities = reader.mapping(attributes?.get('communities'));
  const lists = (['standard', 'wellKnown', 'large'] as const).flatMap((key) =>
    reader.list(communities?.get(key)).map((node) => {
      return key === 'large' ? { ...node, value: `large:${String(node.value)}` } : node;
    }),
  );
  const most = 0x7fff_ffff;
  return {
    kind: 'bgp',
    aggregationLength:
      readNumber(reader, subject, service?.get('aggregationLengthIPv4'), [1, 32]) ?? 32,
    aggregationLengthV6:
      readNumber(reader, subject, service?.get('aggregationLengthIPv6'), [1, 128]) ?? 128,
    localPref: readNumber(reader, subject, attributes?.get('localPreference'), [0, most]),
    communities: held(reader, subject, community, lists),
    peers: [],
    nodeSelectors: [],
  };
}

/** The names of interfaces. Cilium takes regular expressions; only those of one name are imported. */
function interfacesOf(
  reader: SourceReader,
  subject: string,
  list: SourceNode | undefined,
): readonly string[] {
  const names = reader.list(list).map((node) => {
    const name = /^\^(.+)\$$/.exec(String(node.value))?.[1]?.replaceAll('\\.', '.');
    return { ...node, value: name ?? node.value };
  });
  const read = held(reader, subject, interfaceName, names);
  if (list && read.length < names.length) {
    const where = read.length === 0 ? 'all interfaces' : `${read.join(' and ')} only`;
    reader.change(subject, `the policy in dist/ announces on ${where}`, sourceKeyPlace(list));
  }
  return read;
}

function isOfLeasehold(selector: LabelSelector | 'nothing' | undefined): boolean {
  return typeof selector === 'object' && selector.matchLabels?.[poolLabel] !== undefined;
}

/**
 * What an announcement that selects Services does for a pool: it announces all of the Services that
 * have addresses of the pool, some or none. A pool without a Service is taken as having one without
 * labels.
 */
function coverage(
  selector: LabelSelector | 'nothing',
  { name, ranges }: SourcePool,
  services: Services,
): ReturnType<SourceAdvertisement['covers']> {
  if (selector === 'nothing') return false;
  const set = rangeSetOf(ranges.map(({ range }) => range));
  const users = services.filter(({ addresses }) => addresses.some((one) => setHas(set, one)));
  const labels = users.map(
    (user) =>
      new Map([
        ...user.labels,
        // What Cilium adds to the labels of each Service.
        ['io.kubernetes.service.namespace', user.namespace],
        ['io.kubernetes.service.name', user.name],
      ]),
  );
  const all = users.length > 0 ? labels : [new Map([[poolLabel, name]])];
  const selected = all.filter((one) => matches(selector, one));
  return selected.length === all.length || (selected.length > 0 && 'some');
}
