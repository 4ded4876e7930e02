import { Help } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { newCommand, programOf } from '../../../src/cli/command-line.ts';
import { commandList } from '../../../src/cli/command-list.ts';
import type { Day } from '../../../src/model/day.ts';

const context = {
  out: () => {},
  err: () => {},
  color: false,
  terminal: false,
  today: () => '2026-11-20' as Day,
  env: {},
  cwd: '.',
};

describe('the usage in the list of commands', () => {
  test.each(Object.entries(commandList))(
    'is that of the loaded command: %s',
    async (name, listed) => {
      const command = newCommand(programOf(context), name, listed.description);
      const addTo = await listed.load();
      addTo({ context, command, exitWith: async () => {} });
      const term = `${name} ${listed.usage}`.trimEnd();
      expect(term).toBe(new Help().subcommandTerm(command));
    },
  );
});
