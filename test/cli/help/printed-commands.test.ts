import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { wholeProgram } from '../../../src/core/cli/run.ts';
import type { Day } from '../../../src/core/model/day.ts';
import { features } from '../../../src/features.ts';

const context = {
  out: () => {},
  err: () => {},
  color: false,
  terminal: false,
  today: () => '2026-11-20' as Day,
  env: {},
  cwd: '.',
};

/** The marked commands of leasehold in the sentences of a file, with X for what is filled in. */
function markedCommands(path: string): readonly string[] {
  const code = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n');
  // A template has a filled-in part, and marks with a backslash.
  const plain = code.matchAll(/(?<!\\)`(?:npx --no -- )?leasehold ([^`$\\\n]+)`/g);
  const filled = code.matchAll(/\\`(?:npx --no -- )?leasehold ([^`\n]+?)\\`/g);
  return [...plain, ...filled]
    .map(([, line = '']) => line.replaceAll(/\$\{[^}]*\}+/g, ' X').trim())
    .filter((line) => !/^(?:X|-C)/.test(line));
}

const printed = [
  ...new Set(
    readdirSync('src', { encoding: 'utf8', recursive: true })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => markedCommands(join('src', path))),
  ),
].sort();

test('the commands in sentences are found', () => {
  expect(printed).toEqual(
    expect.arrayContaining(['synth', 'migrate-layout lease', 'list -o values']),
  );
  expect(printed.length).toBeGreaterThan(60);
});

const program = await wholeProgram(context, features);

test.each(printed)('`leasehold %s`, which a sentence advises, is taken', (line) => {
  const [name = '', second = '', ...rest] = line.split(/ +/);
  const top = program.commands.find((one) => one.name() === name);
  expect(top, `there is no command ${name}`).toBeDefined();
  const command = top?.commands.find((one) => one.name() === second) ?? top;
  const words = command === top ? [second, ...rest] : rest;
  expect(words.filter((word) => word.startsWith('-') && !isOption(top, command, word))).toEqual([]);
});

function isOption(
  top: CommandUnknownOpts | undefined,
  command: CommandUnknownOpts | undefined,
  word: string,
): boolean {
  // A group such as import stands for each of its commands.
  const own = command === top ? [command, ...(top?.commands ?? [])] : [command];
  const options = [...own.flatMap((one) => one?.options ?? []), ...program.options];
  return word === '--help' || options.some(({ long, short }) => [long, short].includes(word));
}
