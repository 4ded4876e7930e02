import { type LiveObject, listAt, liveObjectName, textAt } from '../../../core/model/live.ts';
import { groupBy } from '../../../core/model/order.ts';
import type { Desired } from '../desired.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import type { DesiredClaim } from './claim-state.ts';
import { canonicalAddress } from './snapshot.ts';

/**
 * The findings for the Gateways of Reservations: one that does not exist, that is not programmed, or
 * that does not have the reserved addresses in its status. Gateway API, `status.addresses` and the
 * condition Programmed.
 */
export function gatewayFindings(
  claims: readonly DesiredClaim[],
  gateways: readonly LiveObject[],
): readonly ClusterFinding[] {
  const live = new Map(gateways.map((gateway) => [liveObjectName('gateway', gateway), gateway]));
  const reserved = claims.flatMap((claim) =>
    claim.gateway === undefined ? [] : [{ ...claim, gateway: claim.gateway }],
  );
  return [...groupBy(reserved, ({ gateway }) => gateway)].flatMap(([object, group]) => {
    const fault = faultOf(live.get(object), [...new Set(group.flatMap((one) => one.addresses))]);
    return fault ? [{ object, ...fault }] : [];
  });
}

/**
 * A finding for the Gateway of the routes of `dist/`, when it does not exist: Traefik 3.7 leaves what
 * their status says. Undefined Gateways are a cluster without the Gateway API.
 */
export function missingGateway(
  { cluster: { routes }, objects }: Desired,
  gateways: readonly LiveObject[] | undefined,
): readonly ClusterFinding[] {
  if (routes?.kind !== 'HTTPRoute' || !gateways) return [];
  const object = liveObjectName('gateway', { metadata: routes.gateway });
  const isThere = gateways.some((gateway) => liveObjectName('gateway', gateway) === object);
  const isNamed = [...objects.values()].some(({ kind }) => kind === 'httpRoute');
  return isNamed && !isThere ? [{ object, ...missing }] : [];
}

type Fault = Pick<ClusterFinding, 'message' | 'hint'>;

function faultOf(gateway: LiveObject | undefined, reserved: readonly string[]): Fault | undefined {
  if (!gateway) {
    const message = `does not exist; ${reservedText(reserved)}`;
    return { message, hint: 'apply it, or correct gateway in the Reservation' };
  }
  const found = listAt(gateway, 'status', 'addresses').flatMap((one) => textAt(one, 'value') ?? []);
  const addresses = found.map(canonicalAddress);
  const lacking = reserved.filter((address) => !addresses.includes(address));
  if (lacking.length > 0) {
    const has = addresses.length === 0 ? 'no address' : addresses.join(' and ');
    const message = `has ${has} in its status; ${reservedText(lacking)}`;
    return { message, hint: merged };
  }
  const programmed = listAt(gateway, 'status', 'conditions').find(
    (condition) => textAt(condition, 'type') === 'Programmed',
  );
  const status = textAt(programmed, 'status') ?? 'missing';
  if (status === 'True') return undefined;
  const reasons = [textAt(programmed, 'reason'), textAt(programmed, 'message')].filter(Boolean);
  return { message: [`its condition Programmed is ${status}`, ...reasons].join(': '), hint: log };
}

function reservedText(addresses: readonly string[]): string {
  return `${addresses.join(' and ')} ${addresses.length > 1 ? 'are' : 'is'} reserved for it`;
}

const missing: Fault = {
  message: 'does not exist, so no hostname is routed',
  hint: 'create it, or correct gateway in routes of the cluster in leases/pools.yaml and run `leasehold synth`',
};
const merged =
  'put what `leasehold list -o values` prints into the Gateway, and compare the name and namespace of the Reservation with the Service that the controller makes';
const log = 'read the message, and the log of the controller of the Gateway';
