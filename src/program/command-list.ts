import type { CommandLine, Listing } from '../core/cli/command-line.ts';

/** The headings of the commands in the help, in its order. */
const groups = {
  start: 'Start:',
  everyDay: 'Every day:',
  change: 'Change:',
  ask: 'Ask:',
  cluster: 'Cluster:',
  bots: 'Bots and CI:',
  help: 'Help:',
} as const;

interface ListedCommand extends Listing {
  /** Loads the module of the command. It returns the function that adds options and action. */
  readonly load: () => Promise<(line: CommandLine) => void>;
}

/** Commands of one heading, in the order of the help. */
type Commands = Readonly<Record<string, Omit<ListedCommand, 'group'>>>;

const startCommands: Commands = {
  init: {
    summary: 'set up a repository for leases, or complete one',
    description: 'set up a repository that leases addresses, or complete one',
    load: async () => (await import('../features/setup/cli/init/init-command.ts')).addInitCommand,
  },
  add: {
    summary: 'write the declaration of a lease, Service or hostname',
    description: 'write the declaration of a lease, Service, promise, hostname or reservation',
    load: async () => (await import('../core/cli/add/add-command.ts')).addAddCommand,
  },
  import: {
    summary: 'take over addresses from another tool or a cluster',
    description: 'take over addresses from another tool or a cluster, and synthesize',
    load: async () => (await import('../features/import/cli/import-command.ts')).addImportCommand,
  },
};

const dailyCommands: Commands = {
  synth: {
    summary: 'allocate addresses and hostnames; write leases/, dist/',
    description: 'allocate addresses and hostnames; write their records below leases/, and dist/',
    load: async () => (await import('../core/cli/commands/synth-commands.ts')).addSynthCommand,
  },
  plan: {
    summary: 'show what a pull request does; write nothing',
    description: 'show what a pull request does: to addresses, pools and manifests; write nothing',
    load: async () => (await import('../core/cli/commands/plan-command.ts')).addPlanCommand,
  },
  check: {
    summary: 'verify that the committed files are what synth writes',
    description: 'verify that the committed files are what synth writes; write nothing',
    load: async () => (await import('../core/cli/commands/synth-commands.ts')).addCheckCommand,
  },
  list: {
    summary: 'show who has which address',
    description: 'show who has which address, or the values that charts need for theirs',
    load: async () => (await import('../core/cli/commands/list-command.ts')).addListCommand,
  },
  who: {
    summary: 'show who has an address, or what a holder or owner has',
    description: 'show who has an address, or what a holder, owner, dseq or service has',
    load: async () => (await import('../core/cli/commands/who-command.ts')).addWhoCommand,
  },
};

const changeCommands: Commands = {
  move: {
    summary: 'give a holder another address',
    description: 'give a holder another address: the only way to change one',
    load: async () => (await import('../core/cli/commands/move-commands.ts')).addMoveCommand,
  },
  release: {
    summary: 'end what has an address or a hostname',
    description: 'remove the declarations that hold an address or a hostname, and synthesize',
    load: async () => (await import('../core/cli/commands/release-commands.ts')).addReleaseCommand,
  },
  'migrate-layout': {
    summary: "change the layout of MetalLB's pools in a live cluster",
    description: "change the layout of MetalLB's pools in a live cluster; no address changes",
    load: async () =>
      (await import('../core/cli/commands/move-commands.ts')).addMigrateLayoutCommand,
  },
  pin: {
    summary: 'write the addresses of holders into their declarations',
    description: 'write the addresses that holders have into their declarations',
    load: async () => (await import('../core/cli/commands/move-commands.ts')).addPinCommand,
  },
  resolve: {
    summary: 'repair the generated files after a merge or rebase',
    description: 'repair allocations and manifests after a merge or rebase',
    load: async () => (await import('../core/cli/commands/resolve-command.ts')).addResolveCommand,
  },
  prune: {
    summary: 'remove records that are free again, and ended promises',
    description:
      'remove the records of released addresses that are free for anyone, and the promises that have ended',
    load: async () => (await import('../core/cli/commands/synth-commands.ts')).addPruneCommand,
  },
  cleanup: {
    summary: 'remove all declarations of a cluster; synthesize',
    description: 'remove the declarations of all leases of a cluster, and synthesize',
    load: async () => (await import('../core/cli/commands/release-commands.ts')).addCleanupCommand,
  },
  prove: {
    summary: 'record who controls the domains of hostnames',
    description: 'look up the TXT records of hostnames, and record who controls their domains',
    load: async () => (await import('../features/prove/cli/prove-command.ts')).addProveCommand,
  },
  key: {
    summary: 'make and use the keys that prove who owns an address',
    description: 'make, show and use the keys that prove who owns an address',
    load: async () => (await import('../features/keys/cli/key-commands.ts')).addKeyCommands,
  },
};

const queryCommands: Commands = {
  pools: {
    summary: 'show how full the pools are, or how much each owner has',
    load: async () => (await import('../core/cli/commands/pools-command.ts')).addPoolsCommand,
  },
  map: {
    summary: 'show a pool as blocks: held, retained, reserved, free',
    load: async () => (await import('../features/ask/cli/map-command.ts')).addMapCommand,
  },
  capacity: {
    summary: 'show how many addresses can still be promised',
    load: async () => (await import('../features/ask/cli/capacity-command.ts')).addCapacityCommand,
  },
  history: {
    summary: 'show who had an address or a hostname, and when',
    load: async () => (await import('../features/ask/cli/history-commands.ts')).addHistoryCommand,
  },
  usage: {
    summary: 'count the address-days of each owner in a month',
    description: 'count the address-days of each owner in a month, from git',
    load: async () => (await import('../features/ask/cli/usage-command.ts')).addUsageCommand,
  },
  sdl: {
    summary: "write leased addresses into a tenant's SDL",
    description: "write leased addresses into a tenant's SDL",
    load: async () => (await import('../features/ask/cli/sdl-command.ts')).addSdlCommands,
  },
  report: {
    summary: 'write the address space as a web page',
    description: 'write the address space as one page: pools, a map, a search, histories',
    load: async () => (await import('../features/page/cli/report-command.ts')).addReportCommand,
  },
  serve: {
    summary: 'answer over HTTP who has which address',
    description: 'serve who has which address over HTTP: for an Akash provider, scripts, people',
    load: async () => (await import('../features/serve/cli/serve-command.ts')).addServeCommand,
  },
};

const clusterCommands: Commands = {
  bootstrap: {
    summary: 'print what a cluster needs before its first lease',
    load: async () =>
      (await import('../features/setup/cli/bootstrap/bootstrap-command.ts')).addBootstrapCommands,
  },
  gitops: {
    summary: 'print the objects that let Argo CD or Flux apply dist/',
    load: async () =>
      (await import('../features/setup/cli/delivery-commands.ts')).addGitopsCommands,
  },
  doctor: {
    summary: 'check that a live cluster is ready for leasehold',
    description: 'check that a live cluster is ready for leasehold; change nothing',
    load: async () => (await import('../features/cluster/cli/doctor-command.ts')).addDoctorCommand,
  },
  verify: {
    summary: 'compare a live cluster with what is committed',
    description: 'compare a live cluster with what is committed; change nothing',
    load: async () => (await import('../features/cluster/cli/verify-command.ts')).addVerifyCommand,
  },
};

const botCommands: Commands = {
  declare: {
    summary: 'declare a claim on a branch: allocate, commit, push',
    load: async () => (await import('../features/bots/cli/declare-commands.ts')).addDeclareCommand,
  },
  purge: {
    summary: 'remove a lease or a claim from a branch: commit, push',
    description: 'remove a lease or a claim from a branch: release, commit, push',
    load: async () => (await import('../features/bots/cli/declare-commands.ts')).addPurgeCommand,
  },
  reconcile: {
    summary: 'follow a branch: synthesize, commit, push what is stale',
    description: 'follow a branch: synthesize, commit and push what is stale',
    load: async () =>
      (await import('../features/bots/cli/reconcile-commands.ts')).addReconcileCommand,
  },
  publish: {
    summary: "push each cluster's manifests to a branch of its own",
    description: "put each cluster's manifests on a branch of their own; push what changed",
    load: async () =>
      (await import('../features/bots/cli/reconcile-commands.ts')).addPublishCommand,
  },
  export: {
    summary: 'write addresses to NetBox; print CSV or a DNS zone',
    description: 'bring the addresses of a commit into other inventories, and their names into DNS',
    load: async () => (await import('../features/export/cli/export-commands.ts')).addExportCommands,
  },
  comment: {
    summary: 'post a plan on a pull request, and keep it up to date',
    description: 'post a plan on a pull request, as one comment kept up to date',
    load: async () => (await import('../features/forge/cli/comment-command.ts')).addCommentCommand,
  },
  codeowners: {
    summary: 'print the CODEOWNERS lines that follow from the policy',
    description: 'print the lines of CODEOWNERS that follow from leases/policy.yaml',
    load: async () =>
      (await import('../features/setup/cli/delivery-commands.ts')).addCodeownersCommand,
  },
  'verify-history': {
    summary: 'verify that allowed signers signed what changed leases',
    description: 'verify that allowed signers signed what changed leases and manifests',
    load: async () =>
      (await import('../features/ask/cli/history-commands.ts')).addVerifyHistoryCommand,
  },
};

const helpCommands: Commands = {
  explain: {
    summary: 'explain a problem code and what to do about it',
    load: async () => (await import('../core/cli/commands/explain-command.ts')).addExplainCommand,
  },
};

/**
 * All commands, in the order of the help. Most modules import half of the program, so the help and
 * the shell completion are made from this list, and a module is loaded only for its own command.
 */
export const commandList: Readonly<Record<string, ListedCommand>> = {
  ...inGroup(groups.start, startCommands),
  ...inGroup(groups.everyDay, dailyCommands),
  ...inGroup(groups.change, changeCommands),
  ...inGroup(groups.ask, queryCommands),
  ...inGroup(groups.cluster, clusterCommands),
  ...inGroup(groups.bots, botCommands),
  ...inGroup(groups.help, helpCommands),
};

function inGroup(group: string, commands: Commands): Record<string, ListedCommand> {
  return Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [name, { group, ...command }]),
  );
}

/** The command that the package for shell completion adds. */
export const completionListing: Listing = {
  group: groups.help,
  summary: 'print the completion script of a shell',
};

export const helpListing: Listing = {
  group: groups.help,
  summary: 'show the help of a command',
};

/** The commands for the first steps after the installation. */
const firstCommands = ['init', 'synth', 'plan', 'check', 'list'] as const;

/** The text of `leasehold` without a command: the first commands, and where to read on. */
export function firstStepsText(): string {
  const width = Math.max(...firstCommands.map((name) => name.length));
  const lines = firstCommands.map(
    (name) => `  ${name.padEnd(width)}  ${commandList[name]?.summary}\n`,
  );
  return `Static IP addresses handed out through git.

Usage: leasehold COMMAND

${lines.join('')}
leasehold import --help    take over the addresses that you have already
leasehold help             all commands
leasehold COMMAND --help   what a command does, its options, and examples
`;
}
