import { htmlText } from '../../../text/print/html-text.ts';
import type { ManifestChange } from '../plan-answer.ts';
import { extentText, type ManifestGroup } from './plan-manifest-groups.ts';
import { codeSpan, diffBlock } from './plan-markdown-text.ts';

/** The manifests of one holder, folded: with their diffs, and with the names of their objects only. */
export interface Fold {
  readonly full: string;
  readonly names: string;
}

/** Folds, in the order of the groups. Each is whole in itself: what it opens it closes. */
export function foldsOf(groups: readonly ManifestGroup[]): readonly Fold[] {
  return groups.map((group) => ({
    full: fold(group, (manifest) => [namesOf(manifest), diffBlock(manifest.diff)]),
    names: fold(group, (manifest) => [namesOf(manifest)]),
  }));
}

function fold(
  { holder, manifests }: ManifestGroup,
  shown: (manifest: ManifestChange) => readonly string[],
): string {
  const whose = holder === undefined ? 'Of no holder' : `<code>${htmlText(holder)}</code>`;
  const summary = `<summary>${whose}: ${htmlText(extentText(manifests))}</summary>`;
  const body = manifests.flatMap(shown).join('\n');
  return `<details>${summary}\n\n${body}\n</details>\n`;
}

function namesOf({ path, objects }: ManifestChange): string {
  const lines = objects.map(({ action, object }) => `- ${action} ${codeSpan(object)}\n`);
  return `${codeSpan(path)}\n\n${lines.join('')}`;
}
