import { describe, expect, it } from 'vitest';
import {
  domainProofPath,
  readDomainProof,
} from '../../../../src/core/records/domain-proof-file.ts';

const written = `apiVersion: leasehold.dev/v1
kind: DomainProof
domain: 'example.com'
holder: default/namespace/shop
checked: 2026-01-03
`;
const path = 'leases/proofs/default/namespace/shop/example.com.yaml';

/** The codes, places and messages of the problems of a text. */
function problemsOf(text: string, file = path): readonly string[] {
  const read = readDomainProof(file, Buffer.from(text));
  if (read.ok) return [];
  return read.problems.map(({ code, message, at }) => `${at.line} ${code} ${message}`);
}

describe('the file of a proof', () => {
  it('has its holder as folders, and portable names', () => {
    expect(domainProofPath({ holder: 'default/namespace/con', domain: 'nul.example.com' })).toBe(
      'leases/proofs/default/namespace/con_/nul_.example.com.yaml',
    );
  });

  it('belongs to one domain and holder', () => {
    expect(problemsOf(written)).toEqual([]);
    expect(problemsOf(written, path.replace('shop', 'blog'))).toEqual([
      `3 FIELD_VALUE the file does not belong to example.com of default/namespace/shop, expected ${path}`,
    ]);
  });

  it.each([
    [written.replace('example.com', 'com'), '3 FIELD_VALUE'],
    [written.replace('example.com', '*.example.com'), '3 DNS_INVALID'],
    [written.replace('namespace/shop', 'service/shop/web'), '4 FIELD_VALUE'],
    [written.replace('2026-01-03', '2026-02-30'), '5 FIELD_VALUE'],
    [written.replace('DomainProof', 'Key'), '2 KIND_UNKNOWN'],
    [`${written}by: me\n`, '6 FIELD_UNKNOWN'],
  ])('is refused: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(`^${problem} `)]);
  });
});
