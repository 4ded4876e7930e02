import * as z from 'zod';
import { groupBy } from '../../core/model/order.ts';
import { InternalError } from '../../core/model/problem.ts';
import { planSchema } from '../../core/run/plan/plan-answer.ts';
import { answeredCount as count } from '../../core/text/answer.ts';
import { failureSchema } from '../../core/text/failure-answer.ts';
import { capacitySchema } from '../../lib/forecast/capacity-answer.ts';
import { forecastsSchema } from '../../lib/forecast/forecast-answer.ts';
import {
  addressHistorySchema,
  hostnameHistorySchema,
} from '../../lib/history/address-history-answer.ts';
import { hostnamesSchema } from '../../lib/list/hostnames-answer.ts';
import { listSchema } from '../../lib/list/list-answer.ts';
import { ownerUsagesSchema } from '../../lib/list/owner-usage.ts';
import { poolUsagesSchema } from '../../lib/list/pool-usage-answer.ts';
import { whoSchema } from '../../lib/list/who.ts';
import type { QueryParameter } from '../../lib/service/route.ts';
import { statusSchema } from '../../lib/service/status-answer.ts';
import { ipamAnswerSchema } from '../ipam/ipam-answer.ts';
import { ipamRequestSchema } from '../ipam/ipam-request.ts';
import { leasedIPInventorySchema } from './inventory-answer.ts';

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

const operatorLeaseId = z.strictObject({
  owner: z.string(),
  dseq: z.number().min(0).describe('A uint64.'),
  gseq: count,
  oseq: count,
  provider: z.string(),
  bseq: count,
});

const operatorState = z.record(
  z.string(),
  z.array(
    z.strictObject({
      'last-event-time': z.string(),
      'lease-id': operatorLeaseId,
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
    hostnames: z.array(z.string()).describe('Sharing keys; in /ignore-list hostnames.'),
    'last-error': z.string(),
    'last-error-type': z.string(),
    'failed-at': z.string(),
    'failure-count': count,
    namespace: z.string(),
  }),
);

const operatorManagedHostnames = z.record(
  z.string(),
  z.strictObject({
    LeaseID: operatorLeaseId,
    Namespace: z.string(),
    ExternalPort: count,
    ServiceName: z.string(),
    LastUpdate: z.string().describe('The day since when its owner has it.'),
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
  OperatorManagedHostnames: operatorManagedHostnames,
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
  LeasedIPInventory: leasedIPInventorySchema,
  ListPage: listSchema.extend(pageFields),
  OwnerUsagesPage: ownerUsagesSchema.extend(pageFields),
  Plan: planSchema,
  PoolUsagesPage: poolUsagesSchema.extend(pageFields),
  Status: statusSchema,
  Who: whoSchema,
  WhoPage: whoSchema.extend(pageFields),
  ...operatorSchemas,
};

/** The requests of ipam-operator and their answers, where they are served. */
const ipamSchemas = { IpamRequest: ipamRequestSchema, IpamAnswer: ipamAnswerSchema };

/** A path of the service. */
export interface Operation {
  /** The name of the operation, unique. */
  readonly id: string;
  /** Such as `/api/v1/addresses/{address}`. */
  readonly path: string;
  /** `get` when left out. The other methods have an IpamRequest as their body. */
  readonly method?: 'post' | 'delete';
  readonly summary: string;
  /** The media type of a successful answer. */
  readonly media: string;
  readonly kind?: string;
  /** The schema of that kind, where it is not one of this file. */
  readonly schema?: z.ZodType;
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
  const paths = [...groupBy(operations, ({ path }) => path)].map(([path, own]) => [
    path,
    Object.fromEntries(own.map((operation) => [operation.method ?? 'get', operationOf(operation)])),
  ]);
  const isWritten = operations.some(({ method }) => method !== undefined);
  const added = operations.flatMap(({ kind, schema }) =>
    kind !== undefined && schema !== undefined ? [[kind, schema] as const] : [],
  );
  const schemas: Readonly<Record<string, z.ZodType>> = {
    ...answerSchemas,
    ...Object.fromEntries(added),
    ...(isWritten ? ipamSchemas : {}),
  };
  const unknown = operations.find(({ kind }) => kind !== undefined && !schemas[kind]);
  if (unknown) throw new InternalError(`${unknown.path} has no schema of its kind`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'leasehold serve',
      version,
      description: `Static IP addresses handed out through git. ${isWritten ? 'Only /v2 writes.' : 'Read-only.'}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The server that sent this document' }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(schemaEntry)),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        ...(isWritten ? { password: { type: 'http', scheme: 'basic' } } : {}),
      },
    },
  };
}

function schemaEntry([name, schema]: readonly [string, z.ZodType]): readonly [string, object] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return [name, json];
}

function operationOf(operation: Operation): object {
  const { id, path, method, summary, media, kind, isOpen, query = {} } = operation;
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
    ...(method === undefined ? {} : { requestBody: ipamBody }),
    responses: {
      200: {
        description: summary,
        ...(isPaged ? { headers: linkHeader } : {}),
        content: { [media]: { schema } },
      },
      ...(kind === 'OperatorLeaseStatus'
        ? { 204: { description: 'The lease has no address' } }
        : {}),
      ...(method === undefined ? failuresOf(operation) : ipamFailures(method)),
    },
    security: securityOf(method, isOpen),
  };
}

/** An empty requirement: a server without a token file needs no token to read. */
function securityOf(method: Operation['method'], isOpen: boolean): readonly object[] {
  if (method !== undefined) return [{ token: [] }, { password: [] }];
  return isOpen ? [] : [{}, { token: [] }];
}

const ipamBody = {
  required: true,
  content: { 'application/json': { schema: reference('IpamRequest') } },
} as const;

/** The failures of ipam-api, and of the server. */
function ipamFailures(method: 'post' | 'delete'): Readonly<Record<string, object>> {
  const failures = {
    400: 'The request is invalid',
    401: 'The server requires its token',
    [method === 'post' ? 500 : 404]: 'The repository refuses it, or the remote cannot be reached',
    default: 'The request failed',
  };
  const content = { 'application/json': { schema: reference('IpamAnswer') } };
  return Object.fromEntries(
    Object.entries(failures).map(([status, description]) => [status, { description, content }]),
  );
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

function reference(kind: string): object {
  return { $ref: `#/components/schemas/${kind}` };
}

/** Returns the names in braces. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}
