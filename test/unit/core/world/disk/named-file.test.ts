import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readInput } from '../../../../../src/core/world/disk/named-file.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

const read = async (cwd: string, name: string, mostBytes: number, input = Readable.from([])) =>
  Buffer.from(await readInput(cwd, { name, mostBytes }, input)).toString('utf8');

test('a named file is read, also by its whole path', async () => {
  const cwd = tempTree({ 'a/b.json': 'text' });
  expect(await read(cwd, 'a/b.json', 4)).toBe('text');
  expect(await read('/', `${cwd}/a/b.json`, 4)).toBe('text');
});

test('- is standard input to its end, in any number of chunks', async () => {
  const pieces = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), Buffer.from('!')];
  expect(await read('/', '-', 3, Readable.from(pieces))).toBe('é!');
});

test.each([['a.json'], ['-']])('%s is not read past its limit', async (name) => {
  const cwd = tempTree({ 'a.json': 'x'.repeat(1_048_577) });
  const input = Readable.from(Array(10).fill(Buffer.alloc(200_000)));
  await expect(read(cwd, name, 1_048_576, input)).rejects.toThrow(/ is larger than 1 MiB$/);
});

test('a folder is not a file', async () => {
  await expect(read(tempTree({ 'a/b': '' }), 'a', 100_000)).rejects.toThrow(
    'a is not a regular file, and links are not followed',
  );
});
