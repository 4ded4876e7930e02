import {
  annotationKeysRead,
  domainOf,
  leaseholdKeys,
  metallbKeys,
} from '../../../core/declarations/service/service-metadata.ts';
import { ciliumKeys, type Plane } from '../../../core/model/planes.ts';
import {
  type Address,
  familyName,
  formatAddress,
  isAddress,
  parseAddress,
} from '../../../core/net/address.ts';
import { valueAt } from '../../../core/text/message-text.ts';
import { forbiddenCharacter } from '../../../core/text/yaml/yaml-text.ts';
import type { SourceReader } from '../../../lib/foreign/source-reader.ts';
import type { WrittenLive } from '../imported.ts';
import type { SourceObject } from '../metallb/source-object.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The declared part of a Service, and why it is incomplete, if so. */
export interface LiveText {
  readonly written: WrittenLive;
  readonly obstacle: string | undefined;
}

/** The parts of a live Service that are already read. */
export interface LiveParts {
  readonly addresses: readonly Address[];
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly plane: Plane['kind'];
}

/** The annotations of a plane, the newest first. */
export const keysOfPlane = {
  metallb: {
    addresses: metallbKeys.map(({ addresses }) => addresses),
    sharingKey: metallbKeys.map(({ sharingKey }) => sharingKey),
  },
  cilium: {
    addresses: ciliumKeys.map(({ addresses }) => addresses),
    sharingKey: ciliumKeys.map(({ sharingKey }) => sharingKey),
  },
} as const satisfies Readonly<Record<Plane['kind'], object>>;

/** The annotation in which kubectl stores the applied configuration. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Annotations written by controllers, without information of the author. */
export const ofControllers: ReadonlySet<string> = new Set([
  lastApplied,
  'metallb.io/ip-allocated-from-pool',
  'metallb.universe.tf/ip-allocated-from-pool',
  'field.cattle.io/publicEndpoints',
  'argocd.argoproj.io/sync-wave',
]);

/** Defaults of the API server. Kubernetes: pkg/apis/core/v1/defaults.go. */
const defaults: Fields = {
  allocateLoadBalancerNodePorts: true,
  externalTrafficPolicy: 'Cluster',
  internalTrafficPolicy: 'Cluster',
  publishNotReadyAddresses: false,
  sessionAffinity: 'None',
};

/** Fields that the API server assigns, and those that leasehold derives from the addresses. */
const given = new Set([
  'clusterIP',
  'clusterIPs',
  'healthCheckNodePort',
  'ipFamilies',
  'ipFamilyPolicy',
  'loadBalancerIP',
  'ports',
]);

/**
 * A live Service as its author would declare it: without fields filled in by the API server and
 * the data plane, and pinned to its addresses. A node port is kept only if kubectl recorded it; any other
 * was picked by the API server and stays with the live Service.
 */
export function writtenOf(
  reader: SourceReader,
  { spec: node }: SourceObject,
  { addresses, labels, annotations, plane }: LiveParts,
): LiveText {
  const spec = Object.fromEntries([...node].map(([key, { value }]) => [key, value]));
  const authored = authoredPorts(annotations.get(lastApplied));
  const ownFamilies = reader.texts(node.get('ipFamilies')).map(({ text }) => text);
  const families = familiesOf(ownFamilies, addresses);
  const copied = Object.entries(spec).filter(
    ([key, value]) => !given.has(key) && value !== defaults[key] && value !== null,
  );
  const health = spec.healthCheckNodePort;
  const pins = pinsOf(addresses, annotations, plane);
  const written = {
    labels: Object.fromEntries([...labels].filter(([key, value]) => !isOurLabel(key, value))),
    annotations: { ...keptOf(annotations), ...pins.annotations },
    spec: {
      ...Object.fromEntries(copied),
      ...pins.spec,
      ...(authored.has(health) ? { healthCheckNodePort: health } : {}),
      ...families.fields,
      ports: (Array.isArray(spec.ports) ? spec.ports : []).map((port) =>
        portOf(Object(port) as Fields, authored),
      ),
    },
  };
  const asked = askedTexts(annotations, reader.text(node.get('loadBalancerIP')), plane);
  const other = otherAddress(asked, addresses);
  return { written, obstacle: families.obstacle ?? other ?? oddText(written.annotations) };
}

/** Names the key only, since a value may be a secret. */
function oddText(annotations: Readonly<Record<string, string>>): string | undefined {
  for (const [key, text] of Object.entries(annotations)) {
    const character = forbiddenCharacter(key) ?? forbiddenCharacter(text);
    if (character !== undefined) {
      return `its annotation ${key} holds ${character}, which no declaration may hold`;
    }
  }
  return undefined;
}

function isOurLabel(key: string, value: string): boolean {
  return (
    key.startsWith('leasehold.dev/') ||
    (key === 'app.kubernetes.io/managed-by' && value === 'leasehold')
  );
}

/**
 * Drops annotations that leasehold obeys in a declaration: write access to the cluster must not
 * control leasehold.
 */
function keptOf(annotations: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...annotations].filter(
      ([key]) => !ofControllers.has(key) && !annotationKeysRead.includes(key),
    ),
  );
}

/**
 * The pin in the spelling of the live Service: the annotation of MetalLB or of vitistack that it
 * has, otherwise `spec.loadBalancerIP`, which holds only one address. MetalLB refuses that field
 * beside its annotation. In a cluster on Cilium it is Cilium's annotation.
 */
function pinsOf(
  addresses: readonly Address[],
  annotations: ReadonlyMap<string, string>,
  plane: Plane['kind'],
): Pick<WrittenLive, 'annotations' | 'spec'> {
  const text = addresses.map(formatAddress).join(',');
  if (plane === 'cilium') {
    return { annotations: { [ciliumKeys[0].addresses]: text }, spec: {} };
  }
  const byMetalLB = metallbKeys.some((keys) => annotations.get(keys.addresses));
  const byVitistack = [...annotations.keys()].some((key) => domainOf(key) === 'ipam.vitistack.io');
  if (!byMetalLB && byVitistack) {
    return { annotations: { [leaseholdKeys.addresses]: text }, spec: {} };
  }
  return byMetalLB || addresses.length > 1
    ? { annotations: { [metallbKeys[0].addresses]: text }, spec: {} }
    : { annotations: {}, spec: { loadBalancerIP: text } };
}

/** `IPv4` alone is leasehold's default. */
function familiesOf(
  declared: readonly string[],
  addresses: readonly Address[],
): { readonly fields: Fields; readonly obstacle: string | undefined } {
  const own = addresses.map(({ family }) => familyName(family));
  const live = declared.length > 0 ? declared : own;
  if ([...live].sort().join() !== [...own].sort().join()) {
    const obstacle = `it has the families ${live.join(' and ')}, and addresses of ${own.join(' and ')}`;
    return { fields: {}, obstacle };
  }
  if (live.length > 1) {
    const fields = { ipFamilies: live, ipFamilyPolicy: 'RequireDualStack' };
    return { fields, obstacle: undefined };
  }
  return { fields: live[0] === 'IPv6' ? { ipFamilies: live } : {}, obstacle: undefined };
}

/**
 * The addresses that a Service asks its plane for. MetalLB reads the field without an annotation
 * only, and Cilium both together. Cilium: lbipam.go, getSVCRequestedIPs.
 */
export function askedTexts(
  annotations: ReadonlyMap<string, string>,
  loadBalancerIP: string | undefined,
  plane: Plane['kind'],
): readonly string[] {
  const key = keysOfPlane[plane].addresses.find((one) => annotations.get(one));
  const noted = (key === undefined ? undefined : annotations.get(key)) ?? '';
  const field = plane === 'metallb' && noted !== '' ? '' : (loadBalancerIP ?? '');
  const texts = `${noted},${field}`.split(',').map((text) => text.trim());
  return texts.filter((text) => text !== '');
}

/** Why its plane would assign another address at its next look; undefined when it would not. */
function otherAddress(asked: readonly string[], addresses: readonly Address[]): string | undefined {
  const has = addresses.map(formatAddress);
  const wants = [...new Set(asked.map(canonical))];
  if (wants.length === 0 || [...wants].sort().join() === [...has].sort().join()) return undefined;
  return `it asks for ${wants.join(',')} and has ${has.join(',')}`;
}

function canonical(text: string): string {
  const address = parseAddress(text);
  return isAddress(address) ? formatAddress(address) : text;
}

/** The node ports that kubectl recorded; none when there is no readable record. */
function authoredPorts(text: string | undefined): ReadonlySet<unknown> {
  if (text === undefined) return new Set();
  try {
    const spec = valueAt(JSON.parse(text), ['spec']);
    const ports = valueAt(spec, ['ports']);
    const numbers = (Array.isArray(ports) ? ports : []).map((port) => valueAt(port, ['nodePort']));
    const all = [...numbers, valueAt(spec, ['healthCheckNodePort'])];
    return new Set(all.filter((number) => typeof number === 'number'));
  } catch {
    return new Set();
  }
}

function portOf(port: Fields, authored: ReadonlySet<unknown>): Fields {
  const kept = Object.entries(port).filter(([key, value]) => {
    if (key === 'nodePort') return authored.has(value);
    if (key === 'protocol') return value !== 'TCP';
    return key !== 'targetPort' || value !== port.port;
  });
  return Object.fromEntries(kept);
}
