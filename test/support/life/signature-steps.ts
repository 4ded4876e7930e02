import { ports, put, retention } from './declare-steps.ts';
import { claimsOf } from './holder-requests.ts';
import { familyOf, type PlainService, type PlainWorkspace } from './plain-workspace.ts';
import type { Entries, Entry } from './records.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type PlainSignature, publicKeyOf, secrets } from './signatures.ts';
import type { StepContext } from './steps.ts';

/**
 * Somebody does something with a key: changes that of an address, takes over one that is kept, or comes back under
 * another key. Mostly with the right signature, now and then with a wrong one or none.
 */
export function sign(workspace: PlainWorkspace, context: StepContext): PlainWorkspace {
  const { random, entries } = context;
  const owned = [...entries].filter(([, { key }]) => key !== undefined);
  const released = owned.filter(([, entry]) => entry.released);
  const [text, entry] =
    random.of(released.length > 0 && random.isOnceIn(2) ? released : owned) ?? [];
  if (text === undefined || !entry) return workspace;
  return entry.released
    ? reclaim(workspace, context, text, entry)
    : rotate(workspace, entry.holder, context);
}

/** All Services of a holder, or one of them alone, name another key. */
function rotate(
  workspace: PlainWorkspace,
  holder: string,
  { random, entries }: StepContext,
): PlainWorkspace {
  const own = servicesOf(workspace, holder);
  const chosen = random.isOnceIn(3) ? own.slice(0, 1) : own;
  const secret = random.one('own', 'next', undefined);
  const held = entriesOf(entries, holder);
  const signatures = held.flatMap(([text, entry]) =>
    signatureFor({ action: 'rotate', address: text, holder, newKey: secret }, entry, random),
  );
  return chosen.reduce((next, { secret: _old, ...words }) => {
    return put(next, { ...words, ...(secret === undefined ? {} : { secret }), signatures });
  }, workspace);
}

/** A new Service, or the one that had it, pins an address that is kept. */
function reclaim(
  workspace: PlainWorkspace,
  { random, ended, step }: StepContext,
  text: string,
  entry: Entry,
): PlainWorkspace {
  const former = random.isOnceIn(2)
    ? ended.findLast((words) => claimsOf(words).some(({ holder }) => holder === entry.holder))
    : undefined;
  const cluster = entry.holder.split('/')[0] ?? '';
  const base = former && former.kind !== 'Lease' ? former : newcomer(cluster, `s${step}`, random);
  const { secret: _secret, key: _key, ...words } = base;
  const secret = random.one('own', 'next', undefined);
  const terms = { family: familyOf(text), pins: [text], retain: retention(random) };
  const named = { ...words, terms, ...(secret === undefined ? {} : { secret }) };
  const holder = claimsOf(named)[0]?.holder ?? '';
  const signatures = signatureFor(
    { action: 'reclaim', address: text, holder, newKey: secret },
    entry,
    random,
  );
  return put(workspace, { ...named, signatures });
}

function newcomer(cluster: string, name: string, random: SeededRandom): PlainService {
  return {
    kind: random.one('Service', 'Reservation'),
    cluster,
    namespace: random.one('shop', 'game'),
    name,
    ports: ports(random),
    terms: { family: 'ipv4', pins: [], retain: 0 },
  };
}

/** Mostly the right signature; now and then one of another key, generation, holder or life, or none at all. */
function signatureFor(
  said: Pick<PlainSignature, 'action' | 'address' | 'holder' | 'newKey'>,
  { key, generation, since }: Entry,
  random: SeededRandom,
): readonly PlainSignature[] {
  const names = Object.keys(secrets);
  const by = names.find((name) => publicKeyOf(name) === key) ?? 'own';
  const right = { ...said, generation, since, by };
  switch (random.below(12)) {
    case 0:
      return [{ ...right, by: by === 'own' ? 'next' : 'own' }];
    case 1:
      return [{ ...right, generation: generation + random.one(-1, 1) }];
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

function servicesOf({ declared }: PlainWorkspace, holder: string): readonly PlainService[] {
  return [...declared.values()].filter(
    (words): words is PlainService =>
      words.kind !== 'Lease' && claimsOf(words).some((claim) => claim.holder === holder),
  );
}

function entriesOf(entries: Entries, holder: string): readonly (readonly [string, Entry])[] {
  return [...entries].filter(([, entry]) => entry.holder === holder && !entry.released);
}
