import * as z from 'zod';
import { longestRetention } from '../../model/lease.ts';
import { labelKey, labelValue } from '../../text/name-fields.ts';
import { leaseholdKeys, metallbKeys } from './service-keys.ts';

/** An annotation's key: like a label's, but its DNS name may have upper case. */
export const annotationKey = z
  .string()
  .regex(
    /^(?:(?=[^/]{1,253}\/)[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?)*\/)?(?=[^/]{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/,
    'expected an annotation key: at most 63 letters, digits, -, _ and ., perhaps after a DNS name and /',
  );

/** The labels of a Service. */
export const labels = z.record(labelKey, labelValue).default({});

/** The annotations of a Service. Editors are told of those that leasehold reads. */
export const annotations = z
  .record(annotationKey, z.string())
  .default({})
  .meta({ properties: knownAnnotations() });

function knownAnnotations(): Record<string, { readonly type: 'string' }> {
  const text = (description: string, more: object = {}) => ({
    type: 'string' as const,
    description,
    ...more,
  });
  return {
    [leaseholdKeys.addresses]: text(
      'Pins, separated by commas: at most one address of each family.',
    ),
    [leaseholdKeys.sharingKey]: text(
      'Services of one namespace and one key share an address. Default: none.',
    ),
    [leaseholdKeys.denyExternalCleanup]: text('leasehold cleanup leaves the lease alone.', {
      default: 'false',
    }),
    [leaseholdKeys.ipFamily]: text('dual: one address of each family, both from one pool.', {
      enum: ['ipv4', 'ipv6', 'dual'],
      default: 'ipv4',
    }),
    [leaseholdKeys.retentionPeriodDays]: text(
      `Whole days the address is kept after release, 0 to ${longestRetention}.`,
      { default: '0' },
    ),
    [leaseholdKeys.secret]: text('The ownership key, a file of leases/keys/<namespace>/.', {
      default: 'default',
    }),
    [leaseholdKeys.zone]: text('The zone the address comes from; default: defaultZone.'),
    [leaseholdKeys.cluster]: text('The cluster of the Service; default: defaultCluster.'),
    [leaseholdKeys.pool]: text('The pool the address comes from; default: any of the zone.'),
    [leaseholdKeys.signature]: text('A proof of ownership, as leasehold key sign prints it.'),
    [metallbKeys[0].addresses]: text('Read as ipam.vitistack.io/addresses.'),
    [metallbKeys[0].pool]: text('Read as leasehold.dev/pool.'),
    [metallbKeys[0].sharingKey]: text('Read as ipam.vitistack.io/allow-local-shared-ip.'),
  };
}
