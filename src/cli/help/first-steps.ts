import { commandList, firstCommands } from '../command-list.ts';

/** The text of `leasehold` without a command: what a newcomer needs, and where to read on. */
export function firstStepsText(): string {
  const width = Math.max(...firstCommands.map((name) => name.length));
  const lines = firstCommands.map(
    (name) => `  ${name.padEnd(width)}  ${commandList[name]?.summary}\n`,
  );
  return `Static IP addresses handed out through git.

Usage: leasehold COMMAND

${lines.join('')}
leasehold import --help    take over the addresses that you have already
leasehold --help           all commands
leasehold COMMAND --help   what a command does, its options, and examples
docs/start.md              a first lease, step by step
`;
}
