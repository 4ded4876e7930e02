import { expect, test } from 'vitest';
import { dnsOfService } from '../../../../../src/core/declarations/service/service-annotations.ts';

const at = { file: 'leases/web.yaml', line: 5, column: 3 };

function named(count: number) {
  const names = Array.from({ length: count }, (_, index) => `n${index}.example.com`);
  return dnsOfService({ values: { 'leasehold.dev/dns': names.join(',') }, at: () => at });
}

test('an annotation has at most 100 DNS names', () => {
  expect(named(100)).toMatchObject({ ok: true });
  expect(named(101)).toMatchObject({
    ok: false,
    problems: [
      {
        code: 'FIELD_VALUE',
        message: 'the annotation leasehold.dev/dns has 101 names, expected at most 100',
        at,
      },
    ],
  });
});
