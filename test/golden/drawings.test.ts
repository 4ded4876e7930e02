import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../support/trees/temp-tree.ts';

const images = resolve(import.meta.dirname, '../../docs/images');
const glossary = readFileSync(join(images, '../glossary.md'), 'utf8');
const words = ['holder', 'layout', 'retention', 'shard', 'zone'];

test('the drawings of the glossary are what npm run docs writes', () => {
  const drawn = tempTree();
  execFileSync(process.execPath, [join(images, 'drawings.mjs'), drawn]);
  for (const word of words) {
    const text = readFileSync(join(images, `${word}.svg`), 'utf8');
    expect(text, word).toBe(readFileSync(join(drawn, `${word}.svg`), 'utf8'));
  }
});

describe.each(words)('the drawing of a %s', (word) => {
  test('is in the glossary, with a text for readers who cannot see it', () => {
    expect(glossary).toMatch(new RegExp(`!\\[[^\\]]{40,}\\]\\(images/${word}\\.svg\\)`));
  });

  test('loads nothing, and has a dark form', () => {
    const text = readFileSync(join(images, `${word}.svg`), 'utf8');
    expect(text).not.toMatch(/<script|<image|@import|href=/);
    expect(text).toContain('@media (prefers-color-scheme: dark)');
  });
});
