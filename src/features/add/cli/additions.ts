import { InvalidArgumentError } from '@commander-js/extra-typings';
import { serviceNameField } from '../../../core/declarations/service/service-schema.ts';
import { type Address, formatAddress } from '../../../core/net/address.ts';
import { hostnameReason } from '../../../core/net/dns-name.ts';
import { dnsLabel } from '../../../core/text/common-fields.ts';
import { claimOf, leaseForm, type PortValue } from '../../../lib/edit/cli/claim-options.ts';
import type { LeaseName } from '../../../lib/edit/lease-edits.ts';
import type { WrittenPort } from '../../../lib/edit/service-text.ts';
import type { Added } from '../add-declaration.ts';

/** The options that every kind of declaration has. */
export interface Terms {
  readonly cluster?: string | undefined;
  readonly zone?: string | undefined;
  readonly pool?: string | undefined;
  readonly ipFamily?: string | undefined;
  readonly address: readonly Address[];
  readonly retentionDays?: number | undefined;
}

/** A port of a lease, as far as it is known. */
export interface LeaseDraft {
  readonly kind: 'Lease';
  readonly lease?: Omit<LeaseName, 'cluster'> | undefined;
  readonly service?: string | undefined;
  readonly port?: PortValue | undefined;
  readonly externalPort?: number | undefined;
  readonly endpoint?: string | undefined;
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly terms: Terms;
}

/** `NAMESPACE/NAME` of a Service. */
interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** A Service or a Reservation, as far as it is known. */
export interface ServiceDraft {
  readonly kind: 'Service' | 'Reservation';
  readonly service?: ServiceName | undefined;
  readonly ports: readonly WrittenPort[];
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly sharingKey?: string | undefined;
  readonly terms: Terms;
}

/** A Promise, as far as it is known. */
export interface PromiseDraft {
  readonly kind: 'Promise';
  readonly owner?: string | undefined;
  readonly endpoint?: string | undefined;
  /** The last day; {@link usualUntil} when left out. */
  readonly until?: string | undefined;
  readonly usualUntil: string;
  readonly terms: Terms;
}

/** A Hostname, as far as it is known. */
export interface HostnameDraft {
  readonly kind: 'Hostname';
  readonly hostname?: string | undefined;
  readonly service?: ServiceName | undefined;
  readonly port?: number | undefined;
  readonly cluster?: string | undefined;
}

export type Draft = LeaseDraft | ServiceDraft | PromiseDraft | HostnameDraft;

/** The words of the command line that a draft lacks. */
export function missingWords(draft: Draft): readonly string[] {
  return wordsOf(draft).flatMap(([word, value]) => (value === undefined ? [word] : []));
}

/** The words that a draft needs, with what is known of each. */
function wordsOf(draft: Draft): readonly (readonly [word: string, value: unknown])[] {
  switch (draft.kind) {
    case 'Lease':
      return [
        [leaseForm, draft.lease],
        ['SERVICE', draft.service],
        ['PORT', draft.port],
        ['--endpoint NAME', draft.endpoint],
      ];
    case 'Promise':
      return [
        ['OWNER', draft.owner],
        ['ENDPOINT', draft.endpoint],
      ];
    case 'Hostname':
      return [
        ['HOSTNAME', draft.hostname],
        ['NAMESPACE/NAME', draft.service],
        ['PORT', draft.port],
      ];
    default:
      return [
        ['NAMESPACE/NAME', draft.service],
        ['PORT', draft.ports[0]],
        ...(draft.kind === 'Service' ? ([['--selector KEY=VALUE', draft.selector]] as const) : []),
      ];
  }
}

/** The declaration of a complete draft; undefined when words are missing. */
export function addedOf(draft: Draft): Added | undefined {
  switch (draft.kind) {
    case 'Lease':
      return addedLease(draft);
    case 'Promise':
      return addedPromise(draft);
    case 'Hostname': {
      const { kind, hostname, service, port, cluster } = draft;
      if (hostname === undefined || !service || port === undefined) return undefined;
      return { kind, cluster, namespace: service.namespace, service: service.name, port, hostname };
    }
    default:
      return addedService(draft);
  }
}

function addedLease(draft: LeaseDraft): Added | undefined {
  const { lease, service, port, endpoint, externalPort, selector, terms } = draft;
  if (!lease || service === undefined || !port || endpoint === undefined) return undefined;
  const address = terms.address.map(formatAddress)[0];
  const own = { address, endpoint, externalPort, selector, ipFamily: familyOf(terms) };
  const claim = claimOf(service, port, { ...terms, ...own });
  return { kind: 'Lease', lease: { ...lease, cluster: terms.cluster }, claim };
}

function addedPromise({ owner, endpoint, terms, ...draft }: PromiseDraft): Added | undefined {
  if (owner === undefined || endpoint === undefined) return undefined;
  const { cluster, zone, pool, ipFamily } = terms;
  const family = ipFamily === 'ipv4' ? undefined : ipFamily;
  const until = draft.until ?? draft.usualUntil;
  return { kind: 'Promise', owner, endpoint, until, cluster, zone, pool, ipFamily: family };
}

function addedService(draft: ServiceDraft): Added | undefined {
  const { kind, service, ports, selector, sharingKey } = draft;
  if (!service || ports.length === 0) return undefined;
  const { cluster, zone, pool, address, retentionDays: days } = draft.terms;
  const ipFamily = familyOf(draft.terms);
  return {
    kind,
    ...service,
    ports: kind === 'Service' ? named(ports) : ports,
    selector,
    cluster,
    zone,
    pool,
    ipFamily: ipFamily === 'ipv4' ? undefined : ipFamily,
    addresses: address.map(formatAddress),
    retentionDays: days === 0 ? undefined : days,
    sharingKey,
  };
}

/** The family that is asked for, or that of the pins. */
function familyOf({ ipFamily, address: [first, second] }: Terms): string | undefined {
  return ipFamily ?? (second === undefined ? first?.family : 'dual');
}

/** Kubernetes requires names when there are several ports. */
function named(ports: readonly WrittenPort[]): readonly WrittenPort[] {
  if (ports.length === 1) return ports;
  return ports.map(({ name, port, targetPort, protocol }) => ({
    name: name ?? `${port}-${(protocol ?? 'TCP').toLowerCase()}`,
    port,
    ...(targetPort === undefined ? {} : { targetPort }),
    ...(protocol === undefined ? {} : { protocol }),
  }));
}

export function hostnameValue(text: string): string {
  const reason = hostnameReason(text);
  if (reason === undefined) return text;
  throw new InvalidArgumentError(`Not a hostname: ${reason}.`);
}

/** `NAMESPACE/NAME`. */
export function serviceValue(text: string): ServiceName {
  const [namespace = '', name = '', ...more] = text.split('/');
  const isService = isNamespace(namespace) && isServiceName(name) && more.length === 0;
  if (isService) return { namespace, name };
  throw new InvalidArgumentError(
    'Expected NAMESPACE/NAME of a Service, such as shop/web. The hostnames of a lease are its hosts, in its file.',
  );
}

export function isNamespace(text: string): boolean {
  return dnsLabel.safeParse(text).success;
}

export function isServiceName(text: string): boolean {
  return serviceNameField.safeParse(text).success;
}

const portForm =
  /^(?:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)=)?([1-9]\d{0,4})(?::([1-9]\d{0,4}|[a-z0-9-]{1,15}))?(?:\/(tcp|udp|sctp))?$/i;

/** `80`, `80:8080`, `53/udp`, `https=443:8443/tcp`; once for each port. */
export function servicePortValue(
  text: string,
  before: readonly WrittenPort[] = [],
): readonly WrittenPort[] {
  const [, name, digits, target, protocol = 'tcp'] = portForm.exec(text) ?? [];
  const port = Number(digits);
  const targetPort = target === undefined || !/^\d+$/.test(target) ? target : Number(target);
  const isPort = port <= 65_535 && !(typeof targetPort === 'number' && targetPort > 65_535);
  if (!isPort) {
    throw new InvalidArgumentError(
      'Expected a port such as 80, 80:8080 (with that of the pods), https=443:8443 or 53/udp.',
    );
  }
  const written = {
    ...(name === undefined ? {} : { name }),
    port,
    ...(targetPort === undefined || targetPort === port ? {} : { targetPort }),
    ...(/^tcp$/i.test(protocol) ? {} : { protocol: protocol.toUpperCase() }),
  };
  return [...before, written];
}

/** `80`, `53/udp`; once for each port. */
export function reservedPortValue(
  text: string,
  before: readonly WrittenPort[] = [],
): readonly WrittenPort[] {
  if (!/^\d+(\/[a-z]+)?$/i.test(text)) {
    throw new InvalidArgumentError('Expected a port such as 80, 443/tcp or 53/udp.');
  }
  return servicePortValue(text, before);
}
