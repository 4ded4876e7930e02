import type { EmittedKind } from '../../model/kinds.ts';
import type { Cluster, Pool } from '../../model/pools.ts';
import { familyBits, formatAddress } from '../../net/address.ts';
import { type AddressRange, prefixLengths } from '../../net/range.ts';
import {
  leasesLabel,
  type Manifest,
  type Metadata,
  managedBy,
  reservedLabel,
  wave,
} from '../manifest.ts';
import type { PlaneManifests } from '../planes/plane.ts';
import { planeOf } from '../planes/planes.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const name = 'leasehold-services';

/**
 * The ValidatingAdmissionPolicy and its binding that keep declared pools to leased Services, with
 * `layout: pool`. Outside of namespaces with the label `leasehold.dev/leases: "true"` they deny a
 * LoadBalancer Service that
 *
 * - has the managed-by label of leasehold, the label of Reservations or one of the plane, which open
 *   the pool to it,
 * - names one of the pools in an annotation of the plane, or
 * - asks for an address of the pools in `spec.loadBalancerIP` or in an annotation of the plane.
 *   Any text that is not a plain address counts as one: MetalLB reads `::ffff:203.0.113.7` as IPv4,
 *   and LB-IPAM gives any address where it cannot read a text.
 *
 * With `emit.namespaces: false` the administrator must label the namespaces of leases; the message
 * of a denial names the label. A Service that is being deleted is allowed, so that its finalizers
 * can be removed. The plane writes to services/status, which the policy does not match.
 *
 * `pools` are those with a closed fence, at least one. Services may use the names and addresses of
 * open pools, but not the two labels, as long as any pool is closed. The policy needs Kubernetes
 * 1.31: the CEL functions `isIP` and `cidr` were added in 1.30 and are allowed in new objects one
 * version later.
 */
export function admissionManifests(cluster: Cluster, pools: readonly Pool[]): readonly Manifest[] {
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: metadataOf('admissionPolicy'),
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [''],
              apiVersions: ['v1'],
              operations: ['CREATE', 'UPDATE'],
              resources: ['services'],
            },
          ],
        },
        matchConditions: [
          {
            name: 'load-balancer',
            expression: "has(object.spec.type) && object.spec.type == 'LoadBalancer'",
          },
          { name: 'not-being-deleted', expression: '!has(object.metadata.deletionTimestamp)' },
        ],
        variables: variablesOf(pools, planeOf(cluster).requests),
        validations: [
          {
            expression:
              'variables.leased || !(variables.labelled || variables.asksPool || variables.asksAddress)',
            message: `Only namespaces labelled ${labelText} may have Services on the addresses of leasehold in cluster ${cluster.name}.`,
            reason: 'Forbidden',
          },
        ],
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: metadataOf('admissionPolicyBinding'),
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

const labelText = Object.entries(leasesLabel)
  .map(([key, value]) => `${key}=${value}`)
  .join();

/** The variables of the policy. Each may use those before it. */
function variablesOf(pools: readonly Pool[], requests: PlaneManifests['requests']) {
  const blocks = pools.flatMap(({ ranges }) => ranges.flatMap(cidrBlocks));
  return [
    { name: 'labels', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' },
    {
      name: 'annotations',
      expression: 'has(object.metadata.annotations) ? object.metadata.annotations : {}',
    },
    {
      name: 'leased',
      expression: `has(namespaceObject.metadata.labels) && ${hasPair('namespaceObject.metadata.labels', leasesLabel)}`,
    },
    {
      name: 'labelled',
      expression: [
        `(${hasPair('variables.labels', managedBy)})`,
        `(${hasPair('variables.labels', reservedLabel)})`,
        ...requests.labels.map((key) => `'${key}' in variables.labels`),
      ].join(' || '),
    },
    {
      name: 'asksPool',
      expression:
        requests.pool.length === 0
          ? 'false'
          : `${list(requests.pool)}.exists(key, key in variables.annotations && variables.annotations[key] in ${list(pools.map((pool) => pool.name))})`,
    },
    {
      name: 'requests',
      expression: `(has(object.spec.loadBalancerIP) ? [object.spec.loadBalancerIP] : []) + ${list(requests.addresses)}.filter(key, key in variables.annotations).map(key, variables.annotations[key])`,
    },
    {
      name: 'asksAddress',
      expression: `variables.requests.exists(text, text.split(',').exists(item, item.trim() != '' && (!isIP(item.trim()) || ${list(blocks)}.exists(block, cidr(block).containsIP(item.trim())))))`,
    },
  ];
}

function hasPair(map: string, pair: { readonly [key: string]: string }): string {
  return Object.entries(pair)
    .map(([key, value]) => `'${key}' in ${map} && ${map}['${key}'] == '${value}'`)
    .join(' && ');
}

/** Returns a CEL list. The texts are names and addresses, without quotes and backslashes. */
function list(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text}'`).join(', ')}]`;
}

/** Splits a range into the fewest CIDR blocks. */
function cidrBlocks({ from, to }: AddressRange): readonly string[] {
  const { family } = from;
  let start = from.value;
  return prefixLengths({ from, to }).map((length) => {
    const text = `${formatAddress({ family, value: start })}/${length}`;
    start += 1n << BigInt(familyBits[family] - length);
    return text;
  });
}

function metadataOf(kind: EmittedKind): Metadata {
  return { name, labels: { ...managedBy }, annotations: { ...wave(kind) } };
}
