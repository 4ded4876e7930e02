import { type Claim, declarerText, type ServiceClaim } from '../model/claim.ts';
import {
  type DeclaredKey,
  type Keys,
  keyText,
  type Ownership,
  parseSignatures,
  unowned,
} from '../model/ownership.ts';

/** What each claim of a holder that has a say has for one field, such as `zone edge`. */
export interface FieldWords {
  readonly field: 'pool' | 'zone' | 'address' | 'key';
  readonly words: readonly { readonly claim: Claim; readonly text: string }[];
}

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

/** The key that each Service on one address has, or that it has none. One whose key is not known has no say. */
export function keyWords(claims: readonly Claim[], keys: Keys): FieldWords {
  const texts = new Map<string | undefined, string>();
  const words = declarersIn(claims).flatMap((claim) => {
    const key = keyOf(claim, keys);
    if (claim.declared.secret !== undefined && key === undefined) return [];
    // Two names of one key are one key.
    const text = texts.get(key?.publicKey) ?? named(key);
    texts.set(key?.publicKey, text);
    return [{ claim, text }];
  });
  return { field: 'key', words };
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
