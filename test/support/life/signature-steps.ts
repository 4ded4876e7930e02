import { ports, put, retention } from './declare-steps.ts';
import { claimsOf } from './holder-requests.ts';
import { familyOf, type ServiceWords, type Town } from './plain-workspace.ts';
import type { Entries, Entry } from './records.ts';
import type { Dice } from './seeded-choices.ts';
import { type Proof, publicKeyOf, secrets } from './signatures.ts';
import type { Surroundings } from './steps.ts';

/**
 * Somebody does something with a key: changes that of an address, takes over one that is kept, or comes back under
 * another key. Mostly with the right signature, now and then with a wrong one or none.
 */
export function prove(town: Town, around: Surroundings): Town {
  const { dice, entries } = around;
  const owned = [...entries].filter(([, { key }]) => key !== undefined);
  const released = owned.filter(([, entry]) => entry.released);
  const [text, entry] = dice.of(released.length > 0 && dice.isOnceIn(2) ? released : owned) ?? [];
  if (text === undefined || !entry) return town;
  return entry.released ? reclaim(town, around, text, entry) : rotate(town, entry.holder, around);
}

/** All Services of a holder, or one of them alone, name another key. */
function rotate(town: Town, holder: string, { dice, entries }: Surroundings): Town {
  const own = servicesOf(town, holder);
  const chosen = dice.isOnceIn(3) ? own.slice(0, 1) : own;
  const secret = dice.one('own', 'next', undefined);
  const held = entriesOf(entries, holder);
  const proofs = held.flatMap(([text, entry]) =>
    proofFor({ action: 'rotate', address: text, holder, newKey: secret }, entry, dice),
  );
  return chosen.reduce((next, { secret: _old, ...words }) => {
    return put(next, { ...words, ...(secret === undefined ? {} : { secret }), proofs });
  }, town);
}

/** A new Service, or the one that had it, pins an address that is kept. */
function reclaim(
  town: Town,
  { dice, ended, step }: Surroundings,
  text: string,
  entry: Entry,
): Town {
  const former = dice.isOnceIn(2)
    ? ended.findLast((words) => claimsOf(words).some(({ holder }) => holder === entry.holder))
    : undefined;
  const cluster = entry.holder.split('/')[0] ?? '';
  const base = former && former.kind !== 'Lease' ? former : newcomer(cluster, `s${step}`, dice);
  const { secret: _secret, key: _key, ...words } = base;
  const secret = dice.one('own', 'next', undefined);
  const terms = { family: familyOf(text), pins: [text], retain: retention(dice) };
  const named = { ...words, terms, ...(secret === undefined ? {} : { secret }) };
  const holder = claimsOf(named)[0]?.holder ?? '';
  const proofs = proofFor(
    { action: 'reclaim', address: text, holder, newKey: secret },
    entry,
    dice,
  );
  return put(town, { ...named, proofs });
}

function newcomer(cluster: string, name: string, dice: Dice): ServiceWords {
  return {
    kind: dice.one('Service', 'Reservation'),
    cluster,
    namespace: dice.one('shop', 'game'),
    name,
    ports: ports(dice),
    terms: { family: 'ipv4', pins: [], retain: 0 },
  };
}

/** Mostly the right signature; now and then one of another key, generation, holder or life, or none at all. */
function proofFor(
  said: Pick<Proof, 'action' | 'address' | 'holder' | 'newKey'>,
  { key, generation, since }: Entry,
  dice: Dice,
): readonly Proof[] {
  const names = Object.keys(secrets);
  const by = names.find((name) => publicKeyOf(name) === key) ?? 'own';
  const right = { ...said, generation, since, by };
  switch (dice.below(12)) {
    case 0:
      return [{ ...right, by: by === 'own' ? 'next' : 'own' }];
    case 1:
      return [{ ...right, generation: generation + dice.one(-1, 1) }];
    case 2:
      return [{ ...right, holder: `${said.holder}-too` }];
    case 3:
      return [{ ...right, since: '2026-12-31' }];
    case 4:
      return [];
    default:
      return [right];
  }
}

function servicesOf({ declared }: Town, holder: string): readonly ServiceWords[] {
  return [...declared.values()].filter(
    (words): words is ServiceWords =>
      words.kind !== 'Lease' && claimsOf(words).some((claim) => claim.holder === holder),
  );
}

function entriesOf(entries: Entries, holder: string): readonly (readonly [string, Entry])[] {
  return [...entries].filter(([, entry]) => entry.holder === holder && !entry.released);
}
