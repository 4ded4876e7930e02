import { describe, expect, it } from 'vitest';
import { codeLines, sizes, totals } from '../architecture/size.mjs';

describe('npm run size', () => {
  it.each<[string, number]>([
    ['', 0],
    ['const one = 1;\n\n// two\nconst three = 3;\n', 2],
    ['/** A comment. */\nconst one = 1;\n', 1],
    ['/**\n * A comment\n * of lines.\n */\nconst one = 1;\n', 1],
    ['const text = `\n  a line\n`;\n', 3],
  ])('counts %j', (text, lines) => {
    expect(codeLines(text)).toBe(lines);
  });

  it('sums core and all', () => {
    const counts = new Map([
      ['core/net', 2],
      ['core/run/synth', 3],
      ['lib/http', 4],
      ['beside', 1],
    ]);
    expect(totals(counts)).toEqual({ core: 5, src: 10 });
  });

  it('counts each folder that has a rule', () => {
    const names = [...sizes().keys()];
    expect(names).toEqual(expect.arrayContaining(['core/net', 'core/run/synth', 'features/ask']));
  });
});
