import * as z from 'zod';
import { apiVersion } from '../../text/answer.ts';

const count = z.int().min(0);

/** What `leasehold serve` answers in place of what was asked for. */
export const failureSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Failure'),
    status: z.int().min(400).max(599),
    reason: z.string(),
  })
  .describe('Why leasehold serve does not answer.');

/** `/version`: version.Info of the Akash provider. */
const operatorVersion = z.looseObject({ name: z.string(), version: z.string() });

/** `/usage`: cluster/types/v1beta3/clients/ip of the Akash provider, AddressUsage; `Free` is ours. */
const operatorUsage = z.strictObject({
  Available: count.describe('All IPv4 addresses that leases may get.'),
  InUse: count.describe('Those of them that no new lease gets.'),
  Free: count.describe('The difference.'),
});

const operatorState = z.record(
  z.string(),
  z.array(
    z.strictObject({
      'last-event-time': z.string(),
      'lease-id': z.strictObject({
        owner: z.string(),
        dseq: z.number().min(0).describe('A uint64.'),
        gseq: count,
        oseq: count,
        provider: z.string(),
        bseq: count,
      }),
      namespace: z.string(),
      port: count,
      'external-port': count,
      'service-name': z.string(),
      'sharing-key': z.string(),
    }),
  ),
);

const operatorIgnoredLeases = z.record(
  z.string(),
  z.strictObject({
    hostnames: z.array(z.string()).describe('Sharing keys.'),
    'last-error': z.string(),
    'last-error-type': z.string(),
    'failed-at': z.string(),
    'failure-count': count,
    namespace: z.string(),
  }),
);

const operatorLeaseStatus = z.array(
  z.strictObject({
    Port: count,
    ExternalPort: count,
    ServiceName: z.string(),
    IP: z.string(),
    Protocol: z.enum(['TCP', 'UDP']),
  }),
);

const operatorError = z.strictObject({ Error: z.string(), Code: z.int() });

/** What Akash's operator answers, by the name that the OpenAPI document gives it. */
export const operatorSchemas = {
  OperatorVersion: operatorVersion,
  OperatorUsage: operatorUsage,
  OperatorState: operatorState,
  OperatorIgnoredLeases: operatorIgnoredLeases,
  OperatorLeaseStatus: operatorLeaseStatus,
  OperatorError: operatorError,
};
