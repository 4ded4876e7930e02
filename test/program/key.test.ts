import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretFile } from '../support/repositories/key-owner.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { example } from '../support/trees/example.ts';

describe('the program leasehold key', () => {
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());

  test('takes a secret from standard input without its last line break, and no more', () => {
    const root = example();
    const statuses = ['a long secret\r\n', 'a long secret\n\n'].map((input, index) => {
      const key = (command: string, given: string, ...more: readonly string[]) => {
        const argv = ['key', command, `shop/k${index}`, '--secret-file', '-', ...more];
        const options = { cwd: root, input: given };
        return spawnSync(process.execPath, [program.cli, ...argv], options).status;
      };
      expect(key('new', input)).toBe(0);
      const other = ['--new-secret-file', secretFile('another long secret')];
      return key('rotate', 'a long secret', ...other);
    });
    expect(statuses).toEqual([0, 64]);
  });
});
