import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { addressesHeldBy } from '../../core/model/allocation.ts';
import { endpointHolder } from '../../core/model/claim.ts';
import { fail, type Outcome, ok } from '../../core/model/problem.ts';
import { type Address, familyName, formatAddress } from '../../core/net/address.ts';
import type { InputFile } from '../../core/text/yaml/template-hints.ts';
import type { WorkspaceSnapshot } from '../../lib/list/workspace-snapshot.ts';
import { fillPlaceholders, type Placeholder } from './sdl-placeholders.ts';

/** The tenant of an SDL: the holder of its addresses is the owner's, whichever lease it is for. */
export interface SdlTenant {
  /** The tenant's bech32 address. */
  readonly owner: string;
  /** The name of a declared cluster. */
  readonly cluster: string;
}

/** An SDL with addresses in place of its placeholders. */
export interface FilledSdl {
  readonly bytes: Uint8Array;
  /** The addresses that were written, by placeholder as written, in the order of the file. */
  readonly filled: ReadonlyMap<string, Address>;
}

/**
 * Fills the placeholders of an SDL with the addresses that the IP endpoints of its tenant hold;
 * behind a NAT with their public addresses, unless a placeholder says `inside`. Problems: those of {@link fillPlaceholders};
 * SDL_PLACEHOLDER also for an endpoint that is not declared, has no address, has none of the family,
 * or has two and the placeholder names no family.
 */
export function fillSdl(
  { name, bytes }: InputFile,
  tenant: SdlTenant,
  snapshot: WorkspaceSnapshot,
): Outcome<FilledSdl> {
  const filled = new Map<string, Address>();
  const outcome = fillPlaceholders(name, bytes, (placeholder) => {
    const address = addressOf(placeholder, tenant, snapshot);
    if (address.ok) filled.set(placeholder.text, address.value);
    return address;
  });
  return outcome.ok ? ok({ bytes: outcome.value, filled }) : outcome;
}

function addressOf(
  placeholder: Placeholder,
  { owner, cluster }: SdlTenant,
  { claims, table, pools }: WorkspaceSnapshot,
): Outcome<Address> {
  const { endpoint, isInside, family } = placeholder;
  const name = isInside ? `${endpoint}.inside` : endpoint;
  const holder = endpointHolder(cluster, owner, endpoint);
  if (!claims.has(holder)) {
    return unfilled(
      placeholder,
      `no lease or promise of ${owner} declares the IP endpoint '${endpoint}'`,
      'declare the lease first, with `leasehold import sdl`; before there is one, use `leasehold add promise`',
    );
  }
  const held = addressesHeldBy(table, holder);
  const [address, other] = held.filter((one) => family === undefined || one.family === family);
  if (address !== undefined && other === undefined) {
    return ok(isInside ? address : new PoolIndex(pools).publicAddress(address));
  }
  if (other !== undefined) {
    return unfilled(
      placeholder,
      `the IP endpoint '${endpoint}' has two addresses, ${held.map(formatAddress).join(' and ')}`,
      `name one: $(leased.${name}.ipv4) or $(leased.${name}.ipv6)`,
    );
  }
  if (held.length === 0) {
    return unfilled(
      placeholder,
      `the IP endpoint '${endpoint}' has no address yet`,
      'allocate it with `leasehold synth`',
    );
  }
  const wanted = family === undefined ? '' : ` ${familyName(family)}`;
  return unfilled(
    placeholder,
    `the IP endpoint '${endpoint}' has no${wanted} address, it has ${held.map(formatAddress).join(' and ')}`,
    `write $(leased.${name}), or declare the endpoint with another ipFamily`,
  );
}

function unfilled({ text, at }: Placeholder, reason: string, hint: string): Outcome<never> {
  return fail([
    { code: 'SDL_PLACEHOLDER', message: `${text} cannot be filled: ${reason}`, at, hint },
  ]);
}
