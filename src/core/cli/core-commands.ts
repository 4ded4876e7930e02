import type { Feature } from './feature.ts';

/** The commands of core. */
export const core: Feature = {
  name: 'core',
  commands: {
    check: {
      group: 'everyDay',
      summary: 'verify that the committed files are what synth writes',
      description: 'verify that the committed files are what synth writes; write nothing',
      load: async () => (await import('./commands/synth-commands.ts')).checkCommand,
    },
    explain: {
      group: 'help',
      summary: 'explain a problem code and what to do about it',
      load: async () => (await import('./commands/explain-command.ts')).explainCommand,
    },
    plan: {
      group: 'everyDay',
      summary: 'show what a pull request does; write nothing',
      description:
        'show what a pull request does: to addresses, pools and manifests; write nothing',
      load: async () => (await import('./commands/plan-command.ts')).planCommand,
    },
    prune: {
      group: 'change',
      summary: 'remove records that are free again, and ended promises',
      description:
        'remove released records that are free for anyone, ended promises and done renames',
      load: async () => (await import('./commands/synth-commands.ts')).pruneCommand,
    },
    synth: {
      group: 'everyDay',
      summary: 'allocate addresses and hostnames; write leases/, dist/',
      description: 'allocate addresses and hostnames; write their records below leases/, and dist/',
      load: async () => (await import('./commands/synth-commands.ts')).synthCommand,
    },
  },
  examples: {
    check: [
      ['before a commit, and in CI', 'check'],
      ['in CI of a pull request: also what it changes', 'check --base origin/main'],
    ],
    explain: [
      ['what a problem means, and what to do', 'explain POOL_EXHAUSTED'],
      ['all codes', 'explain'],
    ],
    plan: [
      ['what this branch changes, against its target', 'plan'],
      [
        'for a comment, with the manifests that change',
        'plan --base origin/main --manifests -o markdown',
      ],
    ],
    prune: [
      ['remove the records that are free today, and ended promises', 'prune'],
      ['and those that are free by a day', 'prune --today 2026-11-21'],
    ],
    synth: [
      ['after each edit below leases/', 'synth'],
      ['confirm that exactly five addresses are released', 'synth --allow-release 5'],
    ],
  },
};
