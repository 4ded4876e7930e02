import { describe, expect, test } from 'vitest';
import { liveFacts } from '../../../../../../src/core/manifests/live-facts.ts';
import { strandedServices } from '../../../../../../src/core/manifests/planes/metallb/sharing-changes.ts';
import type { AnycastGroup } from '../../../../../../src/core/model/pools.ts';
import { startOf } from '../../../../../../src/core/model/problem.ts';
import type { DeclaredService } from '../../../../../../src/core/model/service.ts';
import { thePools } from '../../../../../support/declarations/pools-and-claims.ts';
import {
  aService,
  aServicePlacement,
  type ServiceWords,
} from '../../../../../support/declarations/services.ts';
import { renderedTexts } from '../../../../../support/manifests/rendered.ts';

const [old, recent] = ['0.14.9', '0.15.0'].map((version) => ({
  kind: 'metallb' as const,
  version,
  namespace: 'metallb-system',
  layout: 'lease' as const,
}));
const here = '203.0.113.7';
const there = '203.0.113.9';

type Ports = readonly string[];

/** The Service `shop/<name>` with ports such as `80/TCP` and one sharing key. */
function serving(name: string, ports: Ports, words: ServiceWords = {}): DeclaredService {
  return aService({
    name,
    sharingKey: 'front',
    ports: ports.map((text) => {
      const [port = '', protocol = ''] = text.split('/');
      return { port: Number(port), targetPort: 8080, protocol: protocol as 'TCP' | 'UDP' };
    }),
    ...words,
  });
}

const local = (name: string, ports: Ports, app = 'shop'): DeclaredService =>
  serving(name, ports, {
    localBackend: `app=${app}`,
    isPinnedByAnnotation: false,
    spec: { externalTrafficPolicy: 'Local', selector: { app } },
  });

/** Services by the address that they stand on. */
type Side = Readonly<Record<string, readonly DeclaredService[]>>;

function factsOf(side: Side, anycast: readonly AnycastGroup[] = []) {
  const placements = Object.entries(side).map(([address, services]) =>
    aServicePlacement(services, address.split(','), anycast),
  );
  return new Map(
    [...renderedTexts(thePools(), placements)].map(([path, text]) => [path, liveFacts(text)]),
  );
}

type Facts = ReturnType<typeof factsOf>;

function problems(before: Side | Facts, after: Side | Facts, metallb = recent) {
  if (!metallb) throw new Error('no version');
  const facts = (side: Side | Facts): Facts => (side instanceof Map ? side : factsOf(side as Side));
  return strandedServices({ before: facts(before), after: facts(after) }, metallb);
}

const messages = (...words: Parameters<typeof problems>) =>
  problems(...words).map(({ message }) => message);

const hints = (...words: Parameters<typeof problems>) => problems(...words).map(({ hint }) => hint);

describe('a port that one Service gives up and another gets', () => {
  const before = { [here]: [serving('a', ['80/TCP', '443/TCP']), serving('b', ['81/TCP'])] };

  test.each([old, recent])(
    'strands the other, whether it was on the address or not: %o',
    (metallb) => {
      const after = { [here]: [serving('a', ['80/TCP']), serving('b', ['81/TCP', '443/TCP'])] };
      expect(messages(before, after, metallb)).toEqual([
        `Service shop/b would wait for ${here}, since the live Service shop/a gives up 443/TCP there in the same change`,
      ]);
      const comes = { ...after, [here]: [...(after[here] ?? []), serving('c', ['82/TCP'])] };
      expect(messages({ [here]: [serving('a', ['80/TCP', '82/TCP'])] }, comes, metallb)).toEqual([
        `Service shop/c would wait for ${here}, since the live Service shop/a gives up 82/TCP there in the same change`,
      ]);
    },
  );

  test('strands no Service when the first one is removed, or the protocol differs', () => {
    expect(messages(before, { [here]: [serving('b', ['81/TCP', '443/TCP'])] })).toEqual([]);
    const after = { [here]: [serving('a', ['80/TCP']), serving('b', ['81/TCP', '443/UDP'])] };
    expect(messages(before, after)).toEqual([]);
  });

  test('strands no Service on another address', () => {
    const apart = {
      [here]: [serving('a', ['80/TCP'])],
      [there]: [serving('b', ['443/TCP'], { sharingKey: undefined })],
    };
    expect(messages({ [here]: [serving('a', ['80/TCP', '443/TCP'])] }, apart)).toEqual([]);
  });
});

describe('an address that a Service leaves for another one', () => {
  const both = { [here]: [serving('a', ['80/TCP', '443/TCP']), serving('b', ['81/TCP'])] };
  const alone = serving('a', ['80/TCP', '443/TCP'], { sharingKey: undefined });

  test('does not affect Services that stay or join there', () => {
    const after = {
      [there]: [alone],
      [here]: [serving('b', ['81/TCP']), serving('c', ['82/TCP'])],
    };
    expect(messages(both, after, old)).toEqual([]);
  });

  test('is not available in the same change to a Service that needs its port, in any version', () => {
    const after = { [there]: [alone], [here]: [serving('b', ['81/TCP', '443/TCP'])] };
    const text = `Service shop/b would wait for ${here}, since the live Service shop/a gives up 443/TCP there in the same change`;
    expect([messages(both, after, old), messages(both, after)]).toEqual([[text], [text]]);
    expect(hints(both, after)).toEqual([
      'let shop/a leave in one commit, and give 443/TCP to shop/b in the next, once the first is applied',
    ]);
  });

  test('is not available in the same change to another namespace or other pods, in any version', () => {
    const elsewhere = {
      [there]: [alone],
      [here]: [serving('b', ['81/TCP'], { namespace: 'mail' })],
    };
    const selecting = { [there]: [alone], [here]: [local('b', ['81/TCP'])] };
    for (const [after, name, what] of [
      [elsewhere, 'mail/b', 'let mail/b come'],
      [selecting, 'shop/b', 'change shop/b'],
    ] as const) {
      for (const metallb of [old, recent]) {
        const text = `Service ${name} would wait for ${here}, since the live Service shop/a leaves it in the same change`;
        expect(messages(both, after, metallb)).toEqual([text]);
        expect(hints(both, after, metallb)).toEqual([
          `let shop/a leave in one commit, and ${what} in the next, once the first is applied`,
        ]);
      }
    }
  });
});

describe('the first Service to share with a live one', () => {
  const alone = { [here]: [serving('a', ['80/TCP'], { sharingKey: undefined })] };
  const shared = { [here]: [serving('a', ['80/TCP']), serving('b', ['81/TCP'])] };

  test('comes in the same change: the live one has its sharing key already', () => {
    expect(messages(alone, shared, old)).toEqual([]);
  });

  const groupOf = (...namespaces: readonly string[]): AnycastGroup => ({
    name: 'dns',
    members: namespaces.map((namespace) => ({
      cluster: 'default',
      namespace,
      service: namespace === 'shop' ? 'a' : 'b',
    })),
    at: startOf('leases/pools.yaml'),
  });
  const members = {
    [here]: [
      serving('a', ['80/TCP'], { sharingKey: undefined }),
      serving('b', ['81/TCP'], { sharingKey: undefined, namespace: 'mail' }),
    ],
  };

  test('joins a group in the same change if the live one is its first member', () => {
    expect(messages(alone, factsOf(members, [groupOf('shop', 'mail')]), old)).toEqual([]);
  });

  test('joins a group in the next change if the live one gets the key of another namespace, before 0.15', () => {
    const after = factsOf(members, [groupOf('mail', 'shop')]);
    expect(messages(alone, after, old)).toEqual([
      `Service mail/b would wait for ${here}, since the live Service shop/a gets another sharing key in the same change`,
    ]);
    expect(hints(alone, after, old)).toEqual([
      'change shop/a in one commit, and let mail/b come in the next, once the first is applied',
    ]);
    expect(messages(alone, after)).toEqual([]);
  });
});

describe('a backend that changes', () => {
  const alone = { [here]: [serving('a', ['80/TCP'])] };
  const shared = { [here]: [serving('a', ['80/TCP']), serving('b', ['81/TCP'])] };
  const selecting = { [here]: [local('a', ['80/TCP']), local('b', ['81/TCP'])] };
  const others = { [here]: [local('a', ['80/TCP'], 'x'), local('b', ['81/TCP'], 'x')] };
  const text = (comer: string, other: string) =>
    `Service shop/${comer} would wait for ${here}, since the live Service shop/${other} gets another traffic policy or other pods in the same change`;

  test('strands one of two Services that change together, before 0.15', () => {
    expect(messages(shared, selecting, old)).toEqual([text('a', 'b')]);
    expect(messages(selecting, others, old)).toEqual([text('a', 'b')]);
    expect(messages(selecting, others)).toEqual([]);
    expect(hints(shared, selecting, old)).toEqual([
      'remove shop/a in one commit, and declare it again in the next, once the first is applied',
    ]);
  });

  test('strands a Service that joins at the same time, before 0.15', () => {
    expect(messages(alone, selecting, old)).toEqual([text('b', 'a')]);
    expect(hints(alone, selecting, old)).toEqual([
      'change shop/a in one commit, and let shop/b come in the next, once the first is applied',
    ]);
    expect(messages(alone, selecting)).toEqual([]);
  });

  test('does not strand a Service that is alone, or one that stays', () => {
    expect(messages(alone, { [here]: [local('a', ['80/TCP'])] }, old)).toEqual([]);
    expect(messages(selecting, selecting, old)).toEqual([]);
  });
});
