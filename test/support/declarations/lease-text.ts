import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';

/** An endpoint of a declaration as it is written: `name`, `service`, `port` and what else it says. */
export type EndpointText = Readonly<Record<string, string | number>>;

/** The account that a name stands for: the same name gives the same bech32 address. */
export function accountOf(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return bech32.encode('akash', bech32.toWords(digest.subarray(0, 20)));
}

/** A lease declaration as a person writes it, one endpoint a line. */
export function leaseText(
  owner: string,
  dseq: number | string,
  endpoints: readonly EndpointText[],
): string {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${accountOf(owner)}
    dseq: '${dseq}'
    gseq: 1
    oseq: 1
  endpoints:
${endpoints.map((endpoint) => `    - ${flowText(endpoint)}\n`).join('')}`;
}

function flowText(endpoint: EndpointText): string {
  const fields = Object.entries(endpoint).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `{ ${fields.join(', ')} }`;
}
