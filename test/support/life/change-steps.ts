import {
  asking,
  endpointOf,
  owning,
  ports,
  put,
  retention,
  termsFor,
  withTerms,
} from './declare-steps.ts';
import { claimsOf } from './holder-requests.ts';
import {
  addressesOf,
  anycast,
  families,
  familyOf,
  type PlainDeclaration,
  type PlainLease,
  type PlainService,
  type PlainWorkspace,
} from './plain-workspace.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { StepContext } from './steps.ts';

/** One field or another of a declaration, as its author might change it. */
export function change(workspace: PlainWorkspace, context: StepContext): PlainWorkspace {
  const { random } = context;
  const words = random.of([...workspace.declared.values()]);
  if (!words) return workspace;
  const chance = random.below(12);
  if (chance < 3) return put(workspace, withTerms(words, { retain: retention(random) }));
  if (chance < 4)
    return put(workspace, withTerms(words, { family: random.one('ipv4', 'dual'), pins: [] }));
  if (chance < 5)
    return put(
      workspace,
      asking(words, () => termsFor(workspace, random)),
    );
  if (chance < 6) return put(workspace, pinned(workspace, words, context));
  if (chance < 7) return put(workspace, withTerms(words, { pins: [] }));
  return words.kind === 'Lease'
    ? changeLease(workspace, words, random)
    : put(workspace, changedService(words, random));
}

/** Pinned to what it has, or now and then to something else. */
function pinned(
  workspace: PlainWorkspace,
  words: PlainDeclaration,
  { random, entries }: StepContext,
): PlainDeclaration {
  const [claim] = claimsOf(words);
  const own = [...entries]
    .filter(([, { holder }]) => holder === claim?.holder)
    .map(([text]) => text);
  const all = workspace.pools.flatMap((pool) =>
    families.flatMap((family) => addressesOf(pool, family)),
  );
  const pin = random.of(random.isOnceIn(4) ? all : own);
  if (pin === undefined || !claim) return words;
  const fits = claim.terms.family === 'dual' || claim.terms.family === familyOf(pin);
  const { zone: _zone, pool: _pool, ...terms } = claim.terms;
  if (words.kind === 'Lease') {
    const [first, ...rest] = words.endpoints;
    if (!first) return words;
    return {
      ...words,
      endpoints: [
        { ...first, terms: { ...terms, family: fits ? terms.family : familyOf(pin), pins: [pin] } },
        ...rest,
      ],
    };
  }
  return {
    ...words,
    terms: { ...terms, family: fits ? terms.family : familyOf(pin), pins: [pin] },
  };
}

function changeLease(
  workspace: PlainWorkspace,
  words: PlainLease,
  random: SeededRandom,
): PlainWorkspace {
  const [first, ...rest] = words.endpoints;
  if (!first) return workspace;
  switch (random.below(5)) {
    case 0:
      return put(workspace, {
        ...words,
        endpoints: [...words.endpoints, endpointOf(first.name, random, first.terms)],
      });
    case 1:
      return rest.length > 0 ? put(workspace, { ...words, endpoints: rest }) : workspace;
    case 2:
      return put(workspace, { ...words, endpoints: [{ ...first, target: 8081 }, ...rest] });
    case 3: {
      const name = random.one('front', 'back', 'mail');
      return put(workspace, {
        ...words,
        endpoints: words.endpoints.map((one) => ({ ...one, name })),
      });
    }
    default:
      return moved(workspace, words, random);
  }
}

/** The first endpoint of a lease goes to another lease of its owner. */
function moved(workspace: PlainWorkspace, words: PlainLease, random: SeededRandom): PlainWorkspace {
  const [first, ...rest] = words.endpoints;
  const others = [...workspace.declared.values()].filter(
    (other): other is PlainLease =>
      other.kind === 'Lease' &&
      other !== words &&
      other.owner === words.owner &&
      other.cluster === words.cluster,
  );
  const other = random.of(others);
  if (!first || rest.length === 0 || !other) return workspace;
  const left = put(workspace, { ...words, endpoints: rest });
  return put(left, { ...other, endpoints: [...other.endpoints, first] });
}

function changedService(words: PlainService, random: SeededRandom): PlainDeclaration {
  const { key, ...alone } = words;
  switch (random.below(5)) {
    case 0:
      return { ...words, ports: ports(random) };
    case 3:
      if (words.secret !== undefined || words.namespace === anycast.namespace) return words;
      return { ...words, ...owning(random, key) };
    case 1:
      return words.ports.length > 1 ? { ...words, ports: words.ports.slice(1) } : words;
    case 2:
      // Its group says already what it shares its address with.
      if (words.namespace === anycast.namespace) return words;
      if (key !== undefined) return alone;
      return { ...words, key: words.secret === 'own' ? 'red' : 'blue' };
    default:
      return { ...words, kind: words.kind === 'Service' ? 'Reservation' : 'Service' };
  }
}
