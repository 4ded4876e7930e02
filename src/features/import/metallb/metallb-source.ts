import type { ImportFile } from '../../../model/input-file.ts';
import { compareProblems, type Outcome, type Position } from '../../../model/problem.ts';
import {
  type ForeignFields,
  type ForeignNode,
  ForeignReader,
  keyPlaceOf,
  placeOf,
  rootOf,
} from '../../../text/foreign-reader.ts';
import { readEmbedded } from '../../../text/yaml/embedded-yaml.ts';
import { readYamlStream, type YamlDocument } from '../../../text/yaml/yaml-document.ts';
import type { Imported } from '../imported.ts';
import { announcedPools } from './metallb-advertisement.ts';
import { isConfig, type MetalLBParts, readConfig } from './metallb-config.ts';
import { readAddressPool, readAdvertisement, readIPAddressPool } from './metallb-objects.ts';
import { areSound, type ForeignObject, isSound, namesOf, TwiceRead } from './source-object.ts';

/** Reads an object of a kind that is none of MetalLB's. */
export type OtherReader = (reader: ForeignReader, object: ForeignObject) => void;

/** The documents of a file or of a cluster; `text` is what a file has, where it is one. */
export interface ForeignDocuments {
  readonly documents: Outcome<readonly YamlDocument[]>;
  readonly text: string;
}

interface MetalLBReading {
  readonly reader: ForeignReader;
  readonly parts: MetalLBParts;
  /** Readers of other objects, by `<apiVersion> <kind>`. */
  readonly others: ReadonlyMap<string, OtherReader>;
  /** The namespaces of what was taken, each with its first place. */
  readonly namespaces: Map<string, Position>;
  /** The text of the file that is read. */
  readonly text: string;
  readonly twice: TwiceRead;
}

const kindReaders = new Map([
  ['metallb.io/v1beta1 IPAddressPool', readIPAddressPool],
  ['metallb.io/v1alpha1 AddressPool', readAddressPool],
  ['metallb.io/v1beta1 AddressPool', readAddressPool],
  ['metallb.io/v1beta1 L2Advertisement', readAdvertisement],
  ['metallb.io/v1beta1 BGPAdvertisement', readAdvertisement],
]);

const ownKinds = new Set(['BGPPeer', 'BFDProfile', 'Community']);

/**
 * Reads MetalLB's configuration: its objects, in streams and lists, and the ConfigMap of 0.12 and before, as the object
 * or what stands in it. All files are one configuration. Problems are what MetalLB or Kubernetes refuse: those of
 * {@link readYamlStream}, FIELD_TYPE, FIELD_MISSING, FIELD_VALUE and ADDRESS_INVALID.
 */
export function readMetalLB(files: readonly ImportFile[]): Outcome<Imported> {
  return readObjects(files.map(documentsOf), new Map());
}

/** All documents of a file that was exported from a cluster: anybody there may have written anything into an annotation. */
export function documentsOf({ name, bytes }: ImportFile): ForeignDocuments {
  return {
    documents: readYamlStream(name, bytes, { anyCharacter: true }),
    text: new TextDecoder().decode(bytes),
  };
}

/** As {@link readMetalLB}, of documents, and with readers for other objects that stand among MetalLB's. */
export function readObjects(
  sources: readonly ForeignDocuments[],
  others: ReadonlyMap<string, OtherReader>,
): Outcome<Imported> {
  const reader = new ForeignReader();
  const parts: MetalLBParts = { pools: [], advertisements: [] };
  const namespaces = new Map<string, Position>();
  const twice = new TwiceRead();
  for (const { documents, text } of sources) {
    if (!documents.ok) {
      reader.problems.push(...documents.problems);
      continue;
    }
    for (const document of documents.value) {
      readAny({ reader, parts, others, namespaces, text, twice }, rootOf(document));
    }
  }
  const pools = announcedPools(reader, parts.pools, parts.advertisements);
  if (reader.problems.length > 0) {
    return { ok: false, problems: reader.problems.toSorted(compareProblems) };
  }
  const [[namespace] = [], second] = [...namespaces];
  if (second) {
    const message = `there are objects of MetalLB in the namespaces ${namespace} and ${second[0]}; it reads those of its own only`;
    reader.change('the namespace', message, second[1]);
  }
  return {
    ok: true,
    value: { pools, notes: reader.notes, namespace: second ? undefined : namespace },
  };
}

function readAny(reading: MetalLBReading, node: ForeignNode, ofList?: ListType): void {
  const { reader, parts } = reading;
  const fields = reader.mapping(node);
  if (!fields) return;
  const kind = reader.text(fields.get('kind')) ?? ofList?.kind;
  const apiVersion = reader.text(fields.get('apiVersion')) ?? ofList?.apiVersion;
  if (kind === undefined && isConfig(node)) {
    if (isSound(reader, node)) readConfig(reader, node, parts);
    return;
  }
  if (kind === undefined || apiVersion === undefined) {
    reader.leave('a document', whyNone(fields), placeOf(node));
    return;
  }
  const items = fields.get('items');
  if (kind.endsWith('List') && items) {
    refuseHalf(reader, fields);
    const own = kind === 'List' ? undefined : { kind: kind.slice(0, -'List'.length), apiVersion };
    for (const item of reader.list(items)) readAny(reading, item, own);
    return;
  }
  readObject(reading, `${apiVersion} ${kind}`, { kind, fields, node });
}

/** What the items of a list are, as the API server writes one: without saying it again. */
interface ListType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** FIELD_VALUE for a list that goes on where this one ends: what it lacks would be taken for free. */
function refuseHalf(reader: ForeignReader, fields: ForeignFields): void {
  const next = reader.mapping(fields.get('metadata'))?.get('continue');
  if (next === undefined || !reader.text(next)) return;
  const message = 'the list is only a part of what there is: metadata.continue says so';
  reader.refuse('FIELD_VALUE', message, keyPlaceOf(next), 'export all of it, as kubectl get does');
}

function readObject(
  reading: MetalLBReading,
  type: string,
  { kind, fields, node }: { kind: string; fields: ForeignFields; node: ForeignNode },
): void {
  const { reader, twice, parts } = reading;
  const metadata = reader.mapping(fields.get('metadata')) ?? new Map<string, ForeignNode>();
  const config = type === 'v1 ConfigMap' ? configIn(reader, fields) : undefined;
  const other = reading.others.get(type);
  const read = other ?? kindReaders.get(type);
  if (config) {
    readConfigMap(reading, config);
    noteNamespace(reading, metadata, reader.text(metadata.get('namespace')));
    return;
  }
  if (!read) {
    const name = metadata.get('name');
    const called = typeof name?.value === 'string' ? name.value : 'without a name';
    reader.leave(`${kind} ${called}`, whyLeft(kind, type), placeOf(name ?? node));
    return;
  }
  const named = namesOf(reader, metadata, { kind, node });
  if (!named || !areSound(reader, fields)) return;
  if (twice.has(reader, { type, kind, ...named, metadata, fields, isLive: !!other })) return;
  const spec = reader.mapping(fields.get('spec')) ?? new Map<string, ForeignNode>();
  read(reader, { kind, ...named, metadata, spec, status: fields.get('status') }, parts);
  if (!other) noteNamespace(reading, metadata, named.namespace);
}

function noteNamespace(
  { namespaces }: MetalLBReading,
  metadata: ForeignFields,
  name: string | undefined,
): void {
  const node = metadata.get('namespace');
  if (node && name !== undefined && !namespaces.has(name)) namespaces.set(name, placeOf(node));
}

function whyNone(fields: ForeignFields): string {
  return fields.has('configInline')
    ? "it has the values of a Helm chart: import what stands below configInline alone, or what 'kubectl get' prints of the ConfigMap"
    : "it is no Kubernetes object, and not the text of MetalLB's ConfigMap";
}

function whyLeft(kind: string, type: string): string {
  return ownKinds.has(kind) && type.startsWith('metallb.io/')
    ? `leasehold writes no ${kind}: it stays as it is in the cluster`
    : `${type} is nothing that pools are read from`;
}

/** `data.config` of a ConfigMap, when it is MetalLB's. */
function configIn(reader: ForeignReader, fields: ForeignFields): ForeignNode | undefined {
  const config = reader.mapping(fields.get('data'))?.get('config');
  const isOurs = typeof config?.value === 'string' && /^\s*address-pools:/m.test(config.value);
  return isOurs ? config : undefined;
}

function readConfigMap({ reader, parts, text }: MetalLBReading, config: ForeignNode): void {
  const documents = readEmbedded(config, String(config.value), text);
  if (!documents.ok) {
    reader.problems.push(...documents.problems);
    return;
  }
  for (const document of documents.value) readConfig(reader, rootOf(document), parts);
}
