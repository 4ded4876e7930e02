import type { LiveObject } from '../model/live.ts';
import { listAt, textAt } from '../model/live-field.ts';
import { formatAddress, isAddress, parseAddress } from '../net/address.ts';

/** The addresses that a Service has from its load balancer: canonical text, in the order they stand. */
export function ingressOf(service: LiveObject): readonly string[] {
  return listAt(service, 'status', 'loadBalancer', 'ingress').flatMap((ingress) => {
    const text = textAt(ingress, 'ip') ?? textAt(ingress, 'hostname');
    if (text === undefined) return [];
    const address = parseAddress(text);
    return [isAddress(address) ? formatAddress(address) : text];
  });
}
