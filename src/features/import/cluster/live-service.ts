import { leaseholdKeys, metallbKeys } from '../../../declarations/service/service-metadata.ts';
import type { Position } from '../../../model/problem.ts';
import type { ServiceProtocol } from '../../../model/service.ts';
import {
  type Address,
  compareAddresses,
  formatAddress,
  isAddress,
  parseAddress,
} from '../../../net/address.ts';
import {
  type ForeignFields,
  type ForeignNode,
  type ForeignReader,
  keyPlaceOf,
  placeOf,
} from '../../../text/foreign-reader.ts';
import type { LiveService, LiveTermNote, TakenAddress } from '../imported.ts';
import type { ForeignObject } from '../metallb/source-object.ts';
import { writtenOf } from './live-service-spec.ts';
import { managerOf } from './service-manager.ts';

/** What a Service uses: it leases, or it takes addresses that nobody leased. */
export interface ReadService {
  /** Undefined for one that no load balancer gave an address. */
  readonly live: LiveService | undefined;
  /** Those of its `spec.externalIPs`, and what else nobody else may get. */
  readonly taken: readonly TakenAddress[];
}

/** How a Service is called in what an import tells. */
export function serviceSubject(namespace: string | undefined, name: string): string {
  return `Service ${namespace ?? defaultNamespace}/${name}`;
}

/** Of a Service that names none. */
const defaultNamespace = 'default';

/**
 * A live Service: what a declaration would say of it, and what stands against one. Of a Service without an address of a load
 * balancer it is told why it is not taken; one of another type than LoadBalancer has nothing to do with addresses.
 * Problems: FIELD_TYPE, FIELD_MISSING.
 */
export function readLiveService(reader: ForeignReader, object: ForeignObject): ReadService {
  const { name, namespace = defaultNamespace, at, metadata, spec } = object;
  const taken = externalOf(reader, object);
  const none = { live: undefined, taken };
  if (spec.get('type')?.value !== 'LoadBalancer') return none;
  const subject = serviceSubject(namespace, name);
  const { addresses, isWhole } = ingressOf(reader, subject, object);
  if (!isWhole || addresses.length === 0) {
    const others = addresses.map((address) => takenBeside(address, subject, at));
    return { live: undefined, taken: [...taken, ...others] };
  }
  const fields = reader.mapping(metadata.get('annotations')) ?? new Map<string, ForeignNode>();
  const annotations = textsOf(reader, fields);
  const labels = textsOf(reader, reader.mapping(metadata.get('labels')));
  const { written, obstacle } = writtenOf(reader, object, { addresses, labels, annotations });
  return {
    taken,
    live: {
      namespace,
      name,
      ports: portsOf(reader, spec.get('ports')),
      addresses,
      sharingKey: asked(annotations, 'sharingKey'),
      asksPool: asked(annotations, 'pool'),
      manager: managerOf(reader, metadata, { labels, annotations }),
      obstacle,
      isOfLease: labels.get('akash.network/service-target') === 'metal-lb',
      isLabelled:
        labels.get('app.kubernetes.io/managed-by') === 'leasehold' ||
        labels.get('leasehold.dev/reserved') === 'true',
      isGoing: reader.text(metadata.get('deletionTimestamp')) !== undefined,
      written,
      ...termsOf(subject, fields),
      at,
    },
  };
}

/** What begins so is a random text of the operator's, or was made to look like one: nobody else is to read it. */
export const preShared = 'pre-shared-key-';

/** A live Service of any other cluster: as {@link readLiveService} reads it, without a key that ipam-operator made. */
export function readPlainService(reader: ForeignReader, object: ForeignObject): ReadService {
  return withoutKey(readLiveService(reader, object));
}

/** Without a key of MetalLB's that nobody else is to read: what shares stands on one address all the same. */
export function withoutKey(read: ReadService): ReadService {
  const { live } = read;
  if (!live?.sharingKey?.startsWith(preShared)) return read;
  return { ...read, live: { ...live, sharingKey: undefined } };
}

/** Those entries that are texts, as they all must be. */
function textsOf(
  reader: ForeignReader,
  fields: ForeignFields = new Map(),
): ReadonlyMap<string, string> {
  return new Map(
    [...fields].flatMap(([key, node]) => {
      const text = reader.text(node);
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
}

function externalOf(reader: ForeignReader, object: ForeignObject): readonly TakenAddress[] {
  const by = `${serviceSubject(object.namespace, object.name)}, as an external address`;
  return reader.texts(object.spec.get('externalIPs')).flatMap(({ text }) => {
    const address = parseAddress(text);
    if (!isAddress(address)) return [];
    const why = `it uses ${formatAddress(address)} without a load balancer`;
    return [{ address, by, why, at: object.at }];
  });
}

/**
 * Of the annotations that leasehold obeys in a declaration, those that begin in some way: who may write a Service in the cluster does
 * not steer leasehold. By their names only: a value may be a secret.
 */
export function leftAnnotations(
  subject: string,
  annotations: ForeignFields,
  begin = '',
): LiveTermNote[] {
  return [...annotations].flatMap(([key, node]): LiveTermNote[] => {
    if (!steering.has(key) || !key.startsWith(begin)) return [];
    const message = `the annotation ${key} is not taken: leasehold obeys it in a declaration; write it there if it holds`;
    return [{ effect: 'left', subject, message, at: keyPlaceOf(node) }];
  });
}

function termsOf(subject: string, annotations: ForeignFields): Pick<LiveService, 'terms'> {
  const notes = leftAnnotations(subject, annotations);
  if (notes.length === 0) return {};
  const none = { zone: undefined, ipFamily: undefined, secret: undefined, sharingKey: undefined };
  return { terms: { ...none, retentionPeriodDays: 0, denyExternalCleanup: false, notes } };
}

const steering: ReadonlySet<string> = new Set(
  Object.values(leaseholdKeys).filter((key) => key !== leaseholdKeys.addresses),
);

/** What MetalLB reads of its annotations: the old name counts only where the new one is not there at all. */
function asked(
  annotations: ReadonlyMap<string, string>,
  what: 'sharingKey' | 'pool',
): string | undefined {
  const key = metallbKeys.map((keys) => keys[what]).find((one) => annotations.has(one));
  return (key === undefined ? undefined : annotations.get(key)) || undefined;
}

function takenBeside(address: Address, by: string, at: Position): TakenAddress {
  const why = `its load balancer gave it ${formatAddress(address)} all the same`;
  return { address, by, why, at };
}

/** The addresses that its load balancer gave it, IPv4 first, and whether it gave nothing else; none at all, and what else, is told. */
function ingressOf(
  reader: ForeignReader,
  subject: string,
  { status, at }: ForeignObject,
): { readonly addresses: readonly Address[]; readonly isWhole: boolean } {
  const balancer = reader.mapping(reader.mapping(status)?.get('loadBalancer'));
  const items = reader.list(balancer?.get('ingress'));
  if (items.length === 0) {
    reader.leave(subject, 'it is not taken: no load balancer gave it an address', at);
    return { addresses: [], isWhole: true };
  }
  const addresses = items.flatMap((item): Address[] => {
    const fields = reader.mapping(item);
    const text = reader.text(fields?.get('ip'));
    const address = text === undefined ? undefined : parseAddress(text);
    if (address && isAddress(address)) return [address];
    const host = reader.text(fields?.get('hostname')) ?? text ?? 'something else';
    const message = `it is not taken: its load balancer gave it ${host}, and no address`;
    reader.leave(subject, message, placeOf(item));
    return [];
  });
  return { addresses: unique(addresses), isWhole: addresses.length === items.length };
}

/** In order, IPv4 first, each once. */
function unique(addresses: readonly Address[]): readonly Address[] {
  const known = new Map(addresses.map((address) => [formatAddress(address), address]));
  return [...known.values()].sort(compareAddresses);
}

function portsOf(reader: ForeignReader, list: ForeignNode | undefined): LiveService['ports'] {
  return reader.list(list).flatMap((item) => {
    const fields = reader.mapping(item);
    const port = fields?.get('port');
    if (typeof port?.value !== 'number') {
      reader.refuse(
        'FIELD_MISSING',
        'the port has no number',
        port ? keyPlaceOf(port) : placeOf(item),
      );
      return [];
    }
    const protocol = (reader.text(fields?.get('protocol')) ?? 'TCP') as ServiceProtocol;
    return [{ port: port.value, protocol }];
  });
}
