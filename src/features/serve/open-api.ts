import * as z from 'zod';
import { answeredCount as count } from '../../text/answer.ts';
import { failureSchema } from '../../text/failure-answer.ts';
import { capacitySchema } from '../ask/capacity/capacity-answer.ts';
import { forecastsSchema } from '../ask/capacity/forecast-answer.ts';
import {
  addressHistorySchema,
  hostnameHistorySchema,
} from '../ask/history/address-history-answer.ts';
import { hostnamesSchema } from '../ask/hostnames-answer.ts';
import { listSchema } from '../ask/list-answer.ts';
import { ownerUsagesSchema } from '../ask/owner-usage.ts';
import { poolUsagesSchema } from '../ask/pool-usage-answer.ts';
import { whoSchema } from '../ask/who.ts';
import { pictureSchema } from '../picture/picture-answer.ts';
import { planSchema } from '../plan/plan-answer.ts';
import { statusSchema } from './status-answer.ts';

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

/** The fields of an answer that has a part of a list. */
const pageFields = {
  total: count.describe('The items of the whole list.'),
  next: z
    .string()
    .exactOptional()
    .describe('The cursor of the next part; absent in the last one. The header Link has it too.'),
};

/** The JSON answers of `leasehold serve`, by their names in the OpenAPI document. */
const answerSchemas = {
  AddressHistoryPage: addressHistorySchema.extend(pageFields),
  HostnameHistoryPage: hostnameHistorySchema.extend(pageFields),
  HostnamesPage: hostnamesSchema.extend(pageFields),
  Capacity: capacitySchema,
  Failure: failureSchema,
  Forecasts: forecastsSchema,
  ListPage: listSchema.extend(pageFields),
  OwnerUsagesPage: ownerUsagesSchema.extend(pageFields),
  Picture: pictureSchema,
  Plan: planSchema,
  PoolUsagesPage: poolUsagesSchema.extend(pageFields),
  Status: statusSchema,
  Who: whoSchema,
  WhoPage: whoSchema.extend(pageFields),
  ...operatorSchemas,
};

export type AnswerKind = keyof typeof answerSchemas;

/** A query parameter. */
export interface QueryParameter {
  readonly description: string;
  /** A JSON schema; any text when left out. */
  readonly schema?: object;
}

/** A path of the service. */
export interface Operation {
  /** The name of the operation, unique. */
  readonly id: string;
  /** Such as `/api/v1/addresses/{address}`. */
  readonly path: string;
  readonly summary: string;
  /** The media type of a successful answer. */
  readonly media: string;
  readonly kind?: AnswerKind;
  /** True when the path needs no token even if the service requires one. */
  readonly isOpen: boolean;
  /** True when the path is 503 while nothing is served. */
  readonly isServedOnly: boolean;
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** When the answer is 404; undefined when it never is. */
  readonly missing?: string;
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
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The server that sent this document' }],
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

function getOf(operation: Operation): object {
  const { id, path, summary, media, kind, isOpen, query = {} } = operation;
  const schema = kind === undefined ? text : reference(kind);
  const isPaged = Object.hasOwn(query, 'cursor');
  return {
    operationId: id,
    summary,
    parameters: [
      ...namesIn(path).map((name) => ({ name, in: 'path', required: true, schema: text })),
      ...Object.entries(query).map(([name, { description, schema: own = text }]) => ({
        name,
        in: 'query',
        description,
        schema: own,
      })),
    ],
    responses: {
      200: {
        description: summary,
        ...(isPaged ? { headers: linkHeader } : {}),
        content: { [media]: { schema } },
      },
      ...(kind === 'OperatorLeaseStatus'
        ? { 204: { description: 'The lease has no address' } }
        : {}),
      ...failuresOf(operation),
    },
    // An empty requirement: a server without a token file needs no token.
    security: isOpen ? [] : [{}, { token: [] }],
  };
}

const text = { type: 'string' } as const;

const linkHeader = {
  Link: {
    description: 'The path of the next part, with rel="next"; absent in the last one',
    schema: text,
  },
} as const;

/** Returns the failed responses by status. */
function failuresOf({
  path,
  kind,
  isOpen,
  isServedOnly,
  query = {},
  missing,
}: Operation): Readonly<Record<string, object>> {
  const isOperator = kind?.startsWith('Operator') ?? false;
  const failures: Readonly<Record<string, string | undefined>> = {
    400: path.startsWith('/api/') ? 'A parameter is unknown or invalid' : undefined,
    401: isOpen ? undefined : 'The server requires its token',
    404: kind === 'OperatorLeaseStatus' ? 'The lease id is invalid' : missing,
    410: Object.hasOwn(query, 'cursor') ? 'The list has changed at the cursor' : undefined,
    421: 'The Host header is not a name of this server',
    503: isServedOnly || isOperator ? 'Nothing is served yet, or too much is requested' : undefined,
    default: 'The request failed',
  };
  // Requests are checked before their route, so most failures of the operator are a Failure too.
  const failure = reference('Failure');
  const schema = isOperator ? { anyOf: [failure, reference('OperatorError')] } : failure;
  return Object.fromEntries(
    Object.entries(failures).flatMap(([status, description]) =>
      description === undefined
        ? []
        : [[status, { description, content: { 'application/json': { schema } } }]],
    ),
  );
}

function reference(kind: AnswerKind): object {
  return { $ref: `#/components/schemas/${kind}` };
}

/** Returns the names in braces. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}
