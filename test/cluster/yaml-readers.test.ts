import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { yamlText } from '../../src/core/manifests/yaml-text.ts';
import { programFolder } from '../support/cluster/programs/programs.ts';
import { nastyTexts, nearlyNumber } from '../support/declarations/hostile-scalars.ts';
import { repeats } from '../support/run/scope.ts';

/** What each reader makes of each document: its value, or the text of its error. */
function readings(texts: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  const program = join(programFolder('yaml-readers'), 'yaml-readers');
  const options = { input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 2 ** 30 } as const;
  return JSON.parse(execFileSync(program, options));
}

/** What no declaration may hold (FILE_ENCODING), and kustomize reads otherwise however it is written. */
const isForbidden = /(?![\t\n\r])\p{Cc}|\p{Cs}|\p{Noncharacter_Code_Point}|[\u2028\u2029\ufeff]/u;

const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...' \n\ta:#-"\'|>[{&*!%é'), maxLength: 12 }),
    fc.stringMatching(/^[0-9][0-9a-z]{0,12}$/),
  )
  .filter((text) => !isForbidden.test(text));

/** kustomize merges what stands under this key, even in quotes; it is no key of a label or an annotation. */
const mergeKey = '<<';

/** Every text where a Service has some: keys and values of maps, items of lists, one and two levels in. */
function documentOf(text: string) {
  return {
    apiVersion: 'v1',
    kind: text,
    metadata: { annotations: { [text === mergeKey ? 'key' : text]: text, a: 'b' }, name: text },
    spec: { list: [text, { a: text, b: [text] }, 'c'], z: text },
  };
}

describe.skipIf(inject('clusterIsMissing'))(
  'What kubectl, kustomize and Go read of a manifest',
  () => {
    test.each([
      ['texts that are hard to write', nastyTexts.filter((text) => !isForbidden.test(text))],
      [
        'what numbers and dates are made of',
        fc.sample(nearlyNumber, { seed: 1, numRuns: repeats(4_000, 20_000) }),
      ],
      ['any texts', fc.sample(anyText, { seed: 2, numRuns: repeats(2_000, 10_000) })],
    ])('is what was written: %s', (_, texts) => {
      const documents = [...new Set(texts)].map(documentOf);
      const answers = readings(documents.map((document) => yamlText([document])));
      const wrong = documents.flatMap((document, index) => {
        const expected = JSON.stringify(sorted(document));
        const readers = Object.entries(answers[index] ?? {});
        return readers.flatMap(([reader, value]) =>
          JSON.stringify(sorted(value)) === expected
            ? []
            : [{ reader, value, text: document.kind }],
        );
      });
      expect(answers).toHaveLength(documents.length);
      expect(wrong.slice(0, 20)).toEqual([]);
    });

    test('is something else where a text stands without the quotes that it needs', () => {
      const [answer] = readings(['a: 0o7\n']);
      expect(answer).toEqual({ go: { a: 7 }, kubectl: { a: 7 }, kustomize: { a: 7 } });
    });
  },
);

/** With the keys of every map in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
