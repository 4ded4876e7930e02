import { type ExportedService, exportedService } from './exported-cluster.ts';

/** What a test says of a Service that vitistack's ipam-operator has looked at. */
export interface OperatorService extends Omit<ExportedService, 'annotations'> {
  /** What its author wrote, without `ipam.vitistack.io/`; the operator fills in the others. */
  readonly ipam?: Readonly<Record<string, string>>;
}

/** The 32 characters that the operator would have drawn. */
const random = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4f';

/** The annotations that the operator leaves on a Service (facts/vitistack.md §1). */
export function operatorAnnotations(
  addresses: readonly string[],
  ipam: OperatorService['ipam'] = {},
): Readonly<Record<string, string>> {
  const own: Readonly<Record<string, string>> = {
    addresses: addresses.join(','),
    'allow-local-shared-ip': `pre-shared-key-${random}`,
    'deny-external-cleanup': 'false',
    'ip-family': addresses.length > 1 ? 'dual' : familyOf(addresses[0] ?? ''),
    'retention-period-days': '0',
    secret: 'default',
    zone: 'hnet-private',
    ...ipam,
  };
  return {
    ...Object.fromEntries(
      Object.entries(own).map(([key, value]) => [`ipam.vitistack.io/${key}`, value]),
    ),
    'metallb.io/address-pool': own.zone ?? '',
    'metallb.io/allow-shared-ip': own['allow-local-shared-ip'] ?? '',
    'metallb.io/loadBalancerIPs': own.addresses ?? '',
  };
}

/** A Service with these annotations; without addresses MetalLB has not looked at it yet. */
export function operatorService({ ipam, ...service }: OperatorService): object {
  const annotations = operatorAnnotations(service.addresses, ipam);
  return exportedService({ ...service, annotations });
}

function familyOf(address: string): string {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** The pool of a zone: an entry for each address in use. */
export function operatorPool(zone: string, addresses: readonly string[]): object {
  return {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: zone, namespace: 'metallb-system' },
    spec: {
      addresses: addresses.map(prefixOf),
      autoAssign: false,
    },
  };
}

/** The prefix of one address. */
export function prefixOf(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}
