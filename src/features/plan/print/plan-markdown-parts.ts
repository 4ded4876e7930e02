import type { Plan } from '../plan-answer.ts';
import { extentText, type ManifestGroup, manifestGroups } from './plan-manifest-groups.ts';
import { firstPart, type MarkdownOptions, planMarkdown } from './plan-markdown.ts';
import { type Fold, foldsOf } from './plan-markdown-manifests.ts';
import { commandText, footer } from './plan-markdown-page.ts';
import { codeSpan } from './plan-markdown-text.ts';
import { counted } from './plan-words.ts';

/** More comments than this make a pull request unreadable, and a forge begins to refuse them. */
const mostParts = 20;

/**
 * A plan as comments for GitHub or GitLab: one if it fits; else the first has verdict, totals and table,
 * and the others the manifests, none of them cut in two. Each is whole in itself and no longer than
 * `maxChars`; at most {@link mostParts}.
 */
export function planMarkdownParts(plan: Plan, options: MarkdownOptions): readonly string[] {
  const whole = planMarkdown(plan, { ...options, maxChars: Number.MAX_SAFE_INTEGER });
  if (whole.length <= options.maxChars) return [whole];
  const markerOf = (part: number) => (options.marker ? `${options.marker(part)}\n` : '');
  const around = (body: string, part: number, all: number) =>
    `${markerOf(part)}### Manifests, part ${part} of ${all}\n\n${body}\n${footer(plan)}`;
  const room = options.maxChars - around('', mostParts, mostParts).length;
  const groups = manifestGroups(plan);
  const texts = foldsOf(groups).map((fold, index) => foldWithin(fold, groups[index], room));
  if (texts.some((text) => text.length > room)) return [planMarkdown(plan, options)];
  const packed = packs(texts, room);
  const shown = packed.slice(0, mostParts - 1);
  const left = packed.slice(mostParts - 1).flat().length;
  const first = firstPart(
    plan,
    options,
    [],
    leadText(plan, groups.length - left, shown.length, left),
  );
  const others = shown.map((folds, index) => around(folds.join('\n'), index + 2, shown.length + 1));
  return [first, ...others];
}

/** The fold as far as it fits into a part of its own. */
function foldWithin({ full, names }: Fold, group: ManifestGroup | undefined, room: number): string {
  if (full.length <= room) return full;
  if (names.length <= room) return names;
  const whose = group?.holder === undefined ? 'Of no holder' : codeSpan(group.holder);
  return `${whose}: ${extentText(group?.manifests ?? [])}; too long to be shown\n`;
}

/** Texts in their order, as many together as there is room for, with a line break between them. */
function packs(texts: readonly string[], room: number): readonly (readonly string[])[] {
  const all: string[][] = [];
  let used = room;
  for (const text of texts) {
    const last = all.at(-1);
    if (last && used + 1 + text.length <= room) {
      last.push(text);
      used += 1 + text.length;
    } else {
      all.push([text]);
      used = text.length;
    }
  }
  return all;
}

function leadText(plan: Plan, holders: number, parts: number, left: number): string {
  if (parts === 0) return '';
  const where = parts === 1 ? 'in part 2' : `in parts 2 to ${parts + 1}`;
  const more = left === 0 ? '' : `; those of ${left} more are left out: ${commandText(plan)}`;
  return `The manifests of ${counted(holders, 'holder')} are ${where}${more}.\n`;
}
