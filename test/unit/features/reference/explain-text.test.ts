import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  cautionsPage,
  codesText,
  explainText,
  problemsPage,
} from '../../../../src/features/reference/explain-text.ts';
import { cautionCodes } from '../../../../src/model/codes/caution-codes.ts';
import { problemCodes } from '../../../../src/model/codes/problem-codes.ts';

describe('docs/problems.md', () => {
  it('is what the codes say; npm run docs writes it', () => {
    expect(readFileSync('docs/problems.md', 'utf8')).toBe(problemsPage());
  });

  it('has a section for every code, in the order of their declaration', () => {
    const sections = [...problemsPage().matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(sections).toEqual(Object.keys(problemCodes));
  });
});

describe('the cautions', () => {
  it('stand in docs/plan.md, in their order; npm run docs writes them', () => {
    const page = readFileSync('docs/plan.md', 'utf8');
    const written = page.slice(page.indexOf('### '));
    expect([...written.matchAll(/^### (.+)$/gm)].map(([, code]) => code)).toEqual(
      Object.keys(cautionCodes),
    );
    expect(written).toBe(cautionsPage());
  });
});

describe('the explanation of a code', () => {
  it.each(Object.entries({ ...problemCodes, ...cautionCodes }))(
    '%s is two whole sentences or more',
    (_, { title, fix }) => {
      expect(title).toMatch(/^[A-Z`].*\.$/);
      expect(fix).toMatch(/^[A-Z`].*\.$/);
    },
  );

  it('is the code, what it means and what to do, a line each', () => {
    expect(explainText('YAML_DUPLICATE_KEY')).toBe(
      'YAML_DUPLICATE_KEY\n  A mapping has one key twice.\n  Keep one of the two.\n',
    );
  });

  it.each(['NOPE', '', 'toString', '__proto__'])('is missing for %j', (code) => {
    expect(explainText(code)).toBeUndefined();
  });
});

describe('the list of codes', () => {
  it('has a line for each, the titles in one column', () => {
    const lines = codesText().trimEnd().split('\n');
    expect(lines).toHaveLength(Object.keys(problemCodes).length);
    for (const line of lines) expect(line).toMatch(/^[A-Z_ ]{22}[A-Z]\S* \S/);
  });
});
