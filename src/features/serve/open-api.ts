import * as z from 'zod';
import { apiVersion } from '../../text/answer.ts';
import { capacitySchema } from '../ask/capacity/capacity-answer.ts';
import { forecastsSchema } from '../ask/capacity/forecast-answer.ts';
import { addressHistorySchema } from '../ask/history/address-history-answer.ts';
import { listSchema } from '../ask/list-answer.ts';
import { ownerUsagesSchema } from '../ask/owner-usage.ts';
import { poolUsagesSchema } from '../ask/pool-usage-answer.ts';
import { whoSchema } from '../ask/who.ts';
import { pictureSchema } from '../picture/picture-answer.ts';
import { planSchema } from '../plan/plan-answer.ts';
import { statusSchema } from './status-answer.ts';

const count = z.int().min(0);

/** The answer of `leasehold serve` to a failed request. */
export const failureSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Failure'),
    status: z.int().min(400).max(599),
    reason: z.string(),
  })
  .describe('The answer of leasehold serve to a failed request.');

/** `/version`: version.Info of the Akash provider. */
const operatorVersion = z.looseObject({ name: z.string(), version: z.string() });

/**
 * `/usage`: cluster/types/v1beta3/clients/ip of the Akash provider, AddressUsage; `Free` is added.
 */
const operatorUsage = z.strictObject({
  Available: count.describe('All IPv4 addresses that leases may get.'),
  InUse: count.describe('The part of Available that new leases cannot get.'),
  Free: count.describe('Available minus InUse.'),
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

/** The answers of the Akash operator, by their names in the OpenAPI document. */
const operatorSchemas = {
  OperatorVersion: operatorVersion,
  OperatorUsage: operatorUsage,
  OperatorState: operatorState,
  OperatorIgnoredLeases: operatorIgnoredLeases,
  OperatorLeaseStatus: operatorLeaseStatus,
  OperatorError: operatorError,
};

/** The JSON answers of `leasehold serve`, by kind. */
const answerSchemas = {
  AddressHistory: addressHistorySchema,
  Capacity: capacitySchema,
  Failure: failureSchema,
  Forecasts: forecastsSchema,
  List: listSchema,
  OwnerUsages: ownerUsagesSchema,
  Picture: pictureSchema,
  Plan: planSchema,
  PoolUsages: poolUsagesSchema,
  Status: statusSchema,
  Who: whoSchema,
  ...operatorSchemas,
};

export type AnswerKind = keyof typeof answerSchemas;

/** A path of the service. */
export interface Operation {
  /** Such as `/api/v1/addresses/{address}`. */
  readonly path: string;
  readonly summary: string;
  /** The media type of a successful answer. */
  readonly media: string;
  readonly kind?: AnswerKind;
  /** True when the path needs no token even if the service requires one. */
  readonly isOpen: boolean;
  /** Query parameters: name to description. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Returns the OpenAPI 3.1 document of the service as a JSON value. */
export function openApiDocument(operations: readonly Operation[], version: string): object {
  const paths = operations.map((operation) => [operation.path, { get: getOf(operation) }]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'leasehold serve',
      version,
      description: 'Static IP addresses handed out through git. Read-only.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(Object.entries(answerSchemas).map(schemaEntry)),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function schemaEntry([name, schema]: readonly [string, z.ZodType]): readonly [string, object] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return [name, json];
}

function getOf({ path, summary, media, kind, isOpen, query = {} }: Operation): object {
  const isOperator = kind?.startsWith('Operator') ?? false;
  const schema = kind === undefined ? { type: 'string' } : reference(kind);
  const refused = isOperator ? 'OperatorError' : 'Failure';
  return {
    summary,
    parameters: [
      ...namesIn(path).map((name) => ({ name, in: 'path', required: true, ...text })),
      ...Object.entries(query).map(([name, description]) => ({
        name,
        in: 'query',
        description,
        ...text,
      })),
    ],
    responses: {
      200: { description: summary, content: { [media]: { schema } } },
      ...(kind === 'OperatorLeaseStatus'
        ? { 204: { description: 'The lease has no address' } }
        : {}),
      default: {
        description: 'The request failed',
        content: { 'application/json': { schema: reference(refused) } },
      },
    },
    ...(isOpen ? {} : { security: [{}, { token: [] }] }),
  };
}

const text = { schema: { type: 'string' } } as const;

function reference(kind: AnswerKind): object {
  return { $ref: `#/components/schemas/${kind}` };
}

/** Returns the names in braces. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}
