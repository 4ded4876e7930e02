import { expect, test } from 'vitest';
import type {
  AddressChange,
  ChangedHostname,
  Plan,
} from '../../../../../src/core/run/plan/plan-answer.ts';
import { summaryOf } from '../../../../../src/core/run/plan/summary.ts';
import { holderId } from '../../../../support/allocations/tables.ts';
import { aChange, aManifest, aPlan, aSide } from '../../../../support/plans/plan-builders.ts';

const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(holderId);
const given = (holder = '', address = '10.0.0.1') => aChange({ address, after: aSide(holder) });
const lost = (holder = '') =>
  aChange({ change: 'released', before: aSide(holder), after: aSide(holder, '2026-11-28') });
const reclaimed = (holder = '') =>
  aChange({ address: '10.0.0.9', change: 'reclaimed', after: aSide(holder) });
const aMove = () => aManifest({ movedFrom: 'dist/default/4e/x.yaml', objects: [], diff: '' });
const moves = ['web 80/TCP goes', 'api 81/TCP goes'];

test.each<[readonly AddressChange[], readonly string[], string]>([
  [[given(ann)], [], `${ann} gets 10.0.0.1.`],
  [[given(ann), given(ann, '2001:db8::1')], [], `${ann} gets 10.0.0.1 and 2001:db8::1.`],
  [[given(ann), given(bob, '10.0.0.2')], [], `${ann} gets 10.0.0.1; ${bob} gets 10.0.0.2.`],
  [[given(ann), given(bob), given(cat)], [], '3 holders get an address; no other address changes.'],
  [[given(ann)], moves.slice(0, 1), 'web 80/TCP goes.'],
  [
    [given(ann), lost(bob)],
    moves,
    '2 services move to another address, 1 holder loses its address, 1 holder gets an address; no other address changes.',
  ],
  [[given(ann), lost(ann)], moves.slice(0, 1), 'web 80/TCP goes.'],
  [[given(ann), lost(ann)], moves, `${ann} moves from 203.0.113.7 to 10.0.0.1.`],
  [
    [given(ann), lost(ann), given(bob, '10.0.0.2')],
    moves.slice(0, 1),
    `${ann} moves from 203.0.113.7 to 10.0.0.1; ${bob} gets 10.0.0.2.`,
  ],
  [
    [ann, bob, cat].flatMap((holder) => [given(holder), lost(holder)]),
    moves,
    '3 holders move to another address; no other address changes.',
  ],
  [
    [ann, bob, cat].flatMap((holder) => [lost(holder), reclaimed(holder)]),
    moves,
    '3 holders move to another address; no other address changes.',
  ],
  [
    [lost(ann), reclaimed(ann), given(ann, '2001:db8::1')],
    moves,
    `${ann} moves from 203.0.113.7 to 10.0.0.9 and 2001:db8::1.`,
  ],
  [[reclaimed(ann), given(ann)], [], `${ann} reclaims 10.0.0.9; ${ann} gets 10.0.0.1.`],
])('a plan is summed up in a sentence: %#', (addresses, moved, sentence) => {
  expect(summaryOf(aPlan({ addresses }), moved)).toBe(sentence);
});

test.each<[Partial<ChangedHostname>, string]>([
  [{}, 'namespace shop gets the hostname shop.example.com.'],
  [{ change: 'reclaimed' }, 'namespace shop reclaims the hostname shop.example.com.'],
  [
    { change: 'updated', details: ['routed to web:80 → routed to api:80'] },
    'namespace shop keeps the hostname shop.example.com: routed to web:80 → routed to api:80.',
  ],
  [
    { change: 'released', before: aSide('default/namespace/shop') },
    'namespace shop loses the hostname shop.example.com.',
  ],
  [
    { change: 'released' },
    'the hostname shop.example.com given to namespace shop and released within this change.',
  ],
  [{ change: 'removed' }, 'record of the hostname shop.example.com removed (not held).'],
])('a plan of one hostname is summed up in a sentence: %#', (changes, sentence) => {
  const { address: _, pool: __, ...fields } = aChange({ after: aSide('default/namespace/shop') });
  const hostname = { ...fields, hostname: 'shop.example.com', ...changes };
  expect(summaryOf(aPlan({ hostnames: [hostname] }), [])).toBe(sentence);
});

/** A hostname of the namespace shop that keeps its route, and has these addresses in DNS before and after. */
function hostnameIn(hostname: string, was: readonly string[], is: readonly string[]) {
  const sideIn = (dns: readonly string[]) => ({
    ...aSide('default/namespace/shop'),
    ...(dns.length > 0 ? { dns } : {}),
  });
  const fields = { before: sideIn(was), after: sideIn(is), details: [] };
  return { hostname, change: 'updated', ...fields, at: aChange().at } as const;
}

const [here, there, six] = [['203.0.113.7'], ['203.0.113.9'], ['203.0.113.7', '2001:db8::7']];
const names = ['a', 'b', 'c', 'd'].map((label) => `${label}.example.com`);
const allMove = names.map((hostname) => hostnameIn(hostname, here, there));
const stays = hostnameIn('x.example.com', here, here);

test.each<[readonly ChangedHostname[], string]>([
  [
    allMove,
    '4 hostnames change their addresses in DNS: a.example.com, b.example.com, c.example.com and 1 more.',
  ],
  [
    [stays, hostnameIn('b.example.com', [], here)],
    '2 hostnames change, 1 of them changes its addresses in DNS: b.example.com.',
  ],
  [
    [hostnameIn('a.example.com', here, six), stays, hostnameIn('b.example.com', here, [])],
    '3 hostnames change, 2 of them change their addresses in DNS: a.example.com, b.example.com.',
  ],
  [[stays, stays], '2 hostnames change.'],
  [
    allMove.slice(0, 2).map((one) => ({ ...one, after: aSide('shop', '2026-12-01') })),
    '2 hostnames change.',
  ],
])('a plan of several hostnames says how many have other addresses: %#', (hostnames, sentence) => {
  expect(summaryOf(aPlan({ hostnames }), [])).toBe(sentence);
});

test.each<[Partial<Plan>, string]>([
  [{}, 'No address, pool or manifest changes.'],
  [{ manifests: [aManifest()] }, 'No address changes, but 1 manifest file does.'],
  [{ manifests: [aManifest(), aManifest()] }, 'No address changes, but 2 manifest files do.'],
  [
    { manifests: [aMove(), aMove()] },
    'No address or object changes; 2 manifest files move and keep their objects.',
  ],
  [
    { manifests: [aManifest(), aMove()] },
    'No address changes, but 1 manifest file does; 1 manifest file moves and keeps its objects.',
  ],
  [
    { cautions: [{ code: 'POOLS_CHANGED', message: '' }] },
    'No address changes, but the pool file does.',
  ],
  [
    { cautions: [{ code: 'POLICY_CHANGED', message: '' }] },
    'No address changes, but the policy does.',
  ],
])('a plan without an address is summed up by what else changes: %#', (plan, sentence) => {
  expect(summaryOf(aPlan(plan), [])).toBe(sentence);
});
