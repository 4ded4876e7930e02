import * as z from 'zod';
import { longestRetention } from '../../core/model/lease.ts';
import { bothFamilies, type Family } from '../../core/net/address.ts';
import { type IpamReply, refusedRequest } from './ipam-answer.ts';

/** A text that may be left out, as in Go. */
const text = z.string().default('');

const service = z.strictObject({
  service_name: text,
  namespace_id: text.describe('The UID of the namespace.'),
  cluster_id: text.describe('The id of the cluster in the pool file, or its name.'),
  retention_period_days: z.int().default(0),
  deny_external_cleanup: z.boolean().default(false),
  expires_at: z.string().nullish().describe('Ignored.'),
});

/** The body of both requests: IpamAPIRequest of ipam-api 1.0.40 (pkg/models/apicontracts). */
export const ipamRequestSchema = z
  .strictObject({
    secret: text.describe('8 to 64 characters, and otherwise ignored.'),
    zone: text,
    ip_family: text.describe('ipv4 or ipv6.'),
    address: text.describe('Such as 203.0.113.7/32.'),
    new_secret: text.describe('Ignored.'),
    service: service.prefault({}),
  })
  .describe("A request of vitistack's ipam-operator.");

/** A request for an address of one family, without its secrets. Nothing in it is looked up yet. */
export interface IpamRequest {
  readonly zone: string;
  readonly family: Family;
  /** As it was sent; empty for any address. */
  readonly address: string;
  readonly name: string;
  /** The UID of the namespace. */
  readonly namespaceId: string;
  readonly clusterId: string;
  readonly retentionDays: number;
  readonly denyExternalCleanup: boolean;
}

/**
 * Reads the body of a request as ipam-api does, and in its order: the JSON, the fields, the
 * retention. Fields that it does not know are refused.
 */
export function readIpamRequest(body: unknown): IpamRequest | IpamReply {
  const parsed = ipamRequestSchema.safeParse(body);
  if (!parsed.success) return refusedRequest('Could not parse incomming request');
  const { secret, zone, ip_family, address, service: own } = parsed.data;
  const family = bothFamilies.find((one) => one === ip_family);
  const faults = [
    ...faultOf('Secret', secretFault(secret)),
    ...faultOf('Zone', zone === '' && 'required'),
    ...faultOf('IPFamily', ip_family === '' ? 'required' : !family && 'oneof'),
    ...faultOf('Service.ServiceName', own.service_name === '' && 'required'),
    ...faultOf('Service.NamespaceID', own.namespace_id === '' && 'required'),
    ...faultOf('Service.ClusterID', own.cluster_id === '' && 'required'),
  ];
  if (faults.length > 0 || !family) return refusedRequest(faults.join('\n'));
  const days = own.retention_period_days;
  if (days > longestRetention) {
    return refusedRequest(`retention period cannot be more than ${longestRetention} days`);
  }
  if (days < 0) return refusedRequest('retention period cannot be less than 0 days');
  return {
    zone,
    family,
    address,
    name: own.service_name,
    namespaceId: own.namespace_id,
    clusterId: own.cluster_id,
    retentionDays: days,
    denyExternalCleanup: own.deny_external_cleanup,
  };
}

/** The rule of the secret that is broken, if any: `required,min=8,max=64`, in characters. */
function secretFault(secret: string): string | false {
  const length = [...secret].length;
  if (length === 0) return 'required';
  if (length < 8) return 'min';
  return length > 64 && 'max';
}

/** A broken rule of a field, in the words of Go's validator. */
function faultOf(field: string, rule: string | false): readonly string[] {
  if (rule === false) return [];
  const name = field.slice(field.lastIndexOf('.') + 1);
  return [
    `Key: 'IpamAPIRequest.${field}' Error:Field validation for '${name}' failed on the '${rule}' tag`,
  ];
}
