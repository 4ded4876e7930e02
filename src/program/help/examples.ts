import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { NewCommand } from '../../core/cli/command-line.ts';
import { automationExamples, type Example, type Examples } from './automation-examples.ts';

const startExamples: Examples = {
  init: [
    ['answer questions about the pools, the cluster and the forge', 'init'],
    [
      'set up a repository without questions',
      'init --yes --for platform --metallb 0.15.2 \\\n    --pool public=203.0.113.0/26',
    ],
  ],
  add: [
    ['a Service with one port', 'add service shop/blog 80:8080 --selector app=blog'],
    ['an address for a Service that a chart renders', 'add reservation shop/ingress 80 443'],
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
  'add hostname': [
    ['a hostname for port 8080 of a Service', 'add hostname blog.example.com shop/web 8080'],
    ['all names of a domain', "add hostname '*.blog.example.com' shop/web 8080"],
  ],
  'add reservation': [
    ['for the Service of a chart', 'add reservation shop/ingress 80 443'],
    ['TCP and UDP on one port', 'add reservation shop/dns 53 53/udp'],
  ],
};

const importExamples: Examples = {
  import: [
    ['what the cluster of the current context has', 'import cluster'],
    ['MetalLB pools from a file', 'import metallb metallb.yaml'],
  ],
  'import cluster': [
    ['read another cluster than the current one', 'import cluster --context production'],
    [
      'read a file: kubectl get -A -o yaml ipaddresspools,l2advertisements,svc',
      'import cluster cluster.yaml',
    ],
  ],
  'import vitistack': [
    ['read the cluster of the current context', 'import vitistack'],
    ['declare what an export has', 'import vitistack vitistack.yaml --zone inet'],
  ],
  'import metallb': [
    ['pools and advertisements from a file', 'import metallb metallb.yaml'],
    ['pools from standard input', 'import metallb - --zone edge'],
  ],
  'import kubespray': [
    ['pools from the variables of an inventory', 'import kubespray addons.yml'],
    ['later files override earlier ones', 'import kubespray addons.yml k8s-cluster.yml'],
  ],
  'import netbox': [
    ['all prefixes with a tag are pools', 'import netbox prefixes.json --tag metallb'],
    [
      'a pool for each zone that a custom field names',
      'import netbox prefixes.json --zone-field k8s_zone',
    ],
  ],
  'import sdl': [
    [
      'declare a lease with the endpoints of its SDL',
      'import sdl deploy.yaml \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600002/1/1',
    ],
    [
      'give an endpoint an exact address',
      'import sdl deploy.yaml --address myip=203.0.113.9 \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600002/1/1',
    ],
  ],
};

const dailyExamples: Examples = {
  synth: [
    ['after each edit below leases/', 'synth'],
    ['confirm that exactly five addresses are released', 'synth --allow-release 5'],
  ],
  plan: [
    ['what this branch changes, against its target', 'plan'],
    [
      'for a comment, with the manifests that change',
      'plan --base origin/main --manifests -o markdown',
    ],
  ],
  check: [
    ['before a commit, and in CI', 'check'],
    ['in CI of a pull request: also what it changes', 'check --base origin/main'],
  ],
  list: [
    ['everything that has an address', 'list'],
    ['the values that the chart of a Reservation needs', 'list shop/chart -o values'],
  ],
  who: [
    ['who has an address', 'who 203.0.113.7'],
    ['what a Service has, for a script', 'who shop/web -o json'],
  ],
};

const changeExamples: Examples = {
  move: [
    ['another address of the same pool', 'move shop/web'],
    ['an exact new address', 'move 203.0.113.7 --to 203.0.113.20'],
  ],
  release: [
    ['end what has an address', 'release 203.0.113.7'],
    ['end two Services', 'release shop/web shop/mail'],
  ],
  'migrate-layout': [
    ['the next step to one pool for each declared one', 'migrate-layout pool'],
    ['back, in one of several clusters', 'migrate-layout lease --cluster west'],
  ],
  pin: [
    ['write the address of a Service into its declaration', 'pin shop/web'],
    ['pin all that a block has', 'pin 203.0.113.0/28'],
  ],
  resolve: [
    ['during a merge or rebase with conflicts', 'resolve'],
    ['keep the addresses of the current branch', 'resolve --keep ours'],
  ],
  prune: [
    ['remove the records that are free today, and ended promises', 'prune'],
    ['and those that are free by a day', 'prune --today 2026-11-21'],
  ],
  cleanup: [
    ['end all leases of a cluster', 'cleanup --cluster west'],
    ['confirm the number of released addresses', 'cleanup --cluster east --allow-release 4'],
  ],
  prove: [
    ['look up the TXT records of hostnames, and record what they prove', 'prove'],
    ['look up the proofs that a pull request adds', 'prove --check --base origin/main'],
  ],
};

const keyExamples: Examples = {
  key: [
    ['make a key; the secret is not written into git', 'key new shop/next --out ../next.secret'],
    ['what refers to a key', 'key show shop/own'],
  ],
  'key new': [
    ['make a key, and write its secret to a file', 'key new shop/next --out ../next.secret'],
    ['make a key of a secret that you have', 'key new shop/next --secret-file new.secret'],
  ],
  'key show': [
    ['what refers to a key', 'key show shop/own'],
    ['in another folder', 'key show shop/own -C .'],
  ],
  'key sign': [
    [
      'let another Service take the address over',
      'key sign shop/own --secret-file own.secret --action reclaim \\\n    --address 203.0.113.7 --holder east/service/shop/new',
    ],
    [
      'remove the key of an address',
      'key sign shop/own --secret-file own.secret --action rotate \\\n    --address 203.0.113.7',
    ],
  ],
  'key rotate': [
    [
      'replace the secret of a key, and write the new one to a file',
      'key rotate shop/own --secret-file own.secret --out ../new.secret',
    ],
    [
      'with the old secret from standard input, and a new one that you have',
      'key rotate shop/own --secret-file - --new-secret-file new.secret',
    ],
  ],
};

const queryExamples: Examples = {
  sdl: [
    [
      'an SDL with the addresses of its tenant',
      'sdl fill node.yaml \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
    [
      'the same, for an SDL on standard input',
      'sdl fill - \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
  ],
  'sdl fill': [
    [
      'replace $(leased.NAME) with the address of the endpoint',
      'sdl fill node.yaml \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
    [
      'of a lease in another cluster than the default one',
      'sdl fill node.yaml --cluster east \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
    ],
  ],
  usage: [
    ['what to bill for January', 'usage --month 2026-01'],
    ['a line for each address, for a spreadsheet', 'usage --month 2026-01 -o csv'],
  ],
  pools: [
    ['how full the pools are', 'pools'],
    ['how much each owner has, and what its quota leaves', 'pools --owners'],
  ],
  map: [
    ['each address of a pool as a block', 'map public'],
    ['with letters instead of blocks', 'map public --ascii'],
  ],
  capacity: [
    ['what can still be promised', 'capacity'],
    [
      'fail when a zone has fewer than ten addresses left',
      'capacity --zone inet --family ipv4 --at-least 10',
    ],
  ],
  history: [
    ['all holders that an address had', 'history 203.0.113.7'],
    ['who had it in May', 'history 203.0.113.7 --since 2026-05-01 --until 2026-05-31'],
  ],
  report: [
    ['one page for the browser', 'report --out report.html'],
    ['before and after of this branch', 'report --base origin/main --out report.html'],
  ],
  serve: [
    ['the files here, on http://127.0.0.1:8080', 'serve'],
    [
      'a branch of the remote, for other machines, with a token',
      'serve --branch main --listen 0.0.0.0:8080 --token-file token',
    ],
  ],
};

const helpExamples: Examples = {
  explain: [
    ['what a problem means, and what to do', 'explain POOL_EXHAUSTED'],
    ['all codes', 'explain'],
  ],
};

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  ...startExamples,
  ...importExamples,
  ...dailyExamples,
  ...changeExamples,
  ...keyExamples,
  ...queryExamples,
  ...automationExamples,
  ...helpExamples,
};

/** Adds the examples of a loaded command, and of its subcommands, to their help. */
export function addExamples(command: NewCommand): void {
  addTo(command, command.name());
  for (const sub of command.commands) addTo(sub, `${command.name()} ${sub.name()}`);
}

function addTo(command: NewCommand | CommandUnknownOpts, path: string): void {
  const own = examples[path];
  if (own) command.addHelpText('after', examplesText(own));
}

function examplesText(own: readonly Example[]): string {
  const blocks = own.map(([purpose, line]) => `  # ${purpose}\n  leasehold ${line}`);
  return `\nExamples:\n${blocks.join('\n\n')}`;
}
