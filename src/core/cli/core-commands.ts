import type { Feature } from './feature.ts';

/** The commands of core. */
export const core: Feature = {
  name: 'core',
  commands: {
    add: {
      group: 'everyDay',
      summary: 'write the declaration of a lease, Service or hostname',
      description: 'write the declaration of a lease, Service, promise, hostname or reservation',
      load: async () => (await import('./add/add-command.ts')).addCommand,
    },
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
    list: {
      group: 'everyDay',
      summary: 'show who has which address',
      description: 'show who has which address, or the values that charts need for theirs',
      load: async () => (await import('./commands/list-command.ts')).listCommand,
    },
    'migrate-layout': {
      group: 'change',
      summary: "change the layout of MetalLB's pools in a live cluster",
      description: "change the layout of MetalLB's pools in a live cluster; no address changes",
      load: async () => (await import('./commands/move-commands.ts')).migrateLayoutCommand,
    },
    move: {
      group: 'change',
      summary: 'give a holder another address',
      description: 'give a holder another address: the only way to change one',
      load: async () => (await import('./commands/move-commands.ts')).moveCommand,
    },
    pin: {
      group: 'change',
      summary: 'write the addresses of holders into their declarations',
      description: 'write the addresses that holders have into their declarations',
      load: async () => (await import('./commands/move-commands.ts')).pinCommand,
    },
    plan: {
      group: 'everyDay',
      summary: 'show what a pull request does; write nothing',
      description:
        'show what a pull request does: to addresses, pools and manifests; write nothing',
      load: async () => (await import('./commands/plan-command.ts')).planCommand,
    },
    pools: {
      group: 'ask',
      summary: 'show how full the pools are, or how much each owner has',
      load: async () => (await import('./commands/pools-command.ts')).poolsCommand,
    },
    prune: {
      group: 'change',
      summary: 'remove records that are free again, and ended promises',
      description:
        'remove released records that are free for anyone, ended promises and done renames',
      load: async () => (await import('./commands/synth-commands.ts')).pruneCommand,
    },
    release: {
      group: 'change',
      summary: 'end what has an address or a hostname',
      description: 'remove the declarations that hold an address or a hostname, and synthesize',
      load: async () => (await import('./commands/release-commands.ts')).releaseCommand,
    },
    resolve: {
      group: 'change',
      summary: 'repair the generated files after a merge or rebase',
      description: 'repair allocations and manifests after a merge or rebase',
      load: async () => (await import('./commands/resolve-command.ts')).resolveCommand,
    },
    synth: {
      group: 'everyDay',
      summary: 'allocate addresses and hostnames; write leases/, dist/',
      description: 'allocate addresses and hostnames; write their records below leases/, and dist/',
      load: async () => (await import('./commands/synth-commands.ts')).synthCommand,
    },
    who: {
      group: 'everyDay',
      summary: 'show who has an address, or what a holder or owner has',
      description: 'show who has an address, or what a holder, owner, dseq or service has',
      load: async () => (await import('./commands/who-command.ts')).whoCommand,
    },
  },
  examples: {
    add: [
      ['a Service with one port', 'add service shop/blog 80:8080 --selector app=blog'],
      ['an address for a Service that a chart renders', 'add reservation shop/ingress 80 443'],
    ],
    'add hostname': [
      ['a hostname for port 8080 of a Service', 'add hostname blog.example.com shop/web 8080'],
      ['all names of a domain', "add hostname '*.blog.example.com' shop/web 8080"],
    ],
    'add lease': [
      [
        'a claim of an Akash lease',
        'add lease \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600003/1/1 \\\n    web 3000 --endpoint blog --external-port 80',
      ],
      [
        'UDP, on the address of another endpoint of the owner',
        'add lease \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600003/1/1 \\\n    dns 53/udp --endpoint site',
      ],
    ],
    'add promise': [
      [
        'an address for the first deployment of an endpoint, for a week',
        'add promise \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4 relay',
      ],
      [
        'until a day',
        'add promise \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4 relay \\\n    --until 2026-12-01',
      ],
    ],
    'add reservation': [
      ['for the Service of a chart', 'add reservation shop/ingress 80 443'],
      ['TCP and UDP on one port', 'add reservation shop/dns 53 53/udp'],
    ],
    'add service': [
      [
        'port 80 of the address leads to port 8080 of the pods',
        'add service shop/blog 80:8080 --selector app=blog',
      ],
      [
        'an exact address, and two named ports',
        'add service shop/post smtp=25 mail=587 \\\n    --selector app=post --address 203.0.113.40',
      ],
    ],
    check: [
      ['before a commit, and in CI', 'check'],
      ['in CI of a pull request: also what it changes', 'check --base origin/main'],
    ],
    explain: [
      ['what a problem means, and what to do', 'explain POOL_EXHAUSTED'],
      ['all codes', 'explain'],
    ],
    list: [
      ['everything that has an address', 'list'],
      ['the values that the chart of a Reservation needs', 'list shop/chart -o values'],
    ],
    'migrate-layout': [
      ['the next step to one pool for each declared one', 'migrate-layout pool'],
      ['back, in one of several clusters', 'migrate-layout lease --cluster west'],
    ],
    move: [
      ['another address of the same pool', 'move shop/web'],
      ['an exact new address', 'move 203.0.113.7 --to 203.0.113.20'],
    ],
    pin: [
      ['write the address of a Service into its declaration', 'pin shop/web'],
      ['pin all that a block has', 'pin 203.0.113.0/28'],
    ],
    plan: [
      ['what this branch changes, against its target', 'plan'],
      [
        'for a comment, with the manifests that change',
        'plan --base origin/main --manifests -o markdown',
      ],
    ],
    pools: [
      ['how full the pools are', 'pools'],
      ['how much each owner has, and what its quota leaves', 'pools --owners'],
    ],
    prune: [
      ['remove the records that are free today, and ended promises', 'prune'],
      ['and those that are free by a day', 'prune --today 2026-11-21'],
    ],
    release: [
      ['end what has an address', 'release 203.0.113.7'],
      ['end all of a cluster', 'release --cluster west'],
    ],
    resolve: [
      ['during a merge or rebase with conflicts', 'resolve'],
      ['keep the addresses of the current branch', 'resolve --keep ours'],
    ],
    synth: [
      ['after each edit below leases/', 'synth'],
      ['confirm that exactly five addresses are released', 'synth --allow-release 5'],
    ],
    who: [
      ['who has an address', 'who 203.0.113.7'],
      ['what a Service has, for a script', 'who shop/web -o json'],
    ],
  },
};
