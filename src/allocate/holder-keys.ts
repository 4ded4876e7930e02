import { type Claim, claimText, declarerText, type ServiceClaim } from '../model/claim.ts';
import {
  type DeclaredKey,
  type Keys,
  keyText,
  type Ownership,
  parseSignatures,
  unowned,
} from '../model/ownership.ts';
import type { Problem } from '../model/problem.ts';

/** By what the claims of one holder prove that an address is theirs. Those of Akash leases have no key. */
export function ownershipOf(claims: readonly Claim[], keys: Keys): Ownership {
  const declarers = declarersIn(claims);
  if (declarers.length === 0) return unowned;
  const signatures = declarers.flatMap(({ declared: { signature } }) =>
    signature === undefined
      ? []
      : (parseSignatures(signature.text) ?? []).map((text) => ({ text, at: signature.at })),
  );
  const key = declarers.map((claim) => keyOf(claim, keys)).find((found) => found !== undefined);
  return { key, signatures, repository: keys.repository };
}

/** HOLDER_CONFLICT for each Service whose key is not that of the first one on the same address. */
export function keyDisagreements(claims: readonly Claim[], keys: Keys): Problem[] {
  const known = declarersIn(claims).filter(
    (claim) => claim.declared.secret === undefined || keyOf(claim, keys) !== undefined,
  );
  const [first] = known;
  if (!first) return [];
  const wanted = keyOf(first, keys);
  return known
    .filter((claim) => keyOf(claim, keys)?.publicKey !== wanted?.publicKey)
    .map((claim) => ({
      code: 'HOLDER_CONFLICT' as const,
      message: `Service '${claim.service}' shares one address, but ${claimText(claim)} has ${named(keyOf(claim, keys))} and ${claimText(first)} has ${named(wanted)}`,
      at: claim.at,
      also: [first.at],
      hint: 'name one key in all of them, or none in any',
    }));
}

/** One claim of each Service and Reservation. */
function declarersIn(claims: readonly Claim[]): readonly ServiceClaim[] {
  const byDeclarer = new Map<string, ServiceClaim>();
  for (const claim of claims) {
    if (claim.kind !== 'Service') continue;
    const declarer = `${claim.cluster} ${declarerText(claim)}`;
    if (!byDeclarer.has(declarer)) byDeclarer.set(declarer, claim);
  }
  return [...byDeclarer.values()];
}

function keyOf({ declared }: ServiceClaim, keys: Keys): DeclaredKey | undefined {
  const { namespace, secret } = declared;
  return secret === undefined
    ? undefined
    : keys.byName.get(keyText({ namespace, name: secret.name }));
}

function named(key: DeclaredKey | undefined): string {
  return key === undefined ? 'no key' : `the key ${keyText(key)}`;
}
