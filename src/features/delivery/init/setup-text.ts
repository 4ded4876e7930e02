import { columns } from '../../../text/print/columns.ts';
import { plain } from '../../../text/print/plain.ts';
import { unifiedDiff } from '../../../text/print/unified-diff.ts';
import type { SetupFile, SetupState } from './setup.ts';

const told: Readonly<Record<SetupState, string>> = {
  new: '',
  same: '',
  kept: 'stays as it is',
  differs: 'stays as it is, see below',
  replaced: '',
  old: 'of another set-up: no longer written; whoever deletes it in a cluster deletes what it applied',
};

/** The files of a set-up, a line each, and for those that differ and stay what they lack. Ends in a line break. */
export function setupText(files: readonly SetupFile[]): string {
  const rows = files.map(({ path, state }) => [state, path, told[state]]);
  const different = files.filter(({ state }) => state === 'differs');
  return [columns(rows), ...different.map(differenceText)].join('');
}

/** What init would change in a file that differs, as a diff; what to say so that it does. */
function differenceText(file: SetupFile): string {
  const { path } = file;
  return `\n${diffText(file)}leasehold init --replace ${path} writes it so\n`;
}

/** How the two texts of a file differ. */
export function diffText({ path, before, after }: SetupFile): string {
  const { text } = unifiedDiff(before, after);
  const lines = text.split('\n').map((line) => line.split('\t').map(plain).join('\t'));
  return `--- ${path}, as it is\n+++ ${path}, as init writes it\n${lines.join('\n')}`;
}
