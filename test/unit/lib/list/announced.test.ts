import { describe, expect, test } from 'vitest';
import { readPools } from '../../../../src/core/declarations/pools/pools-file.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import type { Pool } from '../../../../src/core/model/pools.ts';
import { announcedAs } from '../../../../src/lib/list/announced.ts';
import { announcedTexts, announcedWords } from '../../../../src/lib/list/announced-text.ts';
import { poolsText } from '../../../support/declarations/pools-text.ts';

const text = poolsText(`defaultZone: lan
advertisements:
  - name: near
    bgp: { peers: [tor-c], localPref: 300 }
pools:
  - name: lan
    zone: lan
    addresses: [198.51.100.0/28]
    advertise: { l2: { interfaces: [eth0, eth1] } }
  - name: wan
    zone: wan
    addresses: [203.0.113.0/28]
    advertise:
      - { l2: {} }
      - name: transit
        bgp:
          peers: [tor-a, tor-b]
          communities: ['64500:100']
          localPref: 200
          nodeSelectors:
            - matchLabels: { rack: a }
              matchExpressions:
                - { key: zone, operator: NotIn, values: [x, y] }
                - { key: edge, operator: Exists }
            - matchExpressions: [{ key: spare, operator: DoesNotExist }]
`);
const read = readPools('leases/pools.yaml', Buffer.from(text));
if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join());
const pools = read.value;
const poolOf = (name: string): Pool | undefined => pools.pools.find((one) => one.name === name);
const claim = (advertisement: string | undefined) => ({ advertisement }) as Claim;

describe('how addresses are announced', () => {
  test('is that of their pool, with what it limits', () => {
    expect(announcedTexts(announcedAs(poolOf('lan'), pools).announced)).toEqual([
      'L2 on eth0,eth1',
    ]);
    expect(announcedTexts(announcedAs(poolOf('wan'), pools).announced)).toEqual([
      'L2',
      'BGP to tor-a,tor-b 64500:100 localPref 200 from rack=a,zone notin (x,y),edge or !spare',
    ]);
  });

  test('is changed by the advertisement that a claim names', () => {
    const { announced } = announcedAs(poolOf('wan'), pools, [claim(undefined), claim('near')]);
    expect(announced?.map(({ name, peers, localPref }) => [name, peers, localPref])).toEqual([
      ['wan', undefined, undefined],
      ['transit', ['tor-c'], 300],
    ]);
  });

  test('is not known without a declared pool', () => {
    expect(announcedAs(undefined, pools)).toEqual({});
    expect(announcedTexts()).toEqual([]);
  });

  test('is found by kind, advertisement, interface, peer and community', () => {
    expect(announcedWords(announcedAs(poolOf('lan'), pools).announced)).toEqual([
      ...['l2', 'lan', 'eth0', 'eth1'],
    ]);
    expect(announcedWords(announcedAs(poolOf('wan'), pools).announced)).toEqual([
      ...['l2', 'wan', 'bgp', 'transit', 'tor-a', 'tor-b', '64500:100'],
    ]);
  });
});
