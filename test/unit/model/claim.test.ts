import { expect, test } from 'vitest';
import { type Claim, compareClaims } from '../../../src/model/claim.ts';
import { aClaim } from '../../support/builders.ts';

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
