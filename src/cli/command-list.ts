import type { CommandLine } from './command-line.ts';

/** A line of the program's help. */
interface Listing {
  /** Options and arguments. */
  readonly usage: string;
  readonly description: string;
}

interface ListedCommand extends Listing {
  /** Loads the module of the command. It returns the function that adds options and action. */
  readonly load: () => Promise<(line: CommandLine) => void>;
}

/**
 * All commands, in the order of the help. Most modules import half of the program, so the help and
 * the shell completion are made from this list, and a module is loaded only for its own command.
 */
export const commandList: Readonly<Record<string, ListedCommand>> = {
  init: {
    usage: '[options]',
    description: 'set up a repository that leases addresses, or complete one',
    load: async () => (await import('./init/init-command.ts')).addInitCommand,
  },
  synth: {
    usage: '[options]',
    description: 'allocate addresses and write leases/allocations/ and dist/',
    load: async () => (await import('./commands/synth-commands.ts')).addSynthCommand,
  },
  list: {
    usage: '[options] [what]',
    description: 'show who has which address, or the values that charts need for theirs',
    load: async () => (await import('./commands/address-queries.ts')).addListCommand,
  },
  prune: {
    usage: '[options]',
    description: 'remove the records of released addresses that are free for anyone',
    load: async () => (await import('./commands/synth-commands.ts')).addPruneCommand,
  },
  explain: {
    usage: '[code]',
    description: 'explain a problem code and what to do about it',
    load: async () => (await import('./commands/explain-command.ts')).addExplainCommand,
  },
  check: {
    usage: '[options]',
    description: 'verify that the committed files are what synth writes; write nothing',
    load: async () => (await import('./commands/synth-commands.ts')).addCheckCommand,
  },
  move: {
    usage: '[options] <what...>',
    description: 'give a holder another address: the only way to change one',
    load: async () => (await import('./commands/move-commands.ts')).addMoveCommand,
  },
  release: {
    usage: '[options] <what...>',
    description: 'remove the declarations that hold an address, and synthesize',
    load: async () => (await import('./commands/release-commands.ts')).addReleaseCommand,
  },
  pin: {
    usage: '[options] <what...>',
    description: 'write the addresses that holders have into their declarations',
    load: async () => (await import('./commands/move-commands.ts')).addPinCommand,
  },
  cleanup: {
    usage: '[options]',
    description: 'remove the declarations of all leases of a cluster, and synthesize',
    load: async () => (await import('./commands/release-commands.ts')).addCleanupCommand,
  },
  import: {
    usage: '',
    description: 'take over addresses from another tool or a cluster, and synthesize',
    load: async () => (await import('./import/import-command.ts')).addImportCommand,
  },
  resolve: {
    usage: '[options]',
    description: 'repair allocations and manifests after a merge or rebase',
    load: async () => (await import('./commands/resolve-command.ts')).addResolveCommand,
  },
  plan: {
    usage: '[options]',
    description: 'show what a pull request does: to addresses, pools and manifests; write nothing',
    load: async () => (await import('./commands/plan-command.ts')).addPlanCommand,
  },
  comment: {
    usage: '[options]',
    description: 'post a plan on a pull request, as one comment kept up to date',
    load: async () => (await import('./comment/comment-command.ts')).addCommentCommand,
  },
  declare: {
    usage: '[options] <lease> <service> <port>',
    description: 'declare a claim on a branch: allocate, commit, push',
    load: async () => (await import('./commands/declare-commands.ts')).addDeclareCommand,
  },
  purge: {
    usage: '[options] <lease> [service] [port]',
    description: 'remove a lease or a claim from a branch: release, commit, push',
    load: async () => (await import('./commands/declare-commands.ts')).addPurgeCommand,
  },
  reconcile: {
    usage: '[options]',
    description: 'follow a branch: synthesize, commit and push what is stale',
    load: async () => (await import('./commands/reconcile-commands.ts')).addReconcileCommand,
  },
  publish: {
    usage: '[options]',
    description: "put each cluster's manifests on a branch of their own; push what changed",
    load: async () => (await import('./commands/reconcile-commands.ts')).addPublishCommand,
  },
  key: {
    usage: '',
    description: 'make, show and use the keys that prove who owns an address',
    load: async () => (await import('./commands/key-commands.ts')).addKeyCommands,
  },
  who: {
    usage: '[options] <what>',
    description: 'show who has an address, or what a holder, owner, dseq or service has',
    load: async () => (await import('./commands/address-queries.ts')).addWhoCommand,
  },
  history: {
    usage: '[options] <address>',
    description: 'show who had an address, and when',
    load: async () => (await import('./commands/address-queries.ts')).addHistoryCommand,
  },
  pools: {
    usage: '[options] [pool...]',
    description: 'show how full the pools are, or how much each owner has',
    load: async () => (await import('./commands/pool-queries.ts')).addPoolsCommand,
  },
  'verify-history': {
    usage: '[options]',
    description: 'verify that allowed signers signed what changed leases and manifests',
    load: async () => (await import('./commands/address-queries.ts')).addVerifyHistoryCommand,
  },
  capacity: {
    usage: '[options]',
    description: 'show how many addresses can still be promised',
    load: async () => (await import('./commands/capacity-command.ts')).addCapacityCommand,
  },
  map: {
    usage: '[options] <pool>',
    description: 'show a pool as blocks: held, retained, reserved, free',
    load: async () => (await import('./commands/pool-queries.ts')).addMapCommand,
  },
  report: {
    usage: '[options]',
    description: 'write the address space as one page: pools, a map, a search, histories',
    load: async () => (await import('./commands/report-command.ts')).addReportCommand,
  },
  serve: {
    usage: '[options]',
    description: 'serve who has which address over HTTP: for an Akash provider, scripts, people',
    load: async () => (await import('./serve/serve-command.ts')).addServeCommand,
  },
  codeowners: {
    usage: '[options]',
    description: 'print the lines of CODEOWNERS that follow from leases/policy.yaml',
    load: async () => (await import('./commands/delivery-commands.ts')).addCodeownersCommand,
  },
  gitops: {
    usage: '',
    description: 'print the objects that let Argo CD or Flux apply dist/',
    load: async () => (await import('./commands/delivery-commands.ts')).addGitopsCommands,
  },
  bootstrap: {
    usage: '',
    description: 'print what a cluster needs before its first lease',
    load: async () => (await import('./bootstrap/bootstrap-command.ts')).addBootstrapCommands,
  },
  doctor: {
    usage: '[options]',
    description: 'check that a live cluster is ready for leasehold; change nothing',
    load: async () => (await import('./commands/live-commands.ts')).addDoctorCommand,
  },
  verify: {
    usage: '[options]',
    description: 'compare a live cluster with what is committed; change nothing',
    load: async () => (await import('./commands/live-commands.ts')).addVerifyCommand,
  },
};

/** The command that the package for shell completion adds. */
export const completionListing: Listing = {
  usage: '<shell>',
  description: 'print the completion script of a shell',
};

export const helpListing: Listing = {
  usage: '[command]',
  description: 'display help for command',
};
