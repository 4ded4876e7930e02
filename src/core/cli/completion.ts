import type { Argument, Option } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import type { SourceTree } from '../interfaces/tree.ts';
import { ownerOf } from '../model/allocation.ts';
import { holderParts, holderText } from '../model/holder.ts';
import { InternalError } from '../model/problem.ts';
import { explainedCodes } from '../run/explain/explain-text.ts';
import type { Records } from '../tree/declared.ts';
import { type ProcessContext, workingRoot } from './cli-context.ts';
import type { Feature } from './feature.ts';
import { completionListing } from './help.ts';

/** The package also has a script for PowerShell, which is not tested here. */
const shells = ['bash', 'zsh', 'fish'];

/** Adds one candidate for a word. */
type Complete = (value: string, description: string) => void;

/**
 * Adds `completion`, which prints the script of a shell, and the hidden `complete`, which that
 * script runs. The program must have all its other commands, and those on the command line must be
 * loaded. Bash evaluates the candidates, so they are only words of leasehold, names that fit the
 * schema of the pool file, and {@link recordedWords}.
 */
export async function addCompletion(
  program: object,
  context: ProcessContext,
  features: readonly Feature[],
  argv: readonly string[],
): Promise<void> {
  if (!(program instanceof Command)) throw new InternalError('the program is not of commander');
  const { commands } = tab(program, { completionCommandName: 'completion' });
  const script = program.commands.find((command) => command.name() === 'completion');
  script?.description(completionListing.summary).helpGroup(completionListing.group);
  script?.registeredArguments[0]?.choices(shells);
  script?.hook('postAction', ({ args: [shell] }) => {
    if (shell === 'bash') context.out(bashWords);
  });

  offer(commands.get('completion')?.arguments.get('shell'), (complete) => {
    for (const shell of shells) complete(shell, '');
  });
  const codes = await explainedCodes(features);
  offer(commands.get('explain')?.arguments.get('code'), (complete) => {
    for (const { title, code } of codes) complete(code, title);
  });
  const poolWords = ['pools', 'map'].flatMap(
    (name) => commands.get(name)?.arguments.get('pool') ?? [],
  );
  const options = (name: string) =>
    [...commands.values()].flatMap((command) => command.options.get(name) ?? []);
  const words = { pool: options('pool'), zone: options('zone'), cluster: options('cluster') };
  const { pool, zone, cluster } = words;
  const named = [...commands.values()].flatMap((command) =>
    ['what', 'old'].flatMap((name) => command.arguments.get(name) ?? []),
  );
  const things = [...named, ...options('holder')];
  const sharingKeys = options('sharing-key');
  const owners = [
    ...options('owner'),
    ...options('promise'),
    ...[...commands.values()].flatMap((command) => command.arguments.get('owner') ?? []),
  ];
  const poolsNamed = poolWords.length + pool.length + zone.length + cluster.length > 0;
  if (!poolsNamed && things.length + owners.length + sharingKeys.length === 0) return;
  const { readPoolFile, readRecords } = await import('../tree/declared.ts');
  const takesColons = context.env.COMP_WORDBREAKS !== undefined;
  const recorded =
    things.length + owners.length + sharingKeys.length > 0
      ? await readIn(context, argv, readRecords)
      : undefined;
  for (const word of things) {
    offer(word, (complete) => {
      for (const [text, about] of recorded ? recordedWords(recorded, takesColons) : [])
        complete(text, about);
    });
  }
  for (const word of sharingKeys) {
    offer(word, (complete) => {
      for (const name of recorded ? sharingKeysIn(recorded) : []) complete(name, '');
    });
  }
  for (const word of owners) {
    offer(word, (complete) => {
      for (const name of recorded ? ownersIn(recorded) : []) complete(name, '');
    });
  }
  const outcome = poolsNamed ? await readIn(context, argv, readPoolFile) : undefined;
  const declared = outcome?.ok ? outcome.value : undefined;
  const pools = declared?.pools ?? [];
  for (const word of [...poolWords, ...pool]) {
    offer(word, (complete) => {
      for (const { name, zone: own } of pools) complete(name, `zone ${own}`);
    });
  }
  for (const word of zone) {
    offer(word, (complete) => {
      for (const name of new Set(pools.map((one) => one.zone))) complete(name, '');
    });
  }
  for (const word of cluster) {
    offer(word, (complete) => {
      for (const { name } of declared?.clusters ?? []) complete(name, '');
    });
  }
}

function offer(word: Argument | Option | undefined, handler: (complete: Complete) => void): void {
  if (word) word.handler = handler;
}

/**
 * Readline replaces only what is after the last colon or equals sign of a word. The environment says
 * that colons are taken care of.
 */
const bashWords = `
__leasehold_complete_word() {
    local cur prev words cword
    _get_comp_words_by_ref -n "=:" cur prev words cword
    if [[ $cur == --*=* && $COMP_WORDBREAKS == *=* ]]; then
        local IFS=$'\\n'
        COMPREPLY=( $(compgen -W "$(leasehold complete -- "\${words[@]:1}" 2>/dev/null | sed '$d; s/\\t.*//')" -- "\${cur#*=}") )
        return 0
    fi
    COMP_WORDBREAKS=$COMP_WORDBREAKS __leasehold_complete
    [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]] || return 0
    local before=\${cur%"\${cur##*:}"}
    COMPREPLY=( "\${COMPREPLY[@]#"$before"}" )
}
complete -F __leasehold_complete_word leasehold
`;

/**
 * The addresses, holders, owners and hostnames of records, as commands take them, with what is
 * known of each; IPv6 addresses only for a script that completes words with colons.
 */
function recordedWords(
  { table, hostnameTable }: Records,
  takesColons: boolean,
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const [address, { holder }] of table) {
    const text = holderText(holder);
    words.set(address, text);
    words.set(text.includes('/') && !text.includes(' ') ? text : holder, address);
    const owner = ownerOf(holder);
    if (owner !== undefined) words.set(owner, 'owner');
  }
  for (const { hostname, holder } of hostnameTable.values())
    words.set(hostname, holderText(holder));
  const plain = takesColons ? /^[a-z0-9][a-z0-9.:/-]*$/ : /^[a-z0-9][a-z0-9./-]*$/;
  return new Map([...words].filter(([word]) => plain.test(word)));
}

/** The accounts of Akash that have had an address. */
function ownersIn({ table }: Records): ReadonlySet<string> {
  const owners = [...table.values()].map(({ holder }) => ownerOf(holder) ?? '');
  return new Set(owners.filter((owner) => /^akash1[a-z0-9]+$/.test(owner)));
}

/** The sharing keys of Services that have had an address. */
function sharingKeysIn({ table }: Records): ReadonlySet<string> {
  const parts = [...table.values()].map(({ holder }) => holderParts(holder));
  const keys = parts.filter(({ kind }) => kind === 'shared').map(({ name }) => name);
  return new Set(keys.filter((key) => /^[a-z0-9][a-z0-9.-]*$/i.test(key)));
}

/** Reads the folder that the line to complete names; undefined when it cannot be read. */
async function readIn<Value>(
  context: ProcessContext,
  argv: readonly string[],
  read: (tree: SourceTree) => Value,
): Promise<Value | undefined> {
  const { openForReading } = await import('../world/disk/disk-tree.ts');
  const option = argv.findIndex((word) => word === '-C' || word === '--directory');
  const directory = option < 0 ? '.' : (argv[option + 1] ?? '.');
  try {
    return read(openForReading(workingRoot(context, { directory })));
  } catch {
    return undefined;
  }
}
