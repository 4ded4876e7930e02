import * as z from 'zod';
import { usualCilium, usualMetalLB } from '../../model/planes.ts';
import {
  controllersOf,
  longestPoolRetention,
  type RouteControllerName,
  routeControllers,
  shardCounts,
} from '../../model/pools.ts';
import {
  addressRange,
  dnsDomain,
  dnsLabel,
  labelKey,
  labelValue,
  objectName,
  poolRange,
} from '../../text/common-fields.ts';
import { type Refusal, refusing } from '../../text/shape.ts';
import { akashAddress } from '../akash-fields.ts';
import { editorMetadata } from '../object-meta.ts';
import { advertise, advertisements } from './advertise-schema.ts';
import { ciliumFields, metallbFields, notBoth, onePlane } from './plane-schema.ts';

const naming = z
  .enum(['akash', 'readable'])
  .describe(
    "Names of objects: those of a running Akash provider, or the documents' readable ones.",
  );

/** A git branch name without characters that are special in a shell or in a revision expression. */
const branchName = z
  .string()
  .max(200)
  .regex(
    /^(?!.*(?:\.\.|\/\/|\.lock(?:\/|$)))[A-Za-z0-9_](?:[A-Za-z0-9._/-]*[A-Za-z0-9_-])?$/,
    'expected the name of a branch, such as production',
  );

const serviceRef = z.strictObject({ namespace: dnsLabel, name: dnsLabel });

const writtenRoutes = z.strictObject({
  kind: z.enum(['HTTPRoute', 'Ingress']).describe('The kind of the routes of hostnames.'),
  gateway: z
    .strictObject({ namespace: dnsLabel, name: objectName })
    .optional()
    .describe('For HTTPRoute: the Gateway that the routes are attached to.'),
  className: objectName.optional().describe('For Ingress: the IngressClass.'),
  controller: z
    .enum(Object.keys(routeControllers) as RouteControllerName[])
    .optional()
    .describe(
      "The controller of the GatewayClass or IngressClass. It applies the HTTP options of leases; without it, leases have only Akash's defaults.",
    ),
  service: serviceRef
    .optional()
    .describe(
      "The Service of the Gateway or the Ingress controller. Its DNS names may be other namespaces' hostnames.",
    ),
});

const routes = writtenRoutes
  .superRefine(refusing(routesOfKind))
  .meta({
    oneOf: [
      {
        properties: {
          kind: { const: 'HTTPRoute' },
          controller: { enum: [...controllersOf('HTTPRoute')] },
        },
        required: ['gateway'],
        not: { required: ['className'] },
      },
      {
        properties: {
          kind: { const: 'Ingress' },
          controller: { enum: [...controllersOf('Ingress')] },
        },
        required: ['className'],
        not: { required: ['gateway'] },
      },
    ],
  })
  .optional()
  .describe('How hostnames are routed in the cluster; default: it has none.');

type WrittenRoutes = z.output<typeof writtenRoutes>;

/** Each kind of routes has one field and controllers of its own. */
function routesOfKind({ kind, gateway, className, controller }: WrittenRoutes): Refusal[] {
  const fields = { gateway, className };
  const [own, other] = kind === 'HTTPRoute' ? gatewayFirst : classFirst;
  return [
    ...(fields[own] === undefined ? [missingField(kind, own)] : []),
    ...(fields[other] === undefined ? [] : [foreignField(kind, other)]),
    ...(controller === undefined ? [] : foreignController(kind, controller)),
  ];
}

function foreignController(kind: string, controller: RouteControllerName): Refusal[] {
  const own = routeControllers[controller].kind;
  if (own === kind) return [];
  const message = `the controller ${controller} has routes of kind ${own}, but kind is ${kind}`;
  return [{ code: 'FIELD_VALUE', message, path: ['controller'] }];
}

const gatewayFirst = ['gateway', 'className'] as const;
const classFirst = ['className', 'gateway'] as const;

function missingField(kind: string, field: string): Refusal {
  return { code: 'FIELD_MISSING', message: `routes of kind ${kind} need the field '${field}'` };
}

function foreignField(kind: string, field: string): Refusal {
  const message = `routes of kind ${kind} have no field '${field}'`;
  return { code: 'FIELD_UNKNOWN', message, path: [field] };
}

const cluster = z
  .strictObject({
    name: dnsLabel.describe('The cluster; its manifests go to dist/<name>/.'),
    id: z
      .string()
      .min(1)
      .max(253)
      .regex(
        /^[A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?$/,
        'expected letters, digits, -, _, . and :',
      )
      .optional()
      .describe(
        'The id of the cluster in other tools, such as the UID of its namespace kube-system.',
      ),
    labels: z
      .record(labelKey, labelValue)
      .default({})
      .describe('Labels of the cluster, for tools that select clusters by label.'),
    defaultZone: dnsLabel
      .optional()
      .describe('The zone of a declaration in this cluster that names none; default: defaultZone.'),
    provider: akashAddress.optional().describe("The cluster's own provider."),
    metallb: z
      .strictObject(metallbFields)
      .optional()
      .describe('Overrides the metallb of all clusters.'),
    cilium: z
      .strictObject(ciliumFields)
      .optional()
      .describe('Overrides the cilium of all clusters, or puts this one on Cilium.'),
    naming: naming.optional(),
    routes,
    shards: z
      .union(shardCounts.map((count) => z.literal(count)))
      .default(1)
      .describe(
        'The folders of its manifests, each with an Application or Kustomization of its own.',
      ),
  })
  .superRefine(refusing(onePlane))
  .meta(notBoth);

const natRule = z.strictObject({
  inside: addressRange.describe('Addresses of the pool.'),
  outside: poolRange.describe(
    'The addresses by which clients reach them: as many, in order, or one for all.',
  ),
});

const pool = z.strictObject({
  name: dnsLabel.describe('The name of the pool, also in MetalLB and in allocation files.'),
  zone: dnsLabel.describe('The zone of the pool.'),
  clusters: z
    .array(dnsLabel)
    .min(1)
    .max(1000)
    .optional()
    .describe('The clusters that announce the pool; default: all.'),
  addresses: z.array(poolRange).min(1).max(1000).describe('The addresses of the pool.'),
  reserved: z
    .array(addressRange)
    .max(1000)
    .default([])
    .describe('Addresses of the pool that are never assigned, such as gateways.'),
  nat: z
    .array(natRule)
    .max(1000)
    .default([])
    .describe('The static NAT in front of the pool: DNS and workloads get the outside addresses.'),
  avoidBuggyIPs: z
    .boolean()
    .default(false)
    .describe('Never assign IPv4 addresses ending in .0 or .255.'),
  state: z
    .enum(['active', 'draining'])
    .default('active')
    .describe('draining: held addresses stay, and no new ones are assigned.'),
  retentionDays: z
    .int()
    .min(0)
    .max(longestPoolRetention)
    .default(1)
    .describe(
      'Whole days for which a released address is kept for its last holder. A declaration may ask for more.',
    ),
  strategy: z
    .enum(['spread', 'lowest'])
    .default('spread')
    .describe(
      'spread: candidates in an order seeded by the holder. lowest: the lowest address that was never held. Both: then the longest free.',
    ),
  fence: z
    .enum(['open', 'closed'])
    .default('closed')
    .describe(
      'closed: MetalLB serves declared Services only. open: any Service, while a live pool is migrated; for layout: pool.',
    ),
  advertise,
});

const quota = z.int().min(0).max(1_000_000);

const quotaOwner = z
  .string()
  .regex(
    /^(?:akash1[02-9ac-hj-np-z]+|[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\/[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)$/,
    'expected an account akash1… or <cluster>/<namespace>',
  );

/** True for the syntax of an owner of addresses: `akash1…` or `<cluster>/<namespace>`. */
export function isQuotaOwner(text: string): boolean {
  return quotaOwner.safeParse(text).success;
}

const domains = z.array(dnsDomain).max(1000);

const anycastGroup = z.strictObject({
  name: dnsLabel.describe('The group: its address is that of the holder anycast/<name>.'),
  members: z
    .array(
      z.strictObject({
        cluster: dnsLabel,
        namespace: dnsLabel,
        service: dnsLabel.describe('A declared Service or Reservation.'),
      }),
    )
    .min(1)
    .max(1000)
    .describe('The Services that share the address.'),
});

/** `leases/pools.yaml`: clusters, zones and pools. */
export const poolsSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Pools'),
    metadata: editorMetadata,
    provider: akashAddress.optional().describe("The provider's bech32 address, akash1…"),
    metallb: z
      .strictObject(metallbFields)
      .optional()
      .describe(
        `The MetalLB that serves the addresses; default: ${usualMetalLB.version} in ${usualMetalLB.namespace}, with layout: lease.`,
      ),
    cilium: z
      .strictObject(ciliumFields)
      .optional()
      .describe(
        `The Cilium that serves the addresses, in place of MetalLB; default: ${usualCilium.version} in ${usualCilium.namespace}.`,
      ),
    naming: naming.default('akash'),
    emit: z
      .strictObject({
        namespaces: z.boolean().default(true).describe('Write Namespace objects.'),
        providerLeasedIP: z.boolean().default(true).describe('Write ProviderLeasedIP objects.'),
        providerHost: z
          .boolean()
          .default(true)
          .describe('Write ProviderHost objects for the hostnames of Akash leases.'),
        networkPolicies: z
          .boolean()
          .default(true)
          .describe('Write NetworkPolicy objects for Akash leases with IPv6.'),
        addressConfigMaps: z
          .boolean()
          .default(false)
          .describe('Write a ConfigMap with its addresses for each Service and Reservation.'),
        addressNames: z
          .boolean()
          .default(false)
          .describe(
            'Write the address name leased-<endpoint> of each endpoint of an Akash lease: a headless Service and EndpointSlices.',
          ),
        dnsEndpoints: z
          .boolean()
          .default(false)
          .describe('Write DNSEndpoint objects for external-dns.'),
      })
      .prefault({})
      .describe('Which objects are written.'),
    clusters: z
      .array(cluster)
      .min(1)
      .max(1000)
      .prefault([{ name: 'default' }])
      .describe('The clusters that leases are in.'),
    defaultCluster: dnsLabel.optional().describe('Required when there is more than one cluster.'),
    defaultZone: dnsLabel
      .optional()
      .describe(
        'Required when there is more than one zone, unless each cluster has a default zone.',
      ),
    pools: z.array(pool).min(1).max(1000).describe('The pools. No two have an address in common.'),
    branches: z
      .array(branchName)
      .max(100)
      .default([])
      .describe(
        'The branches that Argo CD or Flux apply, beside the default one: what is pushed of them is live.',
      ),
    quotas: z
      .strictObject({
        default: quota.optional().describe('For owners that are not listed; default: no limit.'),
        owners: z
          .record(quotaOwner, quota)
          .default({})
          .describe('Akash accounts, and <cluster>/<namespace> of Services.'),
      })
      .prefault({})
      .describe('How many addresses an owner may have, held or retained. Dual stack counts two.'),
    dns: z
      .strictObject({
        ttl: z
          .int()
          .min(1)
          .max(2_147_483_647)
          .default(300)
          .describe('The time to live of all records, in seconds.'),
        allowed: domains
          .min(1)
          .optional()
          .describe('The domains that names must be in; default: any.'),
        blocked: domains.default([]).describe('The domains that no name may be in.'),
      })
      .prefault({})
      .describe('The DNS names that declarations may request, and their records.'),
    hostnames: z
      .strictObject({
        retentionDays: z
          .int()
          .min(0)
          .max(longestPoolRetention)
          .default(30)
          .describe('Whole days for which a released hostname is kept for its namespace.'),
        proof: z
          .enum(['optional', 'required'])
          .default('optional')
          .describe('required: a hostname needs a proof of its domain by leasehold prove.'),
        exempt: domains.default([]).describe('The domains whose hostnames need no proof.'),
      })
      .prefault({})
      .describe('The hostnames that are routed.'),
    advertisements,
    anycast: z
      .array(anycastGroup)
      .max(1000)
      .default([])
      .describe('Groups of Services that share one address over clusters or namespaces.'),
  })
  .superRefine(refusing(onePlane))
  .meta(notBoth)
  .describe('The declared pool file of leasehold, leases/pools.yaml.');

/** The pool file with defaults filled in, before it is normalized. */
export type WrittenPools = z.output<typeof poolsSchema>;

export type WrittenPool = WrittenPools['pools'][number];
