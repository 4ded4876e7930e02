import { compareAddresses } from '../../../net/address.ts';
import { type Ground, textOf } from '../ground.ts';
import { serviceSubject } from '../metallb/live-service.ts';
import type { LiveService } from './live-lease.ts';

/**
 * True for a live Service that is declared: it stays as it is. One that is declared with another address than it has is
 * told, and the one that it has reserved unless somebody has it here.
 */
export function declaredAlready(service: LiveService, ground: Ground): boolean {
  const { namespace, name, addresses, at } = service;
  const { services, claims, cluster } = ground.standing;
  const declared = services.find(
    (one) => one.cluster === cluster.name && one.namespace === namespace && one.name === name,
  );
  if (!declared) return false;
  const claim = claims.find((one) => one.kind === 'Service' && one.declared === declared);
  const has = claim ? ground.heldBy(claim.holder) : [];
  const missing = addresses.filter(
    (address) => !has.some((one) => compareAddresses(one, address) === 0),
  );
  if (missing.length > 0) {
    const here = has.length > 0 ? `with ${textOf(has)}` : 'without an address';
    const message = `it is declared ${here} in ${declared.at.file}, and has ${textOf(missing)}`;
    ground.leave(serviceSubject(namespace, name), message, missing, at);
  }
  ground.adopt({
    kind: declared.kind,
    name: `${namespace}/${name}`,
    addresses,
    path: declared.at.file,
    text: undefined,
    at,
  });
  return true;
}
