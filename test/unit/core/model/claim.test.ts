import { expect, test } from 'vitest';
import {
  type Claim,
  compareClaims,
  serviceSharingKey,
  sharingKey,
} from '../../../../src/core/model/claim.ts';
import { aClaim } from '../../../support/declarations/pools-and-claims.ts';

/** Of cluster, dseq, service, port, protocol and endpoint. */
function claim(words: string): Claim {
  const [cluster = '', dseq = '', service = '', port, protocol, endpoint = ''] = words.split(' ');
  return aClaim({
    cluster,
    lease: { dseq },
    service,
    externalPort: Number(port),
    protocol: protocol === 'UDP' ? 'UDP' : 'TCP',
    endpoint,
  });
}

test('claims are in the order of cluster, lease, service, port, protocol and endpoint', () => {
  const inOrder = [
    'a 2 web 443 UDP z',
    'b 1 web 443 UDP z',
    'b 2 api 443 UDP z',
    'b 2 web 80 UDP z',
    'b 2 web 443 TCP z',
    'b 2 web 443 UDP y',
    'b 2 web 443 UDP z',
  ].map(claim);
  expect([...inOrder].reverse().sort(compareClaims)).toEqual(inOrder);
});

const owner = 'akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h';

test.each(['myip', 'a', '0', '-', 'web-1', '1-2-3', 'x'.repeat(80)])(
  'an endpoint name of lower-case letters, digits and dashes stays as it is: %s',
  (name) => {
    expect(sharingKey(owner, name)).toBe(`${owner}-ip-${name}`);
  },
);

// The first is asserted in the Akash provider's own ip_sharing_key_test.go.
test.each([
  ['meYOU', 'ps9pn7rkocct7m9ivtovuktb'],
  ['me_you', 'dkp6evv330kmn93vqlo61ska'],
  ['your_endpoint_name', 'djuhjpgbpbjfsdegcier96ud'],
  ['uniq_name_endpoint', 'cs8bgjuupk6eicbl4i6in4uf'],
  ['cjdns_endpoint_name', '5it097s4j54i209imhkr976b'],
  ['metal_endpoint', 'qfcpofcuqkfvkloood0lnab6'],
  ['a.b', '5ppjdn4ena3uuhpdulkc6l42'],
])('any other endpoint name is hashed as the provider does: %s', (name, hash) => {
  expect(sharingKey(owner, name)).toBe(`${owner}-ip-${hash}`);
});

test('a name is hashed whole, also when only its last character is unusual', () => {
  expect(sharingKey(owner, 'abc\n')).toMatch(/-ip-[0-9a-v]{24}$/);
});

test('the sharing key of declared Services is that of their namespace', () => {
  expect(serviceSharingKey('shop')).toBe('leasehold-shop');
});
