import type { Plane } from '../model/planes.ts';
import { poolLabel } from './manifest.ts';
import type { LiveSharer } from './planes/plane.ts';
import { planes } from './planes/planes.ts';

/**
 * The facts of a committed manifest that a live cluster or a tenant depends on. They are read from
 * the canonical form that leasehold writes (src/core/manifests/yaml-text.ts); other text has no facts.
 * `readManifests` is for text that `check` has proved, and throws for any other. It also takes two
 * to three times as long for a file, and a run that changes every manifest reads each twice.
 */
export interface LiveFacts {
  /**
   * The first IP family of each Service: `namespace/name` to `IPv4` or `IPv6`, or to an empty text
   * when it sets none. Without headless Services, whose families can change. Kubernetes:
   * pkg/apis/core/validation, validateUpgradeDowngradeIPFamilies.
   */
  readonly families: ReadonlyMap<string, string>;
  /**
   * The Service that names each node port: `30080` to `namespace/name`. Health check node ports are
   * included.
   */
  readonly nodePorts: ReadonlyMap<string, string>;
  /**
   * `namespace/name` of each Service with a node port for health checks to that port, such as
   * `30090`, or to an empty text when it sets none.
   */
  readonly healthChecks: ReadonlyMap<string, string>;
  /**
   * The class of each Service of type LoadBalancer by `namespace/name`, or an empty text when it
   * sets none.
   */
  readonly classes: ReadonlyMap<string, string>;
  /** The address of each Service per family: `namespace/name IPv4` to the address. */
  readonly pins: ReadonlyMap<string, string>;
  /** The pool of each range: `203.0.113.0/28` to the name of its object. */
  readonly pools: ReadonlyMap<string, string>;
  /** `namespace/name` of each Service with an address to what MetalLB compares for sharing. */
  readonly sharers: ReadonlyMap<string, LiveSharer>;
  /** The layout of the cluster; undefined in other files than that of KeepObject. */
  readonly layout: string | undefined;
  /** The kind of its plane; undefined there for MetalLB. */
  readonly plane: string | undefined;
}

/** The live facts of one file of manifests. */
export function liveFacts(text: string): LiveFacts {
  const documents = documentsIn(text);
  const ofKind = (kind: string) =>
    documents.filter((document) => document.includes(`\nkind: ${kind}\n`));
  const services = ofKind('Service').map((document) => ({
    name: `${textIn(document, 'namespace')}/${textIn(document, 'name')}`,
    families: listIn(document, 'ipFamilies'),
    pins: pinsIn(document),
    document,
    nodePorts: nodePortsIn(document),
    healthCheck: healthCheckIn(document),
  }));
  return {
    families: new Map(
      services.flatMap(({ name, families: [first = ''], document }) =>
        textIn(specOf(document), 'clusterIP') === 'None' ? [] : [[name, first] as const],
      ),
    ),
    nodePorts: new Map(
      services.flatMap(({ name, nodePorts }) => nodePorts.map((port) => [port, name])),
    ),
    healthChecks: new Map(
      services.flatMap(({ name, healthCheck }) =>
        healthCheck === undefined ? [] : [[name, healthCheck] as const],
      ),
    ),
    classes: new Map(
      services.flatMap(({ name, document }) =>
        textIn(specOf(document), 'type') === 'LoadBalancer'
          ? [[name, textIn(specOf(document), 'loadBalancerClass') ?? ''] as const]
          : [],
      ),
    ),
    pins: new Map(
      services.flatMap(({ name, pins }) => pins.map((pin) => [`${name} ${familyOf(pin)}`, pin])),
    ),
    pools: new Map(
      [
        ...ofKind(planes.metallb.poolKind).map(
          (document) => [document, listIn(document, 'addresses')] as const,
        ),
        ...ofKind(planes.cilium.poolKind).map(
          (document) => [document, blocksIn(document)] as const,
        ),
      ].flatMap(([document, ranges]) =>
        ranges.map((range) => [range, textIn(document, 'name') ?? ''] as const),
      ),
    ),
    sharers: new Map(
      services.flatMap(({ name, pins, document }) =>
        pins.length === 0 ? [] : [[name, sharerIn(document, pins)] as const],
      ),
    ),
    layout: ofKind('ConfigMap').flatMap((document) => textIn(document, 'layout') ?? [])[0],
    plane: ofKind('ConfigMap').flatMap((document) => textIn(document, 'plane') ?? [])[0],
  };
}

/** Splits one file of manifests into the texts of its objects. */
export function documentsIn(text: string): readonly string[] {
  return text.split(/^---\n/m);
}

/** Returns a text one level deep: in metadata, spec or data. */
export function textIn(document: string, key: string): string | undefined {
  return new RegExp(`^ {2}${key}: (["']?)(\\S+)\\1$`, 'm').exec(document)?.[2];
}

function listIn(document: string, key: string): string[] {
  const items = new RegExp(`^ {2}${key}:\\n((?: {4}- \\S+\\n)+)`, 'm').exec(document)?.[1] ?? '';
  return [...items.matchAll(/- (["']?)(\S+)\1\n/g)].map(([, , item = '']) => item);
}

/** The blocks of a pool of Cilium. */
function blocksIn(document: string): readonly string[] {
  const blocks = blockIn(document, 'blocks').matchAll(
    /- (?:cidr: (["']?)(\S+)\1|start: (["']?)(\S+)\3\n +stop: (["']?)(\S+)\5)\n/g,
  );
  return [...blocks].map(([, , cidr, , start, , stop]) => cidr ?? `${start}-${stop}`);
}

/** Returns the block below a key at indent 2. */
function blockIn(document: string, key: string): string {
  return new RegExp(`^ {2}${key}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(document)?.[1] ?? '';
}

function sharerIn(document: string, pins: readonly string[]): LiveSharer {
  const key = isOfPool(document)
    ? /^ {4}(lbipam\.cilium\.io)\/sharing-key: (.*)$/m
    : /^ {4}(metallb\.(?:io|universe\.tf))\/allow-shared-ip: (.*)$/m;
  const [, prefix, sharingKey] = key.exec(blockIn(document, 'annotations')) ?? [];
  const isLocal = textIn(document, 'externalTrafficPolicy') === 'Local';
  return {
    pins,
    sharingKey,
    prefix,
    ports: blockIn(document, 'ports')
      .split(/^ {4}- /m)
      .flatMap((item) => {
        const port = /^(?: {6})?port: (\d+)$/m.exec(item)?.[1];
        const protocol = /^(?: {6})?protocol: (\S+)$/m.exec(item)?.[1];
        return port === undefined ? [] : [`${port}/${protocol ?? 'TCP'}`];
      }),
    backend: isLocal ? blockIn(document, 'selector') : '',
  };
}

const pinPatterns = { metallb: pinPattern('metallb'), cilium: pinPattern('cilium') };

function pinPattern(plane: Plane['kind']): RegExp {
  const keys = planes[plane].requests.addresses.join('|').replaceAll('.', '\\.');
  return new RegExp(`^ {4}(?:${keys}): (["']?)(\\S+)\\1$`, 'm');
}

/**
 * Reads the annotation from the block of annotations only: labels and selectors are equally deep,
 * and authors choose their keys. In a cluster on MetalLB an author can have the annotations of Cilium.
 */
function pinsIn(document: string): string[] {
  const annotations = blockIn(document, 'annotations');
  const pins = isOfPool(document)
    ? pinPatterns.cilium.exec(annotations)?.[2]
    : (pinPatterns.metallb.exec(annotations)?.[2] ?? textIn(document, 'loadBalancerIP'));
  return (pins ?? '').split(',').filter((pin) => pin !== '');
}

/** True for a Service with the label by which Cilium's pools select it. */
function isOfPool(document: string): boolean {
  return `\n${blockIn(document, 'labels')}`.includes(`\n    ${poolLabel}: `);
}

function nodePortsIn(document: string): string[] {
  const ports = specOf(document).matchAll(
    /^(?: {2}healthCheckNodePort| {4}- nodePort| {6}nodePort): (\d+)$/gm,
  );
  return [...ports].map(([, port = '']) => port);
}

/** Returns an empty text when the API server picks the port. Kubernetes: NeedsHealthCheck. */
function healthCheckIn(document: string): string | undefined {
  const spec = specOf(document);
  const hasOne =
    textIn(spec, 'type') === 'LoadBalancer' && textIn(spec, 'externalTrafficPolicy') === 'Local';
  return hasOne ? (textIn(spec, 'healthCheckNodePort') ?? '') : undefined;
}

/** Returns the document from `spec:` on. */
function specOf(document: string): string {
  return document.slice(document.search(/^spec:$/m));
}

function familyOf(address: string): string {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}
