import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ProcessContext } from '../../src/core/cli/cli-context.ts';
import { commandsOf, completionListing, examplesOf, helpListing } from '../../src/core/cli/help.ts';
import { wholeProgram } from '../../src/core/cli/run.ts';
import { features } from '../../src/features.ts';

/** docs/commands.md: every command with its options and examples, in the order of the help. */
export async function commandsPage(context: ProcessContext): Promise<string> {
  const program = await wholeProgram(context, features);
  const sections = program.commands.flatMap((command) => [command, ...command.commands]);
  const head = `# Commands

Every command takes \`-C DIR\`, which looks for the workspace from another folder, and \`--help\`. \`leasehold help\` lists the commands.

Standard output has the result, or the problems that prevent it. Standard error has progress, prompts, remarks beside an answer, wrong usage
and errors. A format for programs (\`-o json\`, \`-o csv\`) and a command that prints a file have nothing else on standard output: their
problems are on standard error, and JSON and YAML have a [Failure](schemas/failure.schema.json) in place of the answer.
`;
  const groups = groupTitles();
  return [head, ...sections.map((command) => sectionText(command, groups))].join('\n');
}

/** The title of a group by the first command in it. */
function groupTitles(): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  const beside = { completion: completionListing, help: helpListing };
  for (const [name, { group }] of [...commandsOf(features), ...Object.entries(beside)]) {
    if (![...first.values()].includes(group)) first.set(name, group);
  }
  return first;
}

function sectionText(command: CommandUnknownOpts, groups: ReadonlyMap<string, string>): string {
  const isTop = command.parent?.parent === null;
  const path = isTop ? command.name() : `${command.parent?.name()} ${command.name()}`;
  const group = isTop ? groups.get(command.name()) : undefined;
  const help = command.createHelp();
  const details = [
    ...help
      .visibleArguments(command)
      .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)]),
    ...help
      .visibleOptions(command)
      .filter((option) => option.long !== '--help')
      .map((option) => [help.optionTerm(option), help.optionDescription(option)]),
  ].map(
    ([term = '', text = '']) =>
      `| \`${escapePipes(term)}\` | ${escapePipes(text).replaceAll('<', '&lt;')} |\n`,
  );
  const own = (examplesOf(features)[path] ?? []).map(
    ([purpose, line]) => `# ${purpose}\nleasehold ${line}\n`,
  );
  return [
    ...(group === undefined ? [] : [`## ${group.replace(/:$/, '')}\n`]),
    `### leasehold ${path}\n`,
    `${sentence(command.description())}\n`,
    ...(details.length === 0 ? [] : [`| | |\n| --- | --- |\n${details.join('')}`]),
    ...(own.length === 0 ? [] : [`\`\`\`sh\n${own.join('\n')}\`\`\`\n`]),
  ].join('\n');
}

function escapePipes(text: string): string {
  return text.replaceAll('|', '\\|');
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
