import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawn, roomImports } from '../support/rooms.ts';

/** The pictures of src/README.md are drawn from the imports of src. UPDATE_GOLDEN=1 draws them anew. */
const page = join(import.meta.dirname, '../../src/README.md');
const update = process.env.UPDATE_GOLDEN === '1' && !process.env.CI;

const pictures: readonly (readonly [name: string, roomOf: (path: string) => string | undefined])[] =
  [
    ['rooms', (path) => /^(\w+)\//.exec(path)?.[1]],
    ['features', (path) => /^features\/([^/]+)\//.exec(path)?.[1]],
  ];

test.each(pictures)(
  'the picture of the %s in src/README.md shows the imports of src',
  (name, roomOf) => {
    const text = readFileSync(page, 'utf8');
    const block = new RegExp(`(?<=<!-- ${name} -->\n)[^]*?(?=<!-- end -->)`);
    expect(text).toMatch(block);
    const picture = drawn(roomImports(roomOf));
    if (update) writeFileSync(page, text.replace(block, picture));
    else expect(block.exec(text)?.[0]).toBe(picture);
  },
);
