import { describe, expect, it } from 'vitest';
import type { Dialer, DialResult } from '../../../../../src/features/cluster/dialer.ts';
import { reached } from '../../../../../src/features/cluster/live/reach.ts';
import { verifiedClaim as claim } from '../../../../support/live/verification.ts';

const object = 'Service web/app';

/** A dialer with these results, `answers` for all other ends; it notes what it dials. */
function dialer(results: Readonly<Record<string, DialResult>> = {}) {
  const dialed: string[] = [];
  let open = 0;
  const most = { open: 0 };
  const dial: Dialer['dial'] = async (address, port) => {
    dialed.push(`${address} ${port}`);
    open += 1;
    most.open = Math.max(most.open, open);
    await Promise.resolve();
    open -= 1;
    return results[address] ?? 'answers';
  };
  return { dial, dialed, most };
}

describe('reached', () => {
  it('leaves claims as they are when each address answers', async () => {
    const { dial, dialed } = dialer();
    expect(await reached([claim()], { dial })).toEqual({ claims: [claim()], notes: [] });
    expect(dialed).toEqual(['203.0.113.7 80', '2001:db8::7 80']);
  });

  it('reports each address that refuses or does not answer', async () => {
    const { dial } = dialer({ '203.0.113.7': 'refuses', '2001:db8::7': 'silent' });
    const { claims } = await reached([claim()], { dial });
    expect(claims).toMatchObject([
      {
        state: 'not reachable',
        details: [
          {
            object,
            message: 'refuses a TCP connection to 203.0.113.7 port 80',
            hint: expect.stringContaining('listen on the target port'),
          },
          {
            object,
            message: 'does not answer a TCP connection to 2001:db8::7 port 80',
            hint: expect.stringContaining('in the network of the nodes'),
          },
        ],
      },
    ]);
  });

  it('tries only claims that are ok, and no UDP port', async () => {
    const { dial, dialed } = dialer({ '203.0.113.7': 'silent' });
    const others = [
      claim({ state: 'pending' }),
      claim({ state: 'no endpoints' }),
      claim({ protocol: 'UDP' }),
    ];
    expect(await reached(others, { dial })).toEqual({
      claims: others,
      notes: ['1 UDP port not tried: an open UDP port need not answer'],
    });
    expect(dialed).toEqual([]);
  });

  it('takes an address without a route from here for no fault of the cluster', async () => {
    const { dial } = dialer({ '2001:db8::7': 'no route' });
    expect(await reached([claim()], { dial })).toEqual({
      claims: [claim()],
      notes: ['1 TCP port not tried: this machine has no route to the address'],
    });
  });

  it('tries an end once that two claims have, and at most 32 at a time', async () => {
    const { dial, dialed, most } = dialer();
    const many = Array.from({ length: 200 }, (_, index) =>
      claim({ addresses: [`203.0.113.${index % 100}`] }),
    );
    await reached(many, { dial });
    expect(dialed).toHaveLength(100);
    expect(most.open).toBe(32);
  });
});
