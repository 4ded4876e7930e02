import { describe, expect, it } from 'vitest';
import {
  newLeaseText,
  type WrittenClaim,
  withEndpoint,
  withoutEndpoints,
} from '../../../../src/declarations/lease/lease-edit.ts';
import { readLeaseFile } from '../../../../src/declarations/lease/lease-file.ts';
import { alice, thePools } from '../../../support/builders.ts';

const claim: WrittenClaim = { name: 'shop', service: 'web', port: 8000, externalPort: 80 };

const block = `# A shop.
apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:   { owner: ${alice}, dseq: "12345", gseq: 1, oseq: 1 }
  endpoints: # what it serves
    # the site
    - { name: shop, service: web, port: 8000, externalPort: 80 }  # since May

    # the mail
    -
      name: mail
      service: smtp
      port: 25 # plain
    # the end
`;

function endpointsOf(text: string): readonly string[] {
  const read = readLeaseFile('leases/a.yaml', new TextEncoder().encode(text), thePools());
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  if (!('endpoints' in read.value)) throw new Error('an SDL');
  return read.value.endpoints.map(({ name, service, externalPort, protocol }) =>
    [name, service, externalPort, protocol].join(' '),
  );
}

describe('a new declaration', () => {
  it('is one that reads back', () => {
    const id = { owner: alice, dseq: '18446744073709551615', gseq: 1, oseq: 2 };
    const text = newLeaseText(id, { ...claim, selector: { app: 'true' } });
    expect(text).toBe(`apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${alice}
    dseq: '18446744073709551615'
    gseq: 1
    oseq: 2
  endpoints:
    - { name: shop, service: web, port: 8000, externalPort: 80, selector: { app: 'true' } }
`);
    expect(endpointsOf(text)).toEqual(['shop web 80 TCP']);
  });

  it('quotes a name that YAML would take for something else', () => {
    const id = { owner: alice, dseq: '1', gseq: 1, oseq: 1, cluster: 'default' };
    const text = newLeaseText(id, {
      name: 'null',
      service: 'true',
      port: 1,
      address: '2001:db8::1',
    });
    expect(text).toContain("{ name: 'null', service: 'true', port: 1, address: 2001:db8::1 }");
    expect(text).toContain('\n  cluster: default\n');
  });
});

describe('an endpoint more', () => {
  it('comes after the others and leaves every other byte', () => {
    const text = withEndpoint(block, { name: 'dns', service: 'bind', port: 53, protocol: 'UDP' });
    expect(text).toBe(
      block.replace(
        '# plain\n',
        '# plain\n    - { name: dns, service: bind, port: 53, protocol: UDP }\n',
      ),
    );
    expect(endpointsOf(text)).toEqual(['shop web 80 TCP', 'mail smtp 25 TCP', 'dns bind 53 UDP']);
  });

  it('goes to the end of a text without a last line break', () => {
    const text = block.slice(0, block.indexOf(' # plain'));
    expect(endpointsOf(withEndpoint(text, { ...claim, externalPort: 81 }))).toHaveLength(3);
  });

  it('has the line ends of the file', () => {
    const text = withEndpoint(block.replaceAll('\n', '\r\n'), { ...claim, externalPort: 81 });
    expect(text.match(/(?<!\r)\n/)).toBeNull();
    expect(endpointsOf(text)).toHaveLength(3);
  });

  it('joins a list in brackets', () => {
    const text = `apiVersion: leasehold.dev/v1
kind: Lease
spec: { id: { owner: ${alice}, dseq: '1', gseq: 1, oseq: 1 }, endpoints: [{name: shop, service: web, port: 80}] } # all
`;
    const more = withEndpoint(text, { ...claim, externalPort: 81 });
    expect(endpointsOf(more)).toEqual(['shop web 80 TCP', 'shop web 81 TCP']);
    expect(more).toContain('[{name: shop, service: web, port: 80}, { name: shop,');
    expect(more.endsWith('] } # all\n')).toBe(true);
    expect(endpointsOf(withoutEndpoints(more, new Set([0])) ?? '')).toEqual(['shop web 81 TCP']);
  });
});

describe('an endpoint less', () => {
  it('takes its own lines and leaves every other byte', () => {
    const first = withoutEndpoints(block, new Set([0])) ?? '';
    expect(first).toBe(block.replace(/ {4}- \{ name: shop.*\n/, ''));
    expect(endpointsOf(first)).toEqual(['mail smtp 25 TCP']);
    const second = withoutEndpoints(block, new Set([1])) ?? '';
    expect(second).toBe(block.replace(/ {4}-\n(?: {6}.*\n){3}/, ''));
    expect(endpointsOf(second)).toEqual(['shop web 80 TCP']);
  });

  it('leaves nothing when it was the last one', () => {
    expect(withoutEndpoints(block, new Set([0, 1]))).toBeUndefined();
  });

  it('is the text as it was, when it was the last one added', () => {
    const more = withEndpoint(block, { ...claim, externalPort: 81 });
    expect(withoutEndpoints(more, new Set([2]))).toBe(block);
  });
});
