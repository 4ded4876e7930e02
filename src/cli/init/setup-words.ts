import { fieldFault, type SetupField } from '../../features/delivery/init/new-declarations.ts';
import { parseTool } from '../../features/delivery/init/tool.ts';
import { isBranchName } from '../../model/branch-name.ts';
import { repositoryFault } from '../../model/repository-url.ts';

/** What a person said of a new repository, on the command line or when asked: texts, not looked at yet. */
export interface SetupWords {
  readonly for?: string | undefined;
  readonly provider?: string | undefined;
  readonly metallb?: string | undefined;
  readonly metallbNamespace?: string | undefined;
  readonly layout?: string | undefined;
  readonly cluster: readonly string[];
  readonly shards?: string | undefined;
  /** `NAME=ADDRESSES`, with a comma between two. */
  readonly pool: readonly string[];
  /** `NAME=ADDRESSES`, likewise. */
  readonly reserved: readonly string[];
  /** `NAME=ZONE`. */
  readonly zone: readonly string[];
  /** Names of pools. */
  readonly bgp: readonly string[];
  readonly reviewer: readonly string[];
  readonly engine?: string | undefined;
  readonly repo?: string | undefined;
  readonly server: readonly string[];
  readonly secret?: string | undefined;
  readonly branch?: string | undefined;
  readonly forge?: string | undefined;
  /** `URL#COMMIT`. */
  readonly leasehold?: string | undefined;
}

/** A word that is looked at by itself. */
export type SetupWord = Exclude<keyof SetupWords, 'pool' | 'reserved' | 'zone' | 'bgp' | 'server'>;

/** What may be said where there is a choice; the first is the default one, but for `for`. */
export const choices = {
  for: ['akash', 'platform'],
  layout: ['pool', 'lease'],
  shards: ['1', '16', '256'],
  engine: ['none', 'argocd', 'flux'],
  forge: ['none', 'github', 'gitlab'],
} as const;

/** What holds where nothing else is said. */
export const usual = {
  metallb: '0.14.9',
  metallbNamespace: 'metallb-system',
  cluster: 'default',
  zone: 'default',
  branch: 'main',
} as const;

const fields: Partial<Record<SetupWord, SetupField>> = {
  provider: 'akashAddress',
  metallb: 'metallbVersion',
  metallbNamespace: 'dnsLabel',
  cluster: 'dnsLabel',
  reviewer: 'reviewer',
  secret: 'dnsLabel',
};

/** The option that says a word. */
export function optionOf(word: keyof SetupWords): string {
  return `--${word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** What is wrong with a word, given the others, as a sentence; undefined when nothing is. */
export function wordFault(word: SetupWord, text: string, words: SetupWords): string | undefined {
  const field = fields[word];
  if (field !== undefined) return fieldFault(field, text);
  if (word in choices) {
    const allowed: readonly string[] = choices[word as keyof typeof choices];
    return allowed.includes(text) ? undefined : `expected ${allowed.join(' or ')}`;
  }
  if (word === 'branch') {
    if (!isBranchName(text)) return 'it is not the name of a branch';
    if (text.startsWith('refs/')) return 'expected the name alone, such as main';
    return /^[A-Za-z0-9._/@+-]*$/.test(text)
      ? undefined
      : 'it stands in commands: expected letters, digits, . _ / @ + and - only';
  }
  if (word === 'repo') {
    const fault = repositoryFault(text, words.engine === 'argocd');
    return fault && `the address ${fault}`;
  }
  const tool = parseTool(text, forgeOf(words));
  return typeof tool === 'string' ? tool : undefined;
}

/** The forge that was said, if it is one. */
export function forgeOf({ forge }: SetupWords): 'github' | 'gitlab' | undefined {
  return forge === 'github' || forge === 'gitlab' ? forge : undefined;
}

/** Both sides of `NAME=REST`; a text without `=` is a name without a rest. */
export function namedText(text: string): readonly [name: string, rest: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The parts of a text with commas, without the spaces around them. */
export function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The first fault of an entry of a list, with the entry; a list without one has a fault too. */
export function listFault(
  text: string,
  faultOf: (part: string) => string | undefined,
): string | undefined {
  const parts = listOf(text);
  if (parts.length === 0) return 'expected at least one';
  for (const part of parts) {
    const fault = faultOf(part);
    if (fault !== undefined) return parts.length === 1 ? fault : `${part}: ${fault}`;
  }
  return undefined;
}
