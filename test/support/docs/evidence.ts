import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A test that holds a rule of a page. */
export interface NamedTest {
  /** From the top of the repository. */
  readonly path: string;
  /** Of a test, a `describe`, a row of `.each`, or a case of bad input: as it stands in the file. */
  readonly title: string;
}

/** A rule of a file in test/golden/held-by. */
export interface Evidence {
  /** The heading of the page that the rule is below, without its `#`. */
  readonly heading: string;
  /** The first cell of a row of the page. */
  readonly rule: string;
  /** True when the page has a row for it. */
  readonly isListed: boolean;
  /** The files in which the behavior was read. */
  readonly read: readonly string[];
  readonly tests: readonly NamedTest[];
}

interface WrittenRule {
  readonly rule: string;
  readonly listed?: boolean;
  readonly read?: readonly string[];
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

/** The rules of a file in test/golden/held-by, in its order. */
export function evidenceIn(text: string): readonly Evidence[] {
  const written: Readonly<Record<string, readonly WrittenRule[]>> = parse(text);
  return Object.entries(written).flatMap(([heading, rules]) =>
    rules.map(({ rule, listed = true, read = [], tests }) => ({
      heading,
      rule,
      isListed: listed,
      read,
      tests: Object.entries(tests).flatMap(([path, titles]) =>
        titles.map((title) => ({ path, title })),
      ),
    })),
  );
}

/** A row of a table of a page. */
export interface TableRow {
  /** The nearest heading above, without its `#`. */
  readonly heading: string;
  readonly cells: readonly string[];
}

/** The rows of all tables of a page, without their heads. */
export function tableRowsOf(page: string): readonly TableRow[] {
  const rows: TableRow[] = [];
  let heading = '';
  let isBody = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    if (line.startsWith('| ---')) isBody = true;
    else if (!line.startsWith('|')) isBody = false;
    else if (isBody) rows.push({ heading, cells: cellsOf(line) });
  }
  return rows;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
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
