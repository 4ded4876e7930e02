import { describe, expect, test } from 'vitest';
import { runInProcess } from '../support/run/run-in-process.ts';

describe('completion', () => {
  test.each(['completion', 'completion tcsh', 'completion powershell'])(
    'is refused for a shell that it does not know: %s',
    async (line) => {
      const { status, out } = await runInProcess(line.split(' '), '.');
      expect([status, out]).toEqual([64, '']);
    },
  );
});
