import { falseText, trueText } from '../../../declarations/service/service-annotations.ts';
import { leaseholdKeys } from '../../../declarations/service/service-metadata.ts';
import { longestRetention } from '../../../model/lease.ts';
import type { Outcome } from '../../../model/problem.ts';
import { type Address, formatAddress, isAddress, parseAddress } from '../../../net/address.ts';
import { rangeSize } from '../../../net/range.ts';
import {
  type ForeignReader,
  type ForeignText,
  keyPlaceOf,
  placeOf,
} from '../../../text/foreign-reader.ts';
import { readClusterObjects } from '../cluster/cluster-source.ts';
import {
  leftAnnotations,
  preShared,
  type ReadService,
  readLiveService,
  serviceSubject,
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
import type { ForeignDocuments } from '../metallb/metallb-source.ts';
import type { ForeignObject } from '../metallb/source-object.ts';

/** The zone of a Service that names none: ipam-operator, `internal/utils/annotations.go`. */
const defaultZone = 'hnet-private';

/**
 * Reads what a cluster with vitistack's ipam-operator has, as {@link readClusterObjects} reads any other: with what the
 * operator's annotations say, and each pool as the zone that it is there. Problems: those of readClusterObjects.
 */
export function readVitistack(sources: readonly ForeignDocuments[]): Outcome<Imported> {
  const read = readClusterObjects(sources, readVitistackService);
  if (!read.ok) return read;
  const { pools, live = { services: [], leasedIPs: [], taken: [] } } = read.value;
  const has = new Set([
    ...live.services.flatMap(({ addresses }) => addresses.map(formatAddress)),
    ...live.taken.map(({ address }) => formatAddress(address)),
  ]);
  const lost = pools.filter(isInUse).flatMap((pool) => lostOf(pool, has));
  const isDefault = pools.some(({ name }) => name === defaultZone);
  return {
    ok: true,
    value: {
      ...read.value,
      ...(isDefault ? { defaultZone } : {}),
      pools: pools.map((pool) => ({ ...pool, zone: pool.name, isInUse: isInUse(pool) })),
      live: { ...live, taken: [...live.taken, ...lost] },
    },
  };
}

/** The operator's pools have one entry for each address in use: facts/vitistack.md §3. */
function isInUse({ ranges }: ImportedPool): boolean {
  return ranges.every(({ range }) => rangeSize(range) === 1n);
}

/** Addresses of a pool that nothing else names: whoever had them may have been promised them. */
function lostOf({ name, ranges }: ImportedPool, has: ReadonlySet<string>): readonly TakenAddress[] {
  return ranges.flatMap(({ range, at }): TakenAddress[] => {
    const address = range.from;
    if (has.has(formatAddress(address))) return [];
    const why = `no Service has its address ${formatAddress(address)}, which ipam-api may keep`;
    return [{ address, by: `pool ${name}`, why, at }];
  });
}

/** What the annotations of ipam-operator begin with. */
const prefix = 'ipam.vitistack.io/';

/** Those that it reads (facts/vitistack.md §1). */
const known: ReadonlySet<string> = new Set(
  Object.values(leaseholdKeys).filter((key) => key.startsWith(prefix)),
);

/** The annotations of one Service, and how it is called. */
interface Asked {
  readonly subject: string;
  /** By their whole keys. */
  readonly texts: ReadonlyMap<string, ForeignText>;
  readonly notes: LiveTermNote[];
}

/**
 * A live Service as ipam-operator left it: as {@link readLiveService} reads it, with what its annotations say beside it and
 * without what the operator filled in. Addresses that ipam-api gave it and its load balancer did not are taken. Every
 * value that has no meaning here is told; never that of a key.
 */
export function readVitistackService(reader: ForeignReader, object: ForeignObject): ReadService {
  const read = readLiveService(reader, object);
  const subject = serviceSubject(object.namespace, object.name);
  const fields = reader.mapping(object.metadata.get('annotations')) ?? new Map();
  const notes = leftAnnotations(subject, fields, 'leasehold.dev/');
  const asked: Asked = { subject, texts: textsOf(reader, object), notes };
  if (asked.texts.size === 0) return withoutKey(read);
  const given = givenOf(reader, asked);
  const has = new Set((read.live?.addresses ?? []).map(formatAddress));
  const waiting = given.filter((address) => !has.has(formatAddress(address)));
  const taken = [...read.taken, ...takenOf(waiting, subject, object)];
  if (!read.live) return { ...read, taken };
  return withoutKey({ taken, live: { ...read.live, ...termed(read.live, asked) } });
}

/** What an author asked for, and the annotations without it. */
function termed(live: LiveService, asked: Asked): Pick<LiveService, 'terms' | 'written'> {
  const annotations = Object.fromEntries(
    Object.entries(live.written.annotations).filter(
      ([key]) => !key.startsWith(prefix) || key === leaseholdKeys.addresses,
    ),
  );
  return { terms: termsOf(live, asked), written: { ...live.written, annotations } };
}

function termsOf({ addresses }: LiveService, asked: Asked): LiveTerms {
  const secret = termOf(asked, leaseholdKeys.secret);
  tellUnknown(asked);
  return {
    zone: termOf(asked, leaseholdKeys.zone),
    ipFamily: familyOf(asked, addresses),
    retentionPeriodDays: retentionOf(asked),
    denyExternalCleanup: denialOf(asked),
    secret: secret?.text === 'default' ? undefined : secret,
    sharingKey: sharingKeyOf(asked),
    notes: asked.notes,
  };
}

function textsOf(
  reader: ForeignReader,
  { metadata }: ForeignObject,
): ReadonlyMap<string, ForeignText> {
  const found = new Map<string, ForeignText>();
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
  return found?.text ? { text: found.text, at: placeOf(found.node) } : undefined;
}

/** The addresses that ipam-api gave. */
function givenOf(reader: ForeignReader, { subject, texts }: Asked): readonly Address[] {
  const found = texts.get(leaseholdKeys.addresses);
  const items = (found?.text ?? '').split(',').map((item) => item.trim());
  return items.flatMap((item): Address[] => {
    const address = parseAddress(item.replace(/\/(?:32|128)$/, ''));
    if (isAddress(address)) return [address];
    if (found && item !== '') {
      const message = `its annotation ${leaseholdKeys.addresses} has '${item.slice(0, 60)}', which is no address`;
      reader.leave(subject, message, placeOf(found.node));
    }
    return [];
  });
}

function takenOf(
  addresses: readonly Address[],
  by: string,
  { at }: ForeignObject,
): readonly TakenAddress[] {
  return addresses.map((address) => {
    const why = `its annotation ${leaseholdKeys.addresses} names ${formatAddress(address)}, which it does not have`;
    return { address, by, why, at };
  });
}

/** The operator never compares it with the addresses. */
function familyOf(
  { subject, texts, notes }: Asked,
  addresses: readonly Address[],
): LiveTerms['ipFamily'] {
  const found = texts.get(leaseholdKeys.ipFamily);
  const has = addresses.length > 1 ? 'dual' : addresses[0]?.family;
  if (!found || found.text === has) return has === 'ipv4' || !found ? undefined : has;
  const message = `its annotation ${leaseholdKeys.ipFamily} is '${found.text.slice(0, 60)}', and its addresses are ${has}: it is declared with those`;
  notes.push({ effect: 'changed', subject, message, at: placeOf(found.node) });
  return undefined;
}

/** As Go's `Atoi` reads it, and within what the API takes. */
function retentionOf({ subject, texts, notes }: Asked): number {
  const found = texts.get(leaseholdKeys.retentionPeriodDays);
  if (!found) return 0;
  const { text, node } = found;
  const name = `its annotation ${leaseholdKeys.retentionPeriodDays}`;
  if (!/^[+-]?\d+$/.test(text)) {
    const message = `${name} is '${text.slice(0, 60)}', which is no number: it is declared without a retention`;
    notes.push({ effect: 'left', subject, message, at: placeOf(node) });
    return 0;
  }
  const days = Math.max(0, Math.min(Number(text), longestRetention));
  if (text !== String(days)) {
    const message = `${name} is '${text.slice(0, 60)}', and is written ${days}`;
    notes.push({ effect: 'changed', subject, message, at: placeOf(node) });
  }
  return days;
}

/** As Go's `ParseBool` reads it. */
function denialOf({ subject, texts, notes }: Asked): boolean {
  const found = texts.get(leaseholdKeys.denyExternalCleanup);
  if (!found || falseText.test(found.text)) return false;
  if (trueText.test(found.text)) return true;
  const message = `its annotation ${leaseholdKeys.denyExternalCleanup} is '${found.text.slice(0, 60)}', which is neither true nor false: nothing is denied`;
  notes.push({ effect: 'left', subject, message, at: placeOf(found.node) });
  return false;
}

/** One that a person chose; the operator's own random one says nothing. */
function sharingKeyOf({ subject, texts, notes }: Asked): LiveTerm | undefined {
  const found = texts.get(leaseholdKeys.sharingKey);
  if (!found || found.text === '' || /^pre-shared-key-[A-Za-z0-9]{32}$/.test(found.text)) {
    return undefined;
  }
  if (found.text.startsWith(preShared) || !/^[-\w.]{1,63}$/.test(found.text)) {
    const message = `the value of its annotation ${leaseholdKeys.sharingKey} is not taken: choose a plain name when others are to share its address`;
    notes.push({ effect: 'left', subject, message, at: placeOf(found.node) });
    return undefined;
  }
  return { text: found.text, at: placeOf(found.node) };
}

function tellUnknown({ subject, texts, notes }: Asked): void {
  for (const [key, { node }] of texts) {
    if (known.has(key)) continue;
    const message = `the annotation ${key} is not taken: ipam-operator does nothing with it`;
    notes.push({ effect: 'left', subject, message, at: keyPlaceOf(node) });
  }
}
