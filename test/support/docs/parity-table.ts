import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test that a page names. */
export interface NamedTest {
  /** From the top of the repository. */
  readonly path: string;
  /** Of a test, a `describe`, a row of `.each`, or a case of bad input: as it stands in the file. */
  readonly title: string;
}

/** A row of a table whose last column is `held by`. */
export interface ParityRow {
  /** The nearest heading above, without its `#`. */
  readonly heading: string;
  /** The first cell. */
  readonly rule: string;
  /** All cells but the last one. */
  readonly cells: readonly string[];
  readonly tests: readonly NamedTest[];
}

/** The rows of all tables of a page whose last column is `held by`: links to files, each with titles in `*` after it. */
export function parityRowsOf(page: string): readonly ParityRow[] {
  const rows: ParityRow[] = [];
  let heading = '';
  let isHeld = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    if (!line.startsWith('|')) {
      isHeld = false;
      continue;
    }
    const cells = cellsOf(line);
    if (cells.at(-1) === 'held by') isHeld = true;
    else if (isHeld && !/^-+$/.test(cells[0] ?? '')) {
      const [rule = ''] = cells;
      rows.push({ heading, rule, cells: cells.slice(0, -1), tests: testsIn(cells.at(-1) ?? '') });
    }
  }
  return rows;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function testsIn(cell: string): NamedTest[] {
  let path = '';
  const named: NamedTest[] = [];
  for (const [, link, title] of cell.matchAll(/\]\(\.\.\/([^)]+)\)|\*([^*]+)\*/g)) {
    if (link !== undefined) path = link;
    else named.push({ path, title: title ?? '' });
  }
  return named;
}

/** True when the file has a test, a row of tests, or a case of bad input with just this title. */
export function hasTestNamed(root: string, { path, title }: NamedTest): boolean {
  const file = join(root, path);
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = path.endsWith('.yaml')
    ? new RegExp(`^ +- name: ${escaped}$`, 'm')
    : new RegExp(
        `(?:\\b(?:it|test|describe)(?:\\.\\w+)*\\(|\\)\\(|^\\s*\\[?)(['"\`])${escaped}\\1,`,
        'm',
      );
  return found.test(text);
}
