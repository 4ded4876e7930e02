/** A word of a sentence, or a whole command in it with the punctuation after it. */
export type SentenceToken =
  | { readonly word: string }
  | { readonly command: string; readonly after: string };

/** The commands of leasehold that hints name. */
export const leaseholdCommands =
  'bootstrap check comment doctor explain import key list map migrate-layout move pin plan prove prune release rename resolve synth verify'.split(
    ' ',
  );

/** The programs that hints name, with those of their commands that hints name. */
const programs: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set('add checkout commit fetch merge restore rm stash status switch'.split(' ')),
  leasehold: new Set(leaseholdCommands),
  kubectl: new Set(
    '-n --kubeconfig --context apply describe get label logs patch uncordon'.split(' '),
  ),
  npx: new Set(['--no']),
};

/** Commands that a plain word follows: a ref, a code, a pool or a subcommand. */
const takesWord: ReadonlySet<string> = new Set(
  'bootstrap checkout merge switch explain import key map migrate-layout release'.split(' '),
);

/** Programs whose arguments are plain words too, such as the kind and the name of an object. */
const takesAnyWord: ReadonlySet<string> = new Set(['kubectl', 'npx']);

/** Options without a value. */
const flags: ReadonlySet<string> = new Set(
  '--abort --allow-empty --cached --no-base --ours --staged --theirs --worktree'.split(' '),
);

/** Words of a sentence that cannot be the argument of a command. */
const sentenceWord =
  /^(?:a|again|and|first|for|in|instead|it|of|on|or|that|the|them|then|to|with)$/;

/**
 * Splits a sentence at its spaces, but keeps each command whole. A command ends at punctuation, and
 * before a word that is no argument.
 */
export function sentenceTokens(text: string): readonly SentenceToken[] {
  const words = text.split(' ').filter((word) => word !== '');
  const tokens: SentenceToken[] = [];
  for (let index = 0; index < words.length; ) {
    const end = commandEnd(words, index);
    if (end > index) {
      const whole = words.slice(index, end).join(' ');
      const command = whole.replace(punctuation, '');
      tokens.push({ command, after: whole.slice(command.length) });
    } else tokens.push({ word: words[index] ?? '' });
    index = Math.max(end, index + 1);
  }
  return tokens;
}

/** Punctuation at the end of a word of a sentence. */
const punctuation = /[,;:.)?]+$/;

/** The index after the last word of the command that begins here; 0 when none does. */
function commandEnd(words: readonly string[], start: number): number {
  let end = afterName(words, start);
  while (end > 0 && end < words.length && !punctuation.test(words[end - 1] ?? '')) {
    const chained = words[end] === '&&' ? afterName(words, end + 1) : 0;
    const isTaken = takesAnyWord.has(words[start] ?? '')
      ? !sentenceWord.test(words[end] ?? '')
      : isArgument(words, end);
    if (chained === 0 && !isTaken) break;
    end = chained > 0 ? chained : afterArgument(words, end);
  }
  return end;
}

/** The index after a program and its command; 0 when there is none. */
function afterName(words: readonly string[], start: number): number {
  const command = (words[start + 1] ?? '').replace(punctuation, '');
  return programs[words[start] ?? '']?.has(command) ? start + 2 : 0;
}

function isArgument(words: readonly string[], index: number): boolean {
  const word = (words[index] ?? '').replace(punctuation, '');
  const before = words[index - 1] ?? '';
  if (word === '' || sentenceWord.test(word)) return false;
  if (before.startsWith('--') && !before.includes('=') && !flags.has(before)) return true;
  return takesWord.has(before) || /^[-']|[/._=\d]|^[A-Z]{2,}$|^(?:dist|leases)$/.test(word);
}

/** The index after an argument, which can be quoted and have spaces. */
function afterArgument(words: readonly string[], start: number): number {
  if (!words[start]?.startsWith("'")) return start + 1;
  const last = words.findIndex((word, index) => index >= start && /.'[,;:.)?]*$/.test(word));
  return (last < 0 ? start : last) + 1;
}
