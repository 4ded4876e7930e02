import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fencesOf } from './doc-page.ts';

/** What a generated page says, other tests have. */
const generated = new Set(['commands', 'problems', 'speed', 'tested-with']);

/** The names of the pages that people write. */
export function writtenPages(): readonly string[] {
  return readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .filter((name) => !generated.has(name));
}

const textOf = (page: string): string => readFileSync(join('docs', `${page}.md`), 'utf8');

/** Programs that change or show a cluster, or what is around one. */
const programs = 'kubectl|helm|argocd|flux|cosign|curl|ssh-keyscan';
const lineOfOne = new RegExp(`^(?:${programs}) |\\| (?:${programs}) `);

/** The commands of a page for a cluster: lines of its fences, also in their comments, and those in a sentence. */
export function commandsIn(page: string): readonly string[] {
  const text = textOf(page);
  // A fence may be indented below an item of a list.
  const indented = text.replaceAll(/^ +(?=```)/gm, '');
  const lines = fencesOf(indented)
    .flatMap((fence) => fence.text.replaceAll('\\\n', '').split('\n'))
    .flatMap((line) => line.split(/ +# (?:[A-Z][\w ]*: )?/))
    .map((line) => line.trim().replace(/^\$ /, ''));
  const prose = indented.replaceAll(/^```[\s\S]*?^```/gm, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...new Set([...lines, ...inline].filter((line) => lineOfOne.test(line)))];
}

/** The command of a page that begins so, for a test that runs it as it is printed. */
export function printedIn(page: string, beginning: string): string {
  const found = commandsIn(page).filter((command) => command.startsWith(beginning));
  if (found.length !== 1) throw new Error(`docs/${page}.md has ${found.length} of ${beginning}`);
  return found[0] ?? '';
}

/** The rows of tables that say what to do, as `first cell: last cell`, and the sections of alerts, as `alert: text`. */
export function rowsIn(page: string): readonly string[] {
  const lines = textOf(page).split('\n');
  const alerts = textOf(page).matchAll(/^### (Leasehold\w+)\n\n([^#]+)/gm);
  const sections = [...alerts].map(([, alert, text = '']) => `${alert}: ${text.trim()}`);
  const rows = lines.flatMap((line, index) => {
    if (!line.startsWith('|') || /^\| ?-/.test(line) || /^\| ?-/.test(lines[index + 1] ?? '')) {
      return [];
    }
    const head = lines.slice(0, index).findLast((_, at) => /^\| ?-/.test(lines[at + 1] ?? ''));
    if (!/(?:action|fix|solution) \|$/.test(head ?? '')) return [];
    const cells = line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''));
    return [`${cells[0]}: ${cells.at(-1)}`];
  });
  return [...rows, ...sections];
}

/** The items of the lists below a heading of a page. */
export function itemsIn(page: string, heading: string): readonly string[] {
  const [, after] = textOf(page).split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`docs/${page}.md has no ${heading}`);
  const [section = ''] = after.split(/^#{2,3} /m);
  return section
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    .split(/^(?:- |\d\. )/m)
    .slice(1)
    .map((item) => item.split('\n\n')[0]?.replaceAll(/\s+/g, ' ').trim() ?? '');
}
