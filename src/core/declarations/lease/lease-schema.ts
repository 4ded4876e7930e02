import * as z from 'zod';
import { defaultCases, defaultHttp, mostHttp, nextCases } from '../../model/lease.ts';
import { address, dnsNames, labels, mostDnsNames } from '../../text/common-fields.ts';
import { type Refusal, refusing } from '../../text/shape.ts';
import { advertisementField, clusterField, poolFields, retentionField } from '../address-fields.ts';
import {
  akashAddress,
  dseq,
  endpointNamePattern,
  sequence,
  serviceNamePattern,
} from '../akash-fields.ts';
import { leaseHostField } from '../hostname-file.ts';
import { editorMetadata } from '../object-meta.ts';
import { liveSharingKeyText } from '../service/service-metadata.ts';

const port = z.int().min(1).max(65535);

const protocol = z
  .string()
  .superRefine(
    refusing((text): Refusal | undefined => {
      if (/^(?:tcp|udp)$/i.test(text)) return undefined;
      const message = `the protocol is ${JSON.stringify(text.slice(0, 20))}, expected TCP or UDP`;
      return { code: 'FIELD_VALUE', message };
    }),
  )
  .transform((text) => (/^tcp$/i.test(text) ? 'TCP' : 'UDP'))
  .meta({ pattern: '^([Tt][Cc][Pp]|[Uu][Dd][Pp])$' });

/** The tenant's name of an IP endpoint. */
export const endpointNameField = z
  .string()
  .max(63)
  .regex(
    endpointNamePattern,
    'expected a lower-case letter, then one or more of a-z, 0-9, - and _',
  );

/** The name of a service of a lease. */
export const leaseServiceField = z
  .string()
  .max(63)
  .regex(
    serviceNamePattern,
    'expected a lower-case letter, then letters, digits and -, without - at the end',
  );

const endpoint = z.strictObject({
  name: endpointNameField.describe(
    'The IP endpoint; endpoints of one owner and name share an address.',
  ),
  service: leaseServiceField.describe("The lease's service that the port belongs to."),
  port: port.describe("The container's port."),
  externalPort: port.optional().describe('The port on the leased address; default: port.'),
  protocol: protocol.default('TCP').describe('TCP or UDP.'),
  ...poolFields,
  advertisement: advertisementField,
  address: address.optional().describe('A pin: the address to assign.'),
  retentionDays: retentionField,
  dns: dnsNames.describe('The DNS names of the address.'),
  selector: labels.optional().describe("The Service's pod selector; default: the provider's own."),
  liveSharingKey: liveSharingKeyText
    .optional()
    .describe(
      'The sharing key that MetalLB knows for the address, after a rename. Default: that of others on it, or <owner>-ip-<endpoint>.',
    ),
});

const sdlPath = z
  .string()
  .max(255)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/,
    "expected a path below the declaration's folder, with letters, digits, ., _ and -",
  )
  .regex(/\.sdl\.yaml$/, 'expected a file that ends in .sdl.yaml')
  .describe("The tenant's SDL, relative to this file's folder.");

const uint32 = 2 ** 32 - 1;
const time = z.int().min(1);

/** The HTTP options of hostnames of a lease; missing ones get Akash's defaults. */
export const httpOptionsField = z
  .strictObject({
    maxBodySize: z
      .int()
      .min(1)
      .max(mostHttp.maxBodySize)
      .default(defaultHttp.maxBodySize)
      .describe('The longest body of a request, in bytes.'),
    readTimeout: time
      .max(mostHttp.readTimeout)
      .default(defaultHttp.readTimeout)
      .describe('How long the service may pause in its answer, in milliseconds.'),
    sendTimeout: time
      .max(mostHttp.sendTimeout)
      .default(defaultHttp.sendTimeout)
      .describe('How long the service may pause in taking a request, in milliseconds.'),
    nextTries: z
      .int()
      .min(1)
      .max(uint32)
      .default(defaultHttp.nextTries)
      .describe('How often a request is tried.'),
    nextTimeout: z
      .int()
      .min(0)
      .max(uint32)
      .default(defaultHttp.nextTimeout)
      .describe('How long a request is tried, in milliseconds; 0 is no limit.'),
    nextCases: z
      .array(z.enum(nextCases))
      .min(1)
      .max(nextCases.length)
      .default([...defaultCases])
      .describe('When a request is tried again; off stands alone.'),
  })
  .superRefine(refusing(checkCases))
  .prefault({})
  .describe("The HTTP options of the route. Values other than Akash's need controller in routes.");

function checkCases({ nextCases: cases }: { nextCases: readonly string[] }) {
  if (!cases.includes('off') || cases.length === 1) return undefined;
  const message = "'off' is listed with other cases, expected it alone";
  return { code: 'FIELD_VALUE', message, path: ['nextCases'] } satisfies Refusal;
}

const host = z.strictObject({
  service: leaseServiceField.describe("The lease's service that is exposed globally on port 80."),
  accept: z
    .array(leaseHostField)
    .min(1)
    .max(mostDnsNames)
    .describe('The hostnames, in lower case and punycode.'),
  httpOptions: httpOptionsField,
});

/**
 * A `Lease` declaration: the lease's id on Akash, the endpoints that request an address, and the
 * hostnames.
 */
export const leaseSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Lease'),
    metadata: editorMetadata,
    spec: z
      .strictObject({
        id: z
          .strictObject({
            owner: akashAddress.describe("The tenant's bech32 address, akash1…"),
            dseq: dseq.describe('Deployment sequence: a decimal uint64, best in quotes.'),
            gseq: sequence.describe('Group sequence, from 1.'),
            oseq: sequence.describe('Order sequence, from 1.'),
            provider: akashAddress.optional().describe("Default: the cluster's provider."),
          })
          .describe('The id of the lease on Akash.'),
        cluster: clusterField,
        endpoints: z
          .array(endpoint)
          .min(1)
          .max(1000)
          .optional()
          .describe('The endpoints that request an address.'),
        hosts: z
          .array(host)
          .min(1)
          .max(1000)
          .optional()
          .describe(
            'The hostnames of services, as accept of an SDL. The cluster must have routes.',
          ),
        sdl: sdlPath.optional(),
      })
      .superRefine(refusing(checkSource))
      .meta({
        oneOf: [
          { anyOf: [{ required: ['endpoints'] }, { required: ['hosts'] }] },
          { required: ['sdl'] },
        ],
      }),
  })
  .describe('A lease declaration of leasehold.');

export type WrittenSpec = z.output<typeof leaseSchema>['spec'];

export type WrittenEndpoint = z.output<typeof endpoint>;

export type WrittenHost = z.output<typeof host>;

function checkSource(spec: {
  endpoints?: unknown;
  hosts?: unknown;
  sdl?: unknown;
}): Refusal | undefined {
  const { endpoints, hosts, sdl } = spec;
  const own = endpoints === undefined ? hosts && 'hosts' : 'endpoints';
  if (own === undefined && sdl === undefined) {
    const message = "'spec' lacks the field 'endpoints' (or 'hosts', or 'sdl')";
    return { code: 'FIELD_MISSING', message, hint: 'add one of them, or remove the file' };
  }
  if (own === undefined || sdl === undefined) return undefined;
  const message = `'spec' has both ${own} and sdl, expected only one of them`;
  return { code: 'FIELD_VALUE', message, path: ['sdl'] };
}
