import { Document, isMap, isSeq } from 'yaml';
import { leaseholdKeys } from '../../core/declarations/service/service-metadata.ts';

/** A port of a Service to write; a missing field keeps its default. */
export interface WrittenPort {
  readonly name?: string;
  readonly port: number;
  /** A number, or the name of a port of the pods. */
  readonly targetPort?: number | string;
  readonly protocol?: string;
}

/** A Service or a Reservation to write; a missing field keeps its default. */
export interface WrittenServiceDeclaration {
  readonly kind: 'Service' | 'Reservation';
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly WrittenPort[];
  /** Of a Service. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly cluster?: string | undefined;
  readonly zone?: string | undefined;
  readonly pool?: string | undefined;
  readonly ipFamily?: string | undefined;
  /** Pins. */
  readonly addresses: readonly string[];
  readonly retentionDays?: number | undefined;
  readonly sharingKey?: string | undefined;
  readonly denyExternalCleanup?: boolean | undefined;
}

/** The text of a declaration of a Service or a Reservation. */
export function newServiceText(service: WrittenServiceDeclaration): string {
  const document = new Document(
    service.kind === 'Service' ? plainService(service) : reserved(service),
  );
  for (const path of [
    ['spec', 'selector'],
    ['spec', 'addresses'],
  ])
    flow(document.getIn(path, true));
  const ports = document.getIn(['spec', 'ports'], true);
  if (isSeq(ports)) for (const port of ports.items) flow(port);
  return document.toString({ lineWidth: 0, singleQuote: true });
}

function flow(node: unknown): void {
  if (isMap(node) || isSeq(node)) node.flow = true;
}

function plainService(service: WrittenServiceDeclaration): object {
  const { namespace, name, ports, selector, addresses, retentionDays: days } = service;
  const annotations = given({
    [leaseholdKeys.cluster]: service.cluster,
    [leaseholdKeys.zone]: service.zone,
    [leaseholdKeys.pool]: service.pool,
    [leaseholdKeys.ipFamily]: service.ipFamily,
    [leaseholdKeys.addresses]: addresses.length > 0 ? addresses.join(', ') : undefined,
    [leaseholdKeys.retentionDays]: days === undefined ? undefined : String(days),
    [leaseholdKeys.sharingKey]: service.sharingKey,
    [leaseholdKeys.denyExternalCleanup]: service.denyExternalCleanup ? 'true' : undefined,
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    spec: { type: 'LoadBalancer', ...given({ selector }), ports },
  };
}

function reserved(service: WrittenServiceDeclaration): object {
  const { namespace, name, ports, cluster, zone, pool, ipFamily, addresses } = service;
  const { retentionDays, sharingKey, denyExternalCleanup } = service;
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Reservation',
    spec: {
      ...given({ cluster }),
      namespace,
      service: name,
      ports,
      ...given({ zone, pool, ipFamily }),
      ...(addresses.length > 0 ? { addresses } : {}),
      ...given({ retentionDays, sharingKey, denyExternalCleanup }),
    },
  };
}

function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
