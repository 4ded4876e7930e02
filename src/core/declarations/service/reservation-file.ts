import * as z from 'zod';
import type { Pools } from '../../model/pools.ts';
import { failSorted, type Outcome, ok } from '../../model/problem.ts';
import { backendText, type Reservation } from '../../model/service.ts';
import type { Address } from '../../net/address.ts';
import {
  address,
  dnsLabel,
  dnsNames,
  labelKey,
  labelValue,
  objectName,
} from '../../text/common-fields.ts';
import { type Refusal, readShape, refusing } from '../../text/shape.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';
import { advertisementField, clusterField, poolFields, retentionField } from '../address-fields.ts';
import { editorMetadata } from '../object-meta.ts';
import {
  advertisementProblems,
  clusterNamed,
  clusterUnknown,
  poolProblems,
} from '../references.ts';
import { pinFamilyProblems } from './service-addresses.ts';
import { liveSharingKeyText } from './service-metadata.ts';
import { substitutionProblems } from './service-rules.ts';
import { serviceNameField } from './service-schema.ts';

/**
 * Reads a `Reservation` declaration. The value is undefined when the pools are unknown and
 * everything else is valid. Problems: FIELD_*, ADDRESS_INVALID, DNS_INVALID, SUBSTITUTION,
 * CLUSTER_UNKNOWN, ZONE_UNKNOWN, POOL_UNKNOWN.
 */
export function readReservation(
  document: YamlDocument,
  pools: Pools | undefined,
): Outcome<Reservation | undefined> {
  const written = readShape(reservationSchema, document);
  if (!written.ok) return written;
  const {
    cluster: named,
    service,
    secret,
    addresses,
    dns,
    signature,
    externalTrafficPolicy,
    selector,
    ...spec
  } = written.value.spec;
  const at = (...path: readonly PropertyKey[]) => document.at(['spec', ...path]);
  const pins = addresses.map((address, index) => ({ address, at: at('addresses', index) }));
  const problems = [
    ...substitutionProblems(document, 'metadata'),
    ...pinFamilyProblems(pins, spec.ipFamily, 'ipFamily'),
    ...(pools ? poolProblems({ zone: spec.zone, pool: spec.pool }, pools, at) : []),
  ];
  const cluster = pools && clusterNamed(named, pools);
  if (pools) {
    const { advertisement } = spec;
    const own = advertisementProblems(advertisement, { pools, cluster }, () => at('advertisement'));
    problems.push(...own);
  }
  if (pools && !cluster) problems.push(clusterUnknown(named, pools, () => at('cluster')));
  if (problems.length > 0) return failSorted(problems);
  if (!cluster) return ok(undefined);
  return ok({
    kind: 'Reservation',
    ...spec,
    cluster: cluster.name,
    name: service,
    ports: spec.ports.map((port) => ({ ...port, targetPort: undefined })),
    zone: spec.zone,
    pool: spec.pool,
    advertisement: spec.advertisement,
    sharingKey: spec.sharingKey,
    liveSharingKey: spec.liveSharingKey,
    localBackend: externalTrafficPolicy === 'Local' ? backendText(selector ?? {}) : undefined,
    gateway: spec.gateway,
    pins,
    dns: dns.map((name, index) => ({ name, at: at('dns', index) })),
    secret: secret === 'default' ? undefined : { name: secret, at: at('secret') },
    signature: signature === undefined ? undefined : { text: signature, at: at('signature') },
    at: at(),
  });
}

const port = z.strictObject({
  port: z.int().min(1).max(65535).describe('The port on the leased address.'),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP').describe('Default: TCP.'),
});

type Port = z.output<typeof port>;

/** A `Reservation`: an address for a Service that another tool renders. */
export const reservationSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Reservation'),
    metadata: editorMetadata,
    spec: z.strictObject({
      cluster: clusterField,
      namespace: dnsLabel.describe('The namespace of the Service.'),
      service: serviceNameField.describe('The name of the Service.'),
      gateway: z
        .strictObject({ namespace: dnsLabel, name: objectName })
        .optional()
        .describe(
          'The Gateway whose controller makes the Service. Default: none; another tool renders it.',
        ),
      ports: z
        .array(port)
        .min(1)
        .max(1000)
        .superRefine(refusing(samePorts))
        .describe('The ports of the Service. No other Service on the address may use them.'),
      ...poolFields,
      advertisement: advertisementField,
      addresses: z
        .array(address)
        .max(2)
        .superRefine(refusing(sameFamilies))
        .default([])
        .describe('Pins: at most one address of each family.'),
      retentionDays: retentionField,
      dns: dnsNames.describe('The DNS names of the address.'),
      sharingKey: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('Services of one namespace and one key share an address. Default: none.'),
      liveSharingKey: liveSharingKeyText
        .optional()
        .describe(
          'The sharing key that MetalLB knows for the address. Default: that of others on it, or leasehold-<namespace>.',
        ),
      externalTrafficPolicy: z
        .enum(['Cluster', 'Local'])
        .default('Cluster')
        .describe('That of the Service. Local needs the selector.'),
      selector: z
        .record(labelKey, labelValue)
        .optional()
        .describe('The selector of the Service, with externalTrafficPolicy: Local.'),
      secret: objectName
        .default('default')
        .describe('The ownership key, a file of leases/keys/<namespace>/. default: none.'),
      signature: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('A proof of ownership, as leasehold key sign prints it.'),
      denyExternalCleanup: z
        .boolean()
        .default(false)
        .describe('leasehold release --cluster leaves the lease alone.'),
    }),
  })
  .superRefine(refusing(nameOfService))
  .superRefine(refusing(selectorOfLocal))
  .describe('A reservation of leasehold.');

interface Named {
  readonly metadata?: { readonly name: string } | undefined;
  readonly spec: { readonly service: string };
}

/** A Reservation is identified by its Service; another name would be mistaken for the Service's. */
function nameOfService({ metadata, spec }: Named): Refusal | undefined {
  if (metadata === undefined || metadata.name === spec.service) return undefined;
  const message = `'metadata.name' is ${metadata.name}, but 'spec.service' is ${spec.service}`;
  const hint = 'use the same name in both, or remove metadata';
  return { code: 'FIELD_VALUE', message, hint, path: ['metadata', 'name'] };
}

interface Routed {
  readonly spec: {
    readonly externalTrafficPolicy: string;
    readonly selector?: Readonly<Record<string, string>> | undefined;
  };
}

/** MetalLB compares the selectors of Services that share an address, for Local only. */
function selectorOfLocal({ spec }: Routed): Refusal | undefined {
  const { externalTrafficPolicy, selector } = spec;
  const hasSelector = Object.keys(selector ?? {}).length > 0;
  if (hasSelector === (externalTrafficPolicy === 'Local')) return undefined;
  if (hasSelector) {
    const message = "'spec.selector' is only for externalTrafficPolicy: Local";
    return { code: 'FIELD_VALUE', message, hint: 'remove it', path: ['spec', 'selector'] };
  }
  const message = "externalTrafficPolicy: Local needs 'spec.selector'";
  const hint =
    'copy the selector of the live Service: those that share the address must have it too';
  return { code: 'FIELD_MISSING', message, hint, path: ['spec', 'externalTrafficPolicy'] };
}

function samePorts(ports: readonly Port[]): Refusal[] {
  const texts = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  return texts.flatMap((text, index): Refusal[] => {
    if (texts.indexOf(text) === index) return [];
    return [{ code: 'FIELD_VALUE', message: `the port ${text} is listed twice`, path: [index] }];
  });
}

function sameFamilies(addresses: readonly Address[]): Refusal[] {
  return addresses.flatMap(({ family }, index): Refusal[] => {
    if (addresses.findIndex((one) => one.family === family) === index) return [];
    const message = `there are two addresses of the family ${family}, expected at most one`;
    return [{ code: 'FIELD_VALUE', message, path: [index] }];
  });
}
