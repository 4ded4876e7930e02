import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { annotationKeysRead } from '../../../../../src/core/declarations/service/service-metadata.ts';
import {
  allProblemCodes,
  problemCodes,
} from '../../../../../src/core/model/codes/problem-codes.ts';
import {
  cautionsPage,
  codesText,
  explainedCodes,
  explainText,
  problemsPage,
} from '../../../../../src/core/run/explain/explain-text.ts';
import { cautionCodes } from '../../../../../src/core/run/plan/caution-codes.ts';
import { findingCodes } from '../../../../../src/features/cluster/doctor/finding-codes.ts';
import { inventoryFindings } from '../../../../../src/features/inventory/codes.ts';
import { features } from '../../../../../src/features.ts';

describe('docs/problems.md', () => {
  it('is up to date (else run npm run docs)', () => {
    expect(readFileSync('docs/problems.md', 'utf8')).toBe(problemsPage());
  });

  it('has a section for every code, in the order of their declaration', () => {
    const sections = [...problemsPage().matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(sections).toEqual(Object.keys(allProblemCodes()));
  });
});

describe('the caution codes', () => {
  it('are listed in docs/plan.md in order (else run npm run docs)', () => {
    const page = readFileSync('docs/plan.md', 'utf8');
    const written = page.slice(page.indexOf('### '));
    expect([...written.matchAll(/^### (.+)$/gm)].map(([, code]) => code)).toEqual(
      Object.keys(cautionCodes),
    );
    expect(written).toBe(cautionsPage());
  });
});

describe('explainText', () => {
  it.each(Object.entries({ ...allProblemCodes(), ...cautionCodes }))(
    '%s is two whole sentences or more',
    (_, { title, fix }) => {
      expect(title).toMatch(/^[A-Z`].*\.$/);
      expect(fix).toMatch(/^[A-Z`].*\.$/);
    },
  );

  it('names every annotation of a Service for ANNOTATION_UNKNOWN', () => {
    const { fix } = problemCodes.ANNOTATION_UNKNOWN;
    const older = ['metallb.universe.tf/', 'io.cilium/'];
    const named = annotationKeysRead.filter(
      (key) => !older.some((domain) => key.startsWith(domain)),
    );
    for (const key of named) {
      const [domain = '', name = ''] = key.split('/');
      expect(fix).toMatch(new RegExp(`${domain}/[^;]*\\b${name}\\b`));
    }
  });

  it('has a line each for the code, its meaning and its fix', () => {
    const { title, fix } = problemCodes.YAML_DUPLICATE_KEY;
    expect(explainText([{ code: 'YAML_DUPLICATE_KEY', title, fix }])).toBe(
      'YAML_DUPLICATE_KEY\n  A mapping has the same key twice.\n  Keep one of the two.\n',
    );
  });
});

describe('codesText', () => {
  it('has a line for each problem, caution and finding, with aligned titles', async () => {
    const codes = await explainedCodes(features);
    const lines = codesText(codes).trimEnd().split('\n');
    const problems = { ...allProblemCodes(), ...cautionCodes };
    const all = { ...problems, ...findingCodes, ...inventoryFindings };
    expect(codes.map(({ code }) => code).sort()).toEqual(Object.keys(all).sort());
    expect(lines).toHaveLength(codes.length);
    const columns = lines.map((line) => /^[A-Z_]+ {2,}(?=[A-Z]\S* \S)/.exec(line)?.[0].length);
    expect(new Set(columns).size).toBe(1);
  });
});
