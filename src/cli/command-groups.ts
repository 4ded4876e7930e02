import type { CommandLine } from './command-line.ts';

/** Adds the commands of one group to the program. */
type AddCommands = (line: CommandLine) => void;

/** The names of the commands that a group adds, and how its module is loaded. */
type Group = readonly [names: readonly string[], load: () => Promise<AddCommands>];

/** The groups in the order of the help. A module is loaded only when it is needed: most of them import half the program. */
const groups: readonly Group[] = [
  [['init'], async () => (await import('./init/init-command.ts')).addInitCommand],
  [
    ['synth', 'list', 'prune', 'explain'],
    async () => (await import('./commands/commands.ts')).addCommands,
  ],
  [['check'], async () => (await import('./commands/check-command.ts')).addCheckCommand],
  [['move'], async () => (await import('./commands/move-command.ts')).addMoveCommand],
  [['release'], async () => (await import('./commands/release-command.ts')).addReleaseCommand],
  [['pin'], async () => (await import('./commands/pin-command.ts')).addPinCommand],
  [['cleanup'], async () => (await import('./commands/cleanup-command.ts')).addCleanupCommand],
  [['import'], async () => (await import('./import/import-command.ts')).addImportCommand],
  [['resolve'], async () => (await import('./commands/resolve-command.ts')).addResolveCommand],
  [['plan'], async () => (await import('./commands/plan-command.ts')).addPlanCommand],
  [['comment'], async () => (await import('./comment/comment-commands.ts')).addCommentCommands],
  [
    ['declare', 'purge', 'reconcile'],
    async () => (await import('./commands/bot-commands.ts')).addBotCommands,
  ],
  [['publish'], async () => (await import('./commands/publish-command.ts')).addPublishCommand],
  [['key'], async () => (await import('./commands/key-commands.ts')).addKeyCommands],
  [
    ['who', 'history', 'pools', 'verify-history'],
    async () => (await import('./commands/asking-commands.ts')).addAskingCommands,
  ],
  [['capacity'], async () => (await import('./commands/capacity-command.ts')).addCapacityCommand],
  [['map'], async () => (await import('./commands/map-command.ts')).addMapCommand],
  [['report'], async () => (await import('./commands/report-command.ts')).addReportCommand],
  [['serve'], async () => (await import('./serve/serve-command.ts')).addServeCommand],
  [
    ['codeowners'],
    async () => (await import('./commands/codeowners-command.ts')).addCodeownersCommand,
  ],
  [['gitops'], async () => (await import('./commands/gitops-command.ts')).addGitopsCommand],
  [
    ['bootstrap'],
    async () => (await import('./bootstrap/bootstrap-command.ts')).addBootstrapCommand,
  ],
  [['doctor', 'verify'], async () => (await import('./commands/live-commands.ts')).addLiveCommands],
];

/** The groups that one command line needs. */
export interface CommandGroups {
  readonly groups: readonly AddCommands[];
  /** Whether these are all groups. */
  readonly isWhole: boolean;
}

/**
 * Loads the group of the command that a command line names, and none for `--version`. Loads all groups when it
 * names no command of theirs: for the help, the completion, and a wrong name.
 */
export async function commandGroups(argv: readonly string[]): Promise<CommandGroups> {
  if (argv.length === 1 && isVersion(argv[0])) return { groups: [], isWhole: false };
  const name = commandName(argv);
  const group = groups.find(([names]) => name !== undefined && names.includes(name));
  const load = (some: readonly Group[]) => Promise.all(some.map(([, load]) => load()));
  if (group) return { groups: await load([group]), isWhole: false };
  return { groups: await load(groups), isWhole: true };
}

function isVersion(word: string | undefined): boolean {
  return word === '-V' || word === '--version';
}

/** The first word that is neither an option nor the folder that `-C` names. */
function commandName(argv: readonly string[]): string | undefined {
  return argv.find((word, at) => !word.startsWith('-') && !isFolderOption(argv[at - 1]));
}

function isFolderOption(word: string | undefined): boolean {
  return word === '-C' || word === '--directory';
}
