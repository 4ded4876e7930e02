import { forgeNames, forgeOf } from '../../../../core/model/forges/forges.ts';
import { lastingLayouts, usualMetalLB } from '../../../../core/model/planes.ts';
import { shardCounts } from '../../../../core/model/pools.ts';
import { isBranchName, repositoryFault } from '../../../../core/model/repository-address.ts';
import { engines } from '../../../../core/model/repository-paths.ts';
import { fieldFault, type SetupField } from '../../init/new-declarations.ts';
import { profiles } from '../../init/setup.ts';
import { parseTool } from '../../init/tool.ts';

/** The answers about a new repository, from the options or the prompts: texts, not validated. */
export interface RawAnswers {
  readonly for?: string | undefined;
  readonly provider?: string | undefined;
  readonly metallb?: string | undefined;
  readonly metallbNamespace?: string | undefined;
  readonly cilium?: string | undefined;
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
  /** A tarball, its URL, a folder, or `URL#REF`. */
  readonly leasehold?: string | undefined;
}

/** An answer that is validated by itself. */
export type AnswerName = Exclude<keyof RawAnswers, 'pool' | 'reserved' | 'zone' | 'bgp' | 'server'>;

/** The allowed answers. */
const choices: Partial<Record<AnswerName, readonly string[]>> = {
  for: profiles,
  layout: lastingLayouts,
  shards: shardCounts.map(String),
  engine: ['none', ...engines],
  forge: ['none', ...forgeNames],
};

/** The defaults. */
export const defaultAnswers = {
  metallb: usualMetalLB.version,
  metallbNamespace: usualMetalLB.namespace,
  cluster: 'default',
  zone: 'default',
  branch: 'main',
} as const;

const fields: Partial<Record<AnswerName, SetupField>> = {
  provider: 'akashAddress',
  metallb: 'metallbVersion',
  metallbNamespace: 'dnsLabel',
  cilium: 'ciliumVersion',
  cluster: 'dnsLabel',
  reviewer: 'reviewer',
  secret: 'dnsLabel',
};

/** The option of an answer. */
export function optionOf(name: keyof RawAnswers): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The fault of one answer, given the others, as a sentence; undefined when it is valid. */
export function answerFault(name: AnswerName, text: string, raw: RawAnswers): string | undefined {
  const field = fields[name];
  if (field !== undefined) return fieldFault(field, text);
  const allowed = choices[name];
  if (allowed) return allowed.includes(text) ? undefined : `expected ${allowed.join(' or ')}`;
  if (name === 'branch') {
    if (!isBranchName(text)) return 'it is not the name of a branch';
    if (text.startsWith('refs/')) return 'expected the name alone, such as main';
    return /^[A-Za-z0-9._/@+-]*$/.test(text)
      ? undefined
      : 'it is used in commands: expected letters, digits, . _ / @ + and - only';
  }
  if (name === 'repo') {
    const fault = repositoryFault(text, raw.engine === 'argocd');
    return fault && `the address ${fault}`;
  }
  const tool = parseTool(text, forgeOf(raw.forge));
  return typeof tool === 'string' ? tool : undefined;
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

/** The first fault of an entry of a list, with the entry. An empty list is a fault too. */
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
