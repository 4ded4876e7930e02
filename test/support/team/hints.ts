import { sentenceTokens } from '../../../src/core/text/print/sentence.ts';
import type { Refusal } from './refusal.ts';

/** A problem as it was printed. */
export interface Told {
  readonly code: string;
  /** Empty for a run that ended without a problem of a file. */
  readonly file: string;
  readonly message: string;
  /** Empty when none was printed. */
  readonly hint: string;
}

/** One way out of several that a hint names, as printed. */
export interface Way {
  readonly words: string;
  /** The commands in it that can be run as they are. */
  readonly commands: readonly (readonly string[])[];
}

/** The problems of a refusal. A hint is printed once, below the last of the problems that it is for. */
export function toldIn({ codes, text }: Refusal): readonly Told[] {
  const found: Told[] = [];
  for (const line of text.split('\n')) {
    const [, file = '', code, message = ''] = line.match(/^(\S+?):\d+:\d+ ([A-Z_]+) (.*)$/) ?? [];
    const [, hint] = line.match(/^ {2}hint: (.*)$/) ?? [];
    if (code !== undefined) found.push({ code, file, message, hint: '' });
    else if (hint !== undefined) {
      for (let at = found.length - 1; isOfHint(found, at); at -= 1) {
        found[at] = { ...(found[at] as Told), hint };
      }
    }
  }
  const [code = ''] = codes;
  return found.length > 0 ? found : [{ code, file: '', message: text, hint: text }];
}

function isOfHint(found: readonly Told[], at: number): boolean {
  return found[at]?.hint === '' && found[at].code === found.at(-1)?.code;
}

/** The ways out that a text names, in its order. */
export function waysIn(text: string): readonly Way[] {
  return text
    .split(/; (?!then\b)|,? \bor,? |\. (?=[A-Z])/)
    .map((words) => ({ words, commands: commandsIn(words) }));
}

function commandsIn(words: string): readonly (readonly string[])[] {
  return sentenceTokens(words)
    .flatMap((token) => ('command' in token ? token.command.split(' && ') : []))
    .map((command) => command.replace(/^npx --no -- /, ''))
    .map((command) => [...command.matchAll(/'([^']*)'|\S+/g)].map(([all, quoted = all]) => quoted))
    .filter(isWhole);
}

/** Commands that only show something. */
const looks =
  /^(?:git (?:log|show|status)|leasehold (?:explain|list|map|who|doctor|plan|history)\b)/;
/** Commands of git that need what they are for. */
const needs = /^git (?:add|checkout|merge|restore|rm|switch)$/;

/** False for a command that is only mentioned, as in `git rm it`, or has a word to be replaced. */
function isWhole(argv: readonly string[]): boolean {
  const [program, name, ...rest] = argv;
  const operands = rest.filter((word, at) => !word.startsWith('-') && rest[at - 1] !== '-X');
  const isMentioned = needs.test(`${program} ${name}`) && operands.length === 0;
  const isOfProgress = rest.some((word) => ['--abort', '--continue'].includes(word));
  if (isMentioned && !isOfProgress) return false;
  if (/^--(?:base|head|keep|merged|onto|to|today)$/.test(rest.at(-1) ?? '')) return false;
  return (
    !looks.test(argv.join(' ')) && !rest.some((word) => /^(?!HEAD)[A-Z]+(?:\.\.\.)?$/.test(word))
  );
}
