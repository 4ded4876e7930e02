import { describe, expect, test } from 'vitest';
import { firstIgnored } from '../../../../../src/core/run/synth/generated-files.ts';

const paths = ['dist/east/keep.yaml', 'dist/east/shop/web.yaml'];

describe('firstIgnored', () => {
  test.each([
    ['a comment and a blank line', '# dist/\n\n'],
    ['other folders', '/docs/\n*.jpg\n/dist\\ old/\n'],
    ['a folder of another name', 'distribution/\n'],
    ['a folder in another case', 'Shop/\n'],
    ['what is let in again', '*.yaml\n!/dist/**/*.yaml\n'],
  ])('finds nothing for %s', (_, text) => {
    expect(firstIgnored(text, paths)).toBeUndefined();
  });

  test.each([
    ['/dist/', { path: 'dist/east/keep.yaml', line: 1 }],
    ['# ours\r\n\r\n/dist/east/shop/\r\n', { path: 'dist/east/shop/web.yaml', line: 3 }],
    ['web.yaml', { path: 'dist/east/shop/web.yaml', line: 1 }],
    ['*\n!/dist/', { path: 'dist/east/keep.yaml', line: 1 }],
    ['/dist/*\n!/dist/east/keep.yaml', { path: 'dist/east/keep.yaml', line: 1 }],
  ])('finds the first path that %j ignores', (text, found) => {
    expect(firstIgnored(text, paths)).toEqual(found);
  });
});
