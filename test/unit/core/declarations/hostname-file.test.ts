import { describe, expect, it, test } from 'vitest';
import { hostnamesOfLease } from '../../../../src/core/declarations/hostname-file.ts';
import { readLeaseFile } from '../../../../src/core/declarations/lease/lease-file.ts';
import { defaultHttp } from '../../../../src/core/model/lease.ts';
import { alice, thePools } from '../../../support/declarations/pools-and-claims.ts';

const routed = thePools({
  cluster: {
    routes: { kind: 'Ingress', className: 'nginx', controller: undefined, service: undefined },
  },
});

/** A lease whose spec has these fields beside its id. */
function read(fields: string, pools = routed) {
  const id = `{ owner: ${alice}, dseq: '7', gseq: 1, oseq: 1 }`;
  const text = `apiVersion: leasehold.dev/v1\nkind: Lease\nspec: { id: ${id}, ${fields} }\n`;
  return readLeaseFile('leases/a.yaml', Buffer.from(text), pools);
}

function problemsOf(fields: string, pools = routed): readonly string[] {
  const outcome = read(fields, pools);
  return outcome.ok ? [] : outcome.problems.map(({ code, message }) => `${code} ${message}`);
}

const host = (fields: string): string => `hosts: [{ service: web, ${fields} }]`;

describe('hosts of a Lease', () => {
  test('need no endpoint, and have the options that Akash gives them', () => {
    const outcome = read(host('accept: [a.example.com, b.example.com]'));
    if (!outcome.ok || 'sdl' in outcome.value) throw new Error('not read');
    expect(outcome.value.endpoints).toEqual([]);
    expect(hostnamesOfLease(outcome.value)).toMatchObject(
      ['a.example.com', 'b.example.com'].map((hostname) => ({
        hostname,
        service: 'web',
        port: 80,
        holder: `default/akash/${alice}`,
        lease: { dseq: '7' },
        http: defaultHttp,
      })),
    );
  });

  it.each([
    ["accept: ['*.example.com']", "'*.example.com' is not a hostname of a lease: Akash has no"],
    [`accept: [${'a.'.repeat(100)}example]`, 'it has more than 200 characters'],
    ['accept: [example]', 'fewer than two labels'],
    ['accept: [A.example.com]', 'not in canonical form'],
  ])('%s is refused', (fields, message) => {
    const [problem, ...others] = problemsOf(host(fields));
    expect(problem).toMatch(/^DNS_INVALID /);
    expect(problem).toContain(message);
    expect(others).toEqual([]);
  });

  test('have no field for options', () => {
    const [problem] = problemsOf(host('accept: [a.example.com], http: { maxBodySize: 1 }'));
    expect(problem).toMatch(/^FIELD_UNKNOWN /);
  });

  test('need routes of the cluster', () => {
    const [problem] = problemsOf(host('accept: [a.example.com]'), thePools());
    expect(problem).toMatch(/^ROUTES_MISSING /);
  });

  test('are not declared beside an SDL, which has its own', () => {
    const fields = `${host('accept: [a.example.com]')}, sdl: a.sdl.yaml`;
    expect(problemsOf(fields)).toEqual([
      "FIELD_VALUE 'spec' has both hosts and sdl, expected only one of them",
    ]);
  });
});
