import { objectName } from '../../../core/model/live.ts';
import {
  fail,
  failSorted,
  type Outcome,
  ok,
  type Position,
  type Problem,
  startOf,
} from '../../../core/model/problem.ts';
import type { YamlDocument } from '../../../core/text/yaml/document.ts';
import type { InputFile } from '../../../core/text/yaml/template-hints.ts';
import { readYamlStream } from '../../../core/text/yaml/yaml-document.ts';
import {
  readEmbedded,
  type SourceFields,
  type SourceNode,
  SourceReader,
  sourceKeyPlace,
  sourcePlace,
  sourceRoot,
} from '../../../lib/foreign/source-reader.ts';
import type { Imported } from '../imported.ts';
import { announcedPools, type SourceParts } from '../parts/announced-pools.ts';
import { holdsValues, partsOfValues, type ValuesPart } from './helm-values.ts';
import { isConfig, readConfig } from './metallb-config.ts';
import { readAddressPool, readAdvertisement, readIPAddressPool } from './metallb-objects.ts';
import {
  areSound,
  Deduplicator,
  forbiddenIn,
  isSound,
  namesOf,
  type SourceObject,
} from './source-object.ts';

/** Reads objects of a kind other than MetalLB's. */
export interface OtherReader {
  /** True when an object with a forbidden character is left; it is refused otherwise. */
  readonly isLenient?: true;
  read(reader: SourceReader, object: SourceObject, parts: SourceParts): void;
}

/** The documents of a file or a cluster, with the text of the file, if any. */
export interface SourceDocuments {
  readonly documents: Outcome<readonly YamlDocument[]>;
  readonly text: string;
}

interface MetalLBReading {
  readonly reader: SourceReader;
  readonly parts: SourceParts;
  /** Readers for other objects, by `<apiVersion> <kind>`. */
  readonly others: ReadonlyMap<string, OtherReader>;
  /** The namespaces of imported objects, each with its first position. */
  readonly namespaces: Map<string, Position>;
  /** The text of the current file. */
  readonly text: string;
  readonly seen: Deduplicator;
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
 * Reads MetalLB's configuration: its objects, in streams and lists, and the ConfigMap of 0.12 and
 * before, as an object or its content alone. All files form one configuration. Problems are what
 * MetalLB or Kubernetes refuse: those of {@link readYamlStream}, FIELD_TYPE, FIELD_MISSING,
 * FIELD_VALUE and ADDRESS_INVALID.
 */
export function readMetalLB(files: readonly InputFile[]): Outcome<Imported> {
  return readObjects(files.map(documentsOf), new Map());
}

/**
 * All documents of an exported file. Annotations of a cluster may contain any character. An empty
 * file is YAML_DOCUMENTS: its export failed, and its objects would be missing.
 */
export function documentsOf({ name, bytes }: InputFile): SourceDocuments {
  const text = new TextDecoder().decode(bytes);
  const read = readYamlStream(name, bytes, { anyCharacter: true });
  return { documents: text.trim() === '' ? fail([emptyFile(name)]) : read, text };
}

function emptyFile(name: string): Problem {
  const message = 'the file is empty, as kubectl leaves it when it fails';
  const hint = 'export it again, and leave out kinds that the cluster does not have';
  return { code: 'YAML_DOCUMENTS', message, at: startOf(name), hint };
}

/** Like {@link readMetalLB} for parsed documents, with readers for other kinds of objects. */
export function readObjects(
  sources: readonly SourceDocuments[],
  others: ReadonlyMap<string, OtherReader>,
): Outcome<Imported> {
  const reader = new SourceReader();
  const parts: SourceParts = { pools: [], advertisements: [], kept: new Map() };
  const namespaces = new Map<string, Position>();
  const seen = new Deduplicator();
  for (const { documents, text } of sources) {
    if (!documents.ok) {
      reader.problems.push(...documents.problems);
      continue;
    }
    for (const document of documents.value) {
      readAny({ reader, parts, others, namespaces, text, seen }, sourceRoot(document));
    }
  }
  const pools = announcedPools(reader, parts);
  if (reader.problems.length > 0) {
    return failSorted(reader.problems);
  }
  const [[namespace] = [], second] = [...namespaces];
  if (second) {
    const message = `there are objects of MetalLB in the namespaces ${namespace} and ${second[0]}; it reads those of its own only`;
    reader.change('the namespace', message, second[1]);
  }
  return ok({
    pools,
    notes: reader.notes,
    namespace: second ? undefined : namespace,
    kept: parts.kept,
  });
}

function readAny(reading: MetalLBReading, node: SourceNode, ofList?: ListType): void {
  const { reader } = reading;
  const fields = reader.mapping(node);
  if (!fields) return;
  const kind = reader.text(fields.get('kind')) ?? ofList?.kind;
  const apiVersion = reader.text(fields.get('apiVersion')) ?? ofList?.apiVersion;
  if (kind === undefined && isConfig(node)) {
    readPart(reading, { kind: 'config', node });
    return;
  }
  if (kind === undefined || apiVersion === undefined) {
    const isRead = readValues(reading, node, 'the values of the chart');
    if (!isRead) reader.leave('a document', whyNone, sourcePlace(node));
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

/** The type of the items of a list, which the API server omits on the items. */
interface ListType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** FIELD_VALUE for an incomplete list: addresses in its missing part would count as free. */
function refuseHalf(reader: SourceReader, fields: SourceFields): void {
  const next = reader.mapping(fields.get('metadata'))?.get('continue');
  if (next === undefined || !reader.text(next)) return;
  const message = 'the list is incomplete: it has metadata.continue';
  reader.refuse(
    'FIELD_VALUE',
    message,
    sourceKeyPlace(next),
    'export all of it, as `kubectl get` does',
  );
}

function readObject(
  reading: MetalLBReading,
  type: string,
  { kind, fields, node }: { kind: string; fields: SourceFields; node: SourceNode },
): void {
  const { reader, seen, parts } = reading;
  const metadata = reader.mapping(fields.get('metadata')) ?? new Map<string, SourceNode>();
  const config = type === 'v1 ConfigMap' ? configIn(reader, fields) : undefined;
  const other = reading.others.get(type);
  const read = other?.read ?? kindReaders.get(type);
  if (config) {
    readConfigMap(reading, config);
    noteNamespace(reading, metadata, reader.text(metadata.get('namespace')));
    return;
  }
  if (!read) {
    readOther(reading, type, { kind, name: metadata.get('name'), node });
    return;
  }
  const named = namesOf(reader, metadata, { kind, node });
  if (!named || !isReadable(reader, fields, { kind, ...named }, other)) return;
  if (seen.has(reader, { type, kind, ...named, metadata, fields, isLive: !!other })) return;
  const spec = reader.mapping(fields.get('spec')) ?? new Map<string, SourceNode>();
  read(reader, { kind, ...named, metadata, spec, status: fields.get('status') }, parts);
  if (!other) noteNamespace(reading, metadata, named.namespace);
}

/** Reads an object of another program for the values in it, or leaves it. */
function readOther(
  reading: MetalLBReading,
  type: string,
  { kind, name, node }: { kind: string; name: SourceNode | undefined; node: SourceNode },
): void {
  const called = typeof name?.value === 'string' ? name.value : 'without a name';
  const subject = `${kind} ${called}`;
  if (holdsValues(type) && readValues(reading, node, subject)) return;
  reading.reader.leave(subject, whyLeft(kind, type), sourcePlace(name ?? node));
}

/** True for an object without forbidden characters. One of a lenient reader is left. */
function isReadable(
  reader: SourceReader,
  fields: SourceFields,
  { kind, name, namespace, at }: Pick<SourceObject, 'kind' | 'name' | 'namespace' | 'at'>,
  other: OtherReader | undefined,
): boolean {
  if (!other?.isLenient) return areSound(reader, fields);
  const [character] = [...fields].flatMap(([key, node]) => forbiddenIn(node, key) ?? []);
  if (character === undefined) return true;
  const subject = objectName(kind, { namespace, name });
  reader.leave(subject, `it holds ${character}, which is not allowed`, at);
  return false;
}

function noteNamespace(
  { namespaces }: MetalLBReading,
  metadata: SourceFields,
  name: string | undefined,
): void {
  const node = metadata.get('namespace');
  if (node && name !== undefined && !namespaces.has(name)) namespaces.set(name, sourcePlace(node));
}

const whyNone = "it is neither a Kubernetes object nor the content of MetalLB's ConfigMap";

function readPart(reading: MetalLBReading, { kind, node }: ValuesPart): void {
  const { reader, parts } = reading;
  if (kind === 'object') readAny(reading, node);
  else if (isSound(reader, node)) readConfig(reader, node, parts);
}

/** Reads MetalLB's configuration in the values of a chart. False when they have none. */
function readValues(reading: MetalLBReading, node: SourceNode, subject: string): boolean {
  const { reader, text } = reading;
  const found = partsOfValues(node, text);
  for (const part of found) readPart(reading, part);
  const [first] = found;
  if (!first) return false;
  const message =
    'pools in it are imported: remove them there in the commit that applies dist/, or both write them';
  reader.change(subject, message, sourcePlace(first.node));
  return true;
}

function whyLeft(kind: string, type: string): string {
  return ownKinds.has(kind) && type.startsWith('metallb.io/')
    ? `leasehold writes no ${kind}: it stays as it is in the cluster`
    : `${type} is not an object that leasehold reads pools from`;
}

/** `data.config` of a ConfigMap, when it is MetalLB's. */
function configIn(reader: SourceReader, fields: SourceFields): SourceNode | undefined {
  const config = reader.mapping(fields.get('data'))?.get('config');
  const isOurs = typeof config?.value === 'string' && /^\s*address-pools:/m.test(config.value);
  return isOurs ? config : undefined;
}

function readConfigMap({ reader, parts, text }: MetalLBReading, config: SourceNode): void {
  const documents = readEmbedded(config, String(config.value), text);
  if (!documents.ok) {
    reader.problems.push(...documents.problems);
    return;
  }
  for (const document of documents.value) readConfig(reader, sourceRoot(document), parts);
}
