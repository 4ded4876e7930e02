import { falseText, trueText } from '../../../core/declarations/service/service-annotations.ts';
import { leaseholdKeys } from '../../../core/declarations/service/service-metadata.ts';
import { longestRetention } from '../../../core/model/lease.ts';
import { type Outcome, ok } from '../../../core/model/problem.ts';
import { type Address, formatAddress, isAddress, parseAddress } from '../../../core/net/address.ts';
import { rangeSize } from '../../../core/net/range.ts';
import {
  type SourceReader,
  type SourceText,
  sourceKeyPlace,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import { readClusterObjects } from '../cluster/cluster-source.ts';
import {
  leftAnnotations,
  preShared,
  type ReadService,
  readLiveService,
  serviceSubject,
  withoutAddressNote,
  withoutKey,
} from '../cluster/live-service.ts';
import type {
  Imported,
  ImportedPool,
  LiveService,
  LiveTerm,
  LiveTermNote,
  LiveTerms,
  TakenAddress,
} from '../imported.ts';
import type { SourceDocuments } from '../metallb/metallb-source.ts';
import type { SourceObject } from '../metallb/source-object.ts';

/** The zone of a Service without one: ipam-operator, `internal/utils/annotations.go`. */
const defaultZone = 'hnet-private';

/**
 * Reads a cluster with vitistack's ipam-operator: like {@link readClusterObjects}, with the
 * operator's annotations, and each pool as its zone. Problems: those of readClusterObjects.
 */
export function readVitistack(sources: readonly SourceDocuments[]): Outcome<Imported> {
  const read = readClusterObjects(sources, readVitistackService);
  if (!read.ok) return read;
  const { pools, live = noLive } = read.value;
  const has = new Set([
    ...live.services.flatMap(({ addresses }) => addresses.map(formatAddress)),
    ...live.taken.map(({ address }) => formatAddress(address)),
  ]);
  const lost = pools.filter(isInUse).flatMap((pool) => lostOf(pool, has));
  const isDefault = pools.some(({ name }) => name === defaultZone);
  return ok({
    ...read.value,
    ...(isDefault ? { defaultZone } : {}),
    pools: pools.map((pool) => ({ ...pool, zone: pool.name, isInUse: isInUse(pool) })),
    live: { ...live, taken: [...live.taken, ...lost] },
  });
}

const noLive = { services: [], leasedIPs: [], providerHosts: [], routes: [], taken: [] };

/** The operator's pools have one entry per address in use: facts/vitistack.md §3. */
function isInUse({ ranges }: ImportedPool): boolean {
  return ranges.every(({ range }) => rangeSize(range) === 1n);
}

/** Addresses of a pool that no object names. They may be promised to a former user. */
function lostOf({ name, ranges }: ImportedPool, has: ReadonlySet<string>): readonly TakenAddress[] {
  return ranges.flatMap(({ range, at }): TakenAddress[] => {
    const address = range.from;
    if (has.has(formatAddress(address))) return [];
    const why = `no Service has its address ${formatAddress(address)}, which ipam-api may still hold`;
    return [{ address, by: `pool ${name}`, why, at }];
  });
}

/** Prefix of ipam-operator's annotations. */
const prefix = 'ipam.vitistack.io/';

/** The annotations that it reads (facts/vitistack.md §1). */
const known: ReadonlySet<string> = new Set(
  Object.values(leaseholdKeys).filter((key) => key.startsWith(prefix)),
);

/** The annotations of one Service, and its name in notes. */
interface Asked {
  readonly subject: string;
  /** By full key. */
  readonly texts: ReadonlyMap<string, SourceText>;
  readonly notes: LiveTermNote[];
}

/**
 * Reads a live Service with {@link readLiveService}, with the settings in its annotations and
 * without what the operator filled in. Addresses from ipam-api that its load balancer did not
 * assign are reserved. Values without an equivalent are noted, but never the value of a key.
 */
function readVitistackService(reader: SourceReader, object: SourceObject): ReadService {
  const subject = serviceSubject(object.namespace, object.name);
  const read = withoutPending(reader, subject, readLiveService(reader, object));
  const fields = reader.mapping(object.metadata.get('annotations')) ?? new Map();
  const notes = leftAnnotations(subject, fields, 'leasehold.dev/');
  const asked: Asked = { subject, texts: textsOf(reader, object), notes };
  if (asked.texts.size === 0) return withoutKey(read);
  const given = givenOf(reader, asked);
  const has = new Set((read.live?.addresses ?? []).map(formatAddress));
  const waiting = given.filter((address) => !has.has(formatAddress(address)));
  const taken = [...read.taken, ...takenOf(waiting, subject, object)];
  if (!read.live) return { ...read, taken };
  return withoutKey({ taken, live: { ...read.live, ...leaseTermsOf(read.live, asked) } });
}

/** Without a Service that only asks: what ipam-api gave it is in the operator's annotation. */
function withoutPending(reader: SourceReader, subject: string, read: ReadService): ReadService {
  if (!read.live?.isPending) return read;
  reader.leave(subject, withoutAddressNote, read.live.at);
  return { ...read, live: undefined };
}

/** The author's settings, and the remaining annotations. */
function leaseTermsOf(live: LiveService, asked: Asked): Pick<LiveService, 'terms' | 'written'> {
  const annotations = Object.fromEntries(
    Object.entries(live.written.annotations).filter(
      ([key]) => !key.startsWith(prefix) || key === leaseholdKeys.addresses,
    ),
  );
  return { terms: termsOf(live, asked), written: { ...live.written, annotations } };
}

function termsOf({ addresses }: LiveService, asked: Asked): LiveTerms {
  const secret = termOf(asked, leaseholdKeys.secret);
  noteUnknown(asked);
  return {
    zone: termOf(asked, leaseholdKeys.zone),
    ipFamily: familyOf(asked, addresses),
    retentionDays: retentionOf(asked),
    denyExternalCleanup: denialOf(asked),
    secret: secret?.text === 'default' ? undefined : secret,
    sharingKey: sharingKeyOf(asked),
    notes: asked.notes,
  };
}

function textsOf(
  reader: SourceReader,
  { metadata }: SourceObject,
): ReadonlyMap<string, SourceText> {
  const found = new Map<string, SourceText>();
  for (const [key, node] of reader.mapping(metadata.get('annotations')) ?? []) {
    // Of another type it was refused with the others.
    if (key.startsWith(prefix) && typeof node.value === 'string') {
      found.set(key, { text: node.value, node });
    }
  }
  return found;
}

function termOf({ texts }: Asked, key: string): LiveTerm | undefined {
  const found = texts.get(key);
  return found?.text ? { text: found.text, at: sourcePlace(found.node) } : undefined;
}

/** The addresses assigned by ipam-api. */
function givenOf(reader: SourceReader, { subject, texts }: Asked): readonly Address[] {
  const found = texts.get(leaseholdKeys.addresses);
  const items = (found?.text ?? '').split(',').map((item) => item.trim());
  return items.flatMap((item): Address[] => {
    const address = parseAddress(item.replace(/\/(?:32|128)$/, ''));
    if (isAddress(address)) return [address];
    if (found && item !== '') {
      const message = `its annotation ${leaseholdKeys.addresses} has '${item.slice(0, 60)}', which is not an address`;
      reader.leave(subject, message, sourcePlace(found.node));
    }
    return [];
  });
}

function takenOf(
  addresses: readonly Address[],
  by: string,
  { at }: SourceObject,
): readonly TakenAddress[] {
  return addresses.map((address) => {
    const why = `its annotation ${leaseholdKeys.addresses} names ${formatAddress(address)}, which it does not have`;
    return { address, by, why, at };
  });
}

/** The operator does not compare it with the addresses. */
function familyOf(
  { subject, texts, notes }: Asked,
  addresses: readonly Address[],
): LiveTerms['ipFamily'] {
  const found = texts.get(leaseholdKeys.ipFamily);
  const has = addresses.length > 1 ? 'dual' : addresses[0]?.family;
  if (!found || found.text === has) return has === 'ipv4' || !found ? undefined : has;
  const message = `its annotation ${leaseholdKeys.ipFamily} is '${found.text.slice(0, 60)}', and its addresses are ${has}: it is declared with those`;
  notes.push({ effect: 'changed', subject, message, at: sourcePlace(found.node) });
  return undefined;
}

/** Parsed like Go's `Atoi`, and limited to the range of the API. */
function retentionOf({ subject, texts, notes }: Asked): number {
  const found = texts.get(leaseholdKeys.retentionDays);
  if (!found) return 0;
  const { text, node } = found;
  const name = `its annotation ${leaseholdKeys.retentionDays}`;
  if (!/^[+-]?\d+$/.test(text)) {
    const message = `${name} is '${text.slice(0, 60)}', which is not a number: it is declared without a retention`;
    notes.push({ effect: 'left', subject, message, at: sourcePlace(node) });
    return 0;
  }
  const days = Math.max(0, Math.min(Number(text), longestRetention));
  if (text !== String(days)) {
    const message = `${name} is '${text.slice(0, 60)}', and is written ${days}`;
    notes.push({ effect: 'changed', subject, message, at: sourcePlace(node) });
  }
  return days;
}

/** Parsed like Go's `ParseBool`. */
function denialOf({ subject, texts, notes }: Asked): boolean {
  const found = texts.get(leaseholdKeys.denyExternalCleanup);
  if (!found || falseText.test(found.text)) return false;
  if (trueText.test(found.text)) return true;
  const message = `its annotation ${leaseholdKeys.denyExternalCleanup} is '${found.text.slice(0, 60)}', which is neither true nor false: nothing is denied`;
  notes.push({ effect: 'left', subject, message, at: sourcePlace(found.node) });
  return false;
}

/** A sharing key chosen by a person; undefined for a generated one. */
function sharingKeyOf({ subject, texts, notes }: Asked): LiveTerm | undefined {
  const found = texts.get(leaseholdKeys.sharingKey);
  if (!found || found.text === '' || /^pre-shared-key-[A-Za-z0-9]{32}$/.test(found.text)) {
    return undefined;
  }
  if (found.text.startsWith(preShared) || !/^[-\w.]{1,63}$/.test(found.text)) {
    const message = `the value of its annotation ${leaseholdKeys.sharingKey} is not imported: choose a plain name when others are to share its address`;
    notes.push({ effect: 'left', subject, message, at: sourcePlace(found.node) });
    return undefined;
  }
  return { text: found.text, at: sourcePlace(found.node) };
}

function noteUnknown({ subject, texts, notes }: Asked): void {
  for (const [key, { node }] of texts) {
    if (known.has(key)) continue;
    const message = `the annotation ${key} is not imported: ipam-operator does nothing with it`;
    notes.push({ effect: 'left', subject, message, at: sourceKeyPlace(node) });
  }
}
