import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { annotationKeysRead } from '../../src/core/declarations/service/service-metadata.ts';
import { evidenceIn } from '../support/docs/evidence.ts';

/*
 * The evidence of docs/vitistack.md has every rule of vitistack's operator and API. A rule that is left out, and an
 * annotation that the page does not know, are found here; rows of the page without evidence, in held-by.test.ts.
 */
const repository = resolve(import.meta.dirname, '../..');
const evidence = evidenceIn(
  readFileSync(join(repository, 'test/golden/held-by/vitistack.yaml'), 'utf8'),
);

/** The texts in backticks of the rules below a heading. */
function codesBelow(heading: string): string[] {
  return rulesBelow(heading).flatMap((rule) =>
    [...rule.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  );
}

function rulesBelow(heading: string): readonly string[] {
  return evidence.filter((one) => one.heading === heading).map(({ rule }) => rule);
}

describe('the evidence of vitistack’s rules', () => {
  test('names every annotation that a Service is read by, and no other', () => {
    // vitistack has MetalLB.
    const keys = annotationKeysRead.filter((key) => !key.includes('cilium'));
    expect(codesBelow('Annotations').sort()).toEqual(keys.sort());
  });

  test('has each of the faults W1 to W14', () => {
    const numbers = rulesBelow('Faults').map((rule) => /^W\d+/.exec(rule)?.[0]);
    expect(numbers).toEqual(Array.from({ length: 14 }, (_, index) => `W${index + 1}`));
  });

  test('is as long as the reference', () => {
    expect(rulesBelow('Refusals').length).toBeGreaterThanOrEqual(19);
    expect(rulesBelow('Changes').length).toBeGreaterThanOrEqual(10);
    expect(rulesBelow('Addresses, retention, sharing, secrets').length).toBeGreaterThanOrEqual(25);
  });
});
