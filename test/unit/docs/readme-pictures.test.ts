import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readmePictures } from '../../../docs/generators/readme-pictures.ts';
import type { Day } from '../../../src/core/model/day.ts';
import { fencesOf } from '../../support/docs/doc-page.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runOn } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';

const day = '2026-11-21' as Day;
const readme = readFileSync('README.md', 'utf8');

/** The shipped example in a repository, with the lease of the README declared and synthesized. */
async function repositoryWithLease(): Promise<string> {
  const root = example();
  cpSync('.gitignore', join(root, '.gitignore'));
  const repository = gitRepository(root).on(day);
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'The example');
  const lease = fencesOf(readme).find(({ language }) => language === 'yaml')!;
  mkdirSync(dirname(join(root, lease.title)), { recursive: true });
  writeFileSync(join(root, lease.title), lease.text);
  expect((await runOn(day, ['synth'], root)).status).toBe(0);
  return root;
}

test('the pictures of the README are what npm run docs writes', { tags: 'slow' }, async () => {
  const pictures = await readmePictures(await repositoryWithLease(), day);
  expect([...pictures.keys()]).toEqual(['plan.svg', 'map.svg']);
  for (const [name, text] of pictures) {
    expect(readFileSync(`docs/images/${name}`, 'utf8'), name).toBe(text);
  }
});

describe.each(['plan', 'map'])('docs/images/%s.svg', (name) => {
  const file = `docs/images/${name}.svg`;
  let text = '';
  beforeAll(() => {
    text = readFileSync(file, 'utf8');
  });

  test('is in the README, with a text for those who cannot see it', () => {
    expect(readme).toMatch(new RegExp(`!\\[[^\\]]{20,}\\]\\(${file}\\)`));
  });

  test('is small, loads nothing, and has a dark form', () => {
    expect(statSync(file).size).toBeLessThan(60_000);
    expect(text).not.toMatch(/<script|<image|@import|href=/);
    expect(text.match(/https?:[^"]+/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(text).toContain('@media (prefers-color-scheme: dark)');
  });
});

test('the plan has the address of the new lease in green', () => {
  expect(readFileSync('docs/images/plan.svg', 'utf8')).toMatch(
    /<text class="good" [^>]*>\+ 198\.50\.185\.124<\/text>\n<text class="good" [^>]*>allocated</,
  );
});

test('the map marks the new address, and no other', () => {
  const map = readFileSync('docs/images/map.svg', 'utf8');
  const marked = [...map.matchAll(/<rect class="held new"[^>]*\/>(?:<text[^>]*>(\w+))?/g)];
  expect(marked.map(([, number]) => number)).toEqual(['124', 'new']);
});
