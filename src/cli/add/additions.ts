import { InvalidArgumentError } from '@commander-js/extra-typings';
import { serviceNameField } from '../../declarations/service/service-schema.ts';
import type { WrittenPort } from '../../declarations/service/service-text.ts';
import type { Added } from '../../features/add/add-declaration.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { dnsLabel } from '../../text/common-fields.ts';
import type { LeaseName } from '../../workspace/lease-edits.ts';
import { claimOf, leaseForm, type PortValue } from '../claim-options.ts';

/** The options that every kind of declaration has. */
export interface Terms {
  readonly cluster?: string | undefined;
  readonly zone?: string | undefined;
  readonly pool?: string | undefined;
  readonly ipFamily?: string | undefined;
  readonly address: readonly Address[];
  readonly retentionPeriodDays?: number | undefined;
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

export type Draft = LeaseDraft | ServiceDraft;

/** The words of the command line that a draft lacks. */
export function missingWords(draft: Draft): readonly string[] {
  if (draft.kind === 'Lease') {
    return [
      ...(draft.lease === undefined ? [leaseForm] : []),
      ...(draft.service === undefined ? ['SERVICE'] : []),
      ...(draft.port === undefined ? ['PORT'] : []),
      ...(draft.endpoint === undefined ? ['--endpoint NAME'] : []),
    ];
  }
  return [
    ...(draft.service === undefined ? ['NAMESPACE/NAME'] : []),
    ...(draft.ports.length === 0 ? ['PORT'] : []),
    ...(draft.kind === 'Service' && draft.selector === undefined ? ['--selector KEY=VALUE'] : []),
  ];
}

/** The declaration of a complete draft; undefined when words are missing. */
export function addedOf(draft: Draft): Added | undefined {
  const { cluster, zone, pool, address } = draft.terms;
  const addresses = address.map(formatAddress);
  const ipFamily = draft.terms.ipFamily ?? familyOf(address);
  if (draft.kind === 'Lease') {
    const { lease, service, port, endpoint, externalPort, selector } = draft;
    if (!lease || service === undefined || !port || endpoint === undefined) return undefined;
    const own = { address: addresses[0], endpoint, externalPort, selector };
    const fields = { ...draft.terms, ...own, ipFamily };
    return { kind: 'Lease', lease: { ...lease, cluster }, claim: claimOf(service, port, fields) };
  }
  const { kind, service, ports, selector, sharingKey } = draft;
  if (!service || ports.length === 0) return undefined;
  const { retentionPeriodDays: days } = draft.terms;
  return {
    kind,
    ...service,
    ports: kind === 'Service' ? named(ports) : ports,
    selector,
    cluster,
    zone,
    pool,
    ipFamily: ipFamily === 'ipv4' ? undefined : ipFamily,
    addresses,
    retentionPeriodDays: days === 0 ? undefined : days,
    sharingKey,
  };
}

/** The family of the pins. */
function familyOf([first, second]: readonly Address[]): string | undefined {
  return second === undefined ? first?.family : 'dual';
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

/** `NAMESPACE/NAME`. */
export function serviceValue(text: string): ServiceName {
  const [namespace = '', name = '', ...more] = text.split('/');
  const isService = isNamespace(namespace) && isServiceName(name) && more.length === 0;
  if (isService) return { namespace, name };
  throw new InvalidArgumentError('Expected NAMESPACE/NAME of a Service, such as shop/web.');
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
