import type { Cluster, Pool } from '../../model/pools.ts';
import { familyBits, formatAddress } from '../../net/address.ts';
import { type AddressRange, prefixLengths } from '../../net/range.ts';
import type { Manifest, Metadata } from '../manifest.ts';
import { leasesLabel, managedBy, reservedLabel, wave } from '../metadata.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const name = 'leasehold-services';
const prefixes = ['metallb.io', 'metallb.universe.tf'];

/**
 * `layout: pool`: the policy, and its binding, that keep a declared pool to leased Services. Denied
 * outside namespaces with the label `leasehold.dev/leases: "true"` is a LoadBalancer Service that
 *   - has our managed-by label, or that of a Reservation's Service, which open the pool to it, or
 *   - names one of our pools in MetalLB's address-pool annotation, old or new, or
 *   - asks for an address of them in spec.loadBalancerIP or the loadBalancerIPs annotation. A text
 *     that is no plain address counts as one: MetalLB reads `::ffff:203.0.113.7` as IPv4.
 * With `emit.namespaces: false` nobody labels the lease namespaces for us: the administrator must,
 * and the message of a denial says so. A Service that is being deleted passes, or its finalizers
 * would never go; MetalLB's own writes go to services/status, which is not matched.
 * `pools` are those with a closed fence, at least one: an open one is nobody's yet, and its name, its addresses and the
 * labels that it does not ask for are no reason to deny. The labels stay one while any other pool asks for them.
 * Needs Kubernetes 1.31: `isIP` and `cidr` are in CEL since 1.30 and usable one version later.
 */
export function admissionManifests(cluster: Cluster, pools: readonly Pool[]): readonly Manifest[] {
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: metadataOf('ValidatingAdmissionPolicy'),
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
        variables: variablesOf(pools),
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
      metadata: metadataOf('ValidatingAdmissionPolicyBinding'),
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

const labelText = Object.entries(leasesLabel)
  .map(([key, value]) => `${key}=${value}`)
  .join();

/** Each may use those before it. */
function variablesOf(pools: readonly Pool[]) {
  const blocks = pools.flatMap(({ ranges }) => ranges.flatMap(cidrBlocks));
  const requests = annotations('loadBalancerIPs');
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
      expression: `(${hasPair('variables.labels', managedBy)}) || (${hasPair('variables.labels', reservedLabel)})`,
    },
    {
      name: 'asksPool',
      expression: `${annotations('address-pool')}.exists(key, key in variables.annotations && variables.annotations[key] in ${list(pools.map((pool) => pool.name))})`,
    },
    {
      name: 'requests',
      expression: `(has(object.spec.loadBalancerIP) ? [object.spec.loadBalancerIP] : []) + ${requests}.filter(key, key in variables.annotations).map(key, variables.annotations[key])`,
    },
    {
      name: 'asksAddress',
      expression: `variables.requests.exists(text, text.split(',').exists(item, item.trim() != '' && (!isIP(item.trim()) || ${list(blocks)}.exists(block, cidr(block).containsIP(item.trim())))))`,
    },
  ];
}

function annotations(suffix: string): string {
  return list(prefixes.map((prefix) => `${prefix}/${suffix}`));
}

function hasPair(map: string, pair: { readonly [key: string]: string }): string {
  return Object.entries(pair)
    .map(([key, value]) => `'${key}' in ${map} && ${map}['${key}'] == '${value}'`)
    .join(' && ');
}

/** A CEL list. The texts are names and addresses: none has a quote or a backslash. */
function list(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text}'`).join(', ')}]`;
}

/** The fewest CIDR blocks that make up a range. */
function cidrBlocks({ from, to }: AddressRange): readonly string[] {
  const { family } = from;
  let start = from.value;
  return prefixLengths({ from, to }).map((length) => {
    const text = `${formatAddress({ family, value: start })}/${length}`;
    start += 1n << BigInt(familyBits[family] - length);
    return text;
  });
}

function metadataOf(
  kind: 'ValidatingAdmissionPolicy' | 'ValidatingAdmissionPolicyBinding',
): Metadata {
  return { name, labels: { ...managedBy }, annotations: { ...wave(kind) } };
}
