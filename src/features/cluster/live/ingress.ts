import type { LiveObject } from '../../../model/live.ts';
import { listAt, textAt } from '../../../model/unstructured.ts';
import { formatAddress, isAddress, parseAddress } from '../../../net/address.ts';

/** The addresses that a Service has from its load balancer: canonical text, in the order they stand. */
export function ingressOf(service: LiveObject): readonly string[] {
  return listAt(service, 'status', 'loadBalancer', 'ingress').flatMap((ingress) => {
    const text = textAt(ingress, 'ip') ?? textAt(ingress, 'hostname');
    return text === undefined ? [] : [canonical(text)];
  });
}

/**
 * The addresses whose packets a Service takes on every node without asking a load balancer: `spec.externalIPs`,
 * which anyone who may write a Service may set (CVE-2020-8554). Canonical text.
 */
export function externalAddressesOf(service: LiveObject): readonly string[] {
  return listAt(service, 'spec', 'externalIPs').flatMap((text) =>
    typeof text === 'string' ? [canonical(text)] : [],
  );
}

function canonical(text: string): string {
  const address = parseAddress(text);
  return isAddress(address) ? formatAddress(address) : text;
}
