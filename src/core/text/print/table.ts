import { accountShortener, accountsIn } from '../short-account.ts';
import { sanitize } from './escape.ts';
import type { Paint } from './problems-text.ts';
import { filledLines, nameLines, wordLines } from './wrap.ts';

/** A column of a table. In a block it is a line. */
export interface Column<Row> {
  /** In upper case, such as `ADDRESS`. */
  readonly name: string;
  /** The items of a list are below each other where one line would be too long. */
  readonly cell: (row: Row) => string | readonly string[];
  /** The cell at a terminal without `-o wide`, where it is shorter. */
  readonly fitted?: (row: Row) => readonly string[];
  /** Between the items of a list on one line; a comma when left out. */
  readonly separator?: string;
  readonly color?: (row: Row, paint: Paint) => (text: string) => string;
  /**
   * The part that a terminal leaves out when it is the same in all of several rows: the column, or the
   * folders that each cell begins with, such as `default/akash/`.
   */
  readonly omitSame?: 'column' | 'folder';
  /**
   * Where the line would be too long: sentences lose their end or go on in further lines, and names
   * go on in further lines, from {@link leastTable} characters on.
   */
  readonly prose?: 'cut' | 'wrap' | 'name';
  /**
   * The order in which columns are left out where the line would be too long: 1 and 2 before prose
   * and names are narrow, higher numbers after that.
   */
  readonly drop?: number;
  /** Where the items are below each other, the first ones are shown and the others are counted. */
  readonly few?: true;
  /** Only with `-o wide`. */
  readonly wide?: true;
}

/** Where a table is printed. */
export interface TableStyle {
  readonly paint: Paint;
  /** Characters of a line; undefined when stdout is not a terminal: nothing is fitted. */
  readonly width?: number | undefined;
  /** True for all columns, with nothing shortened. */
  readonly wide?: boolean;
  /** True for rows without the names of the columns. */
  readonly untitled?: boolean;
}

/** The cells of rows; a cell is its lines. */
type Cells = readonly (readonly (readonly string[])[])[];

/** Columns with their cells, ready to print. */
interface Grid<Row> {
  readonly columns: readonly Column<Row>[];
  readonly cells: Cells;
}

/** From this width on rows stay a table, with long names on several lines. */
const leastTable = 60;

/** The most items of a list that are all below each other, in a column that shows few. */
const mostItems = 3;

/**
 * Prints rows as columns like kubectl, with two spaces between. A terminal gets what fits its
 * width ({@link fittingGrid}); rows that do not fit become blocks of `Name: value` lines. An
 * address, a name or a number is never cut. `below` is printed after its row.
 */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  style: TableStyle,
  below: (row: Row) => string = () => '',
): string {
  const grid = fittingGrid(columns, rows, style);
  if (grid) return gridText(grid, rows, style, below);
  return blocksText(stackedGrid(fittedColumns(columns, rows), rows), rows, style, below);
}

/**
 * The columns as wide as a terminal allows: without what all rows share; then without the middle of
 * Akash accounts; then with the items of lists below each other; then without one column after the
 * other, in their order, from {@link narrowFrom} on with narrow prose and names. Undefined when not
 * even that fits.
 */
function fittingGrid<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  { width, wide, untitled }: TableStyle,
): Grid<Row> | undefined {
  if (wide === true || width === undefined) {
    const shown = wide === true ? all : all.filter((column) => column.wide !== true);
    return { columns: shown, cells: joinedCells(shown, rows) };
  }
  const fitted = fittedColumns(all, rows);
  const joined = withoutFolders(fitted, joinedCells(fitted, rows));
  const stacked = { columns: fitted, cells: withFewItems(fitted, stackedGrid(fitted, rows).cells) };
  const most = Math.max(0, ...fitted.map(({ drop }) => drop ?? 0));
  const levels = Array.from({ length: most + 1 }, (_, level) => level);
  const grids = levels
    .slice(0, narrowFrom)
    .flatMap((level) => [
      withoutColumns({ columns: fitted, cells: joined }, level),
      withoutColumns({ columns: fitted, cells: withShortAccounts(joined) }, level),
      withoutColumns(stacked, level),
    ]);
  const narrow = levels
    .slice(Math.min(most, narrowFrom - 1))
    .map((level) => withNarrowProse(withoutColumns(stacked, level), width));
  return [...grids, ...narrow].find(
    (grid) => lineWidth(widthsOf(grid, untitled !== true)) <= width,
  );
}

/** Columns that are left out before prose and names are narrow have lower numbers. */
const narrowFrom = 3;

/** Without the columns that are left out first, up to a number. */
function withoutColumns<Row>({ columns, cells }: Grid<Row>, most: number): Grid<Row> {
  const isKept = (_: unknown, index: number) => (columns[index]?.drop ?? most + 1) > most;
  return { columns: columns.filter(isKept), cells: cells.map((row) => row.filter(isKept)) };
}

/** The columns that differ, with what a terminal has in their cells. */
function fittedColumns<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  return all
    .filter(
      (column) => column.wide !== true && (column.omitSame !== 'column' || differs(column, rows)),
    )
    .map((column) => ({ ...column, cell: column.fitted ?? column.cell }));
}

function withFewItems<Row>(columns: readonly Column<Row>[], cells: Cells): Cells {
  return cells.map((row) =>
    row.map((items, index) =>
      columns[index]?.few !== true || items.length <= mostItems
        ? items
        : [...items.slice(0, mostItems - 1), `and ${items.length - mostItems + 1} more`],
    ),
  );
}

/** The items of lists below each other, with short accounts. */
function stackedGrid<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Grid<Row> {
  const cells = withShortAccounts(withoutFolders(columns, stackedCells(columns, rows)));
  return { columns, cells };
}

function joinedCells<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Cells {
  return rows.map((row) =>
    columns.map((column) => [itemsOf(column, row).join(column.separator ?? ',')]),
  );
}

function stackedCells<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Cells {
  return rows.map((row) => columns.map((column) => itemsOf(column, row)));
}

/** The items of a cell, `-` when there are none. Texts can come from tenants. */
function itemsOf<Row>({ cell }: Column<Row>, row: Row): readonly string[] {
  const content = cell(row);
  const items = typeof content === 'string' ? [content] : content;
  return items.length === 0 ? ['-'] : items.map(sanitize);
}

function differs<Row>(column: Column<Row>, rows: readonly Row[]): boolean {
  const texts = new Set(rows.map((row) => itemsOf(column, row).join(',')));
  return rows.length < 2 || texts.size > 1;
}

/** Leaves out the folders that all cells of a column begin with. */
function withoutFolders<Row>(columns: readonly Column<Row>[], cells: Cells): Cells {
  const same = columns.map(({ omitSame }, index) =>
    omitSame === 'folder' ? commonFolder(cells.map((row) => row[index]?.[0] ?? '')) : '',
  );
  return cells.map((row) =>
    row.map((lines, index) => lines.map((line) => line.slice(same[index]?.length ?? 0))),
  );
}

function commonFolder([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return '';
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (folder !== '' && !others.every((text) => text.startsWith(folder))) {
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  }
  return folder;
}

/** Leaves out the middle of Akash accounts; different accounts stay different. */
function withShortAccounts(cells: Cells): Cells {
  const shortened = accountShortener(accountsIn(cells.flat(2)));
  return cells.map((row) => row.map((lines) => lines.map(shortened)));
}

/** The fewest characters of a line of prose or of a name. */
const leastProse = 16;

/** Narrows the widest prose first, as far as a line needs; of a table, names too. */
function withNarrowProse<Row>({ columns, cells }: Grid<Row>, width: number): Grid<Row> {
  const widths = widthsOf({ columns, cells }, true);
  const kinds = columns.map(({ prose }) =>
    prose === 'name' && width < leastTable ? undefined : prose,
  );
  for (let over = lineWidth(widths) - width; over > 0; over -= 1) {
    const widest = kinds.reduce(
      (best, kind, index) =>
        kind && (widths[index] ?? 0) > (widths[best] ?? leastProse) ? index : best,
      -1,
    );
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const narrow = (text: string, index: number) => {
    const kind = kinds[index];
    if (kind === undefined) return [text];
    const most = widths[index] ?? 0;
    if (kind === 'name') return nameLines(text, most);
    if (kind === 'wrap') return wordLines(text, most);
    return [text.length <= most ? text : `${text.slice(0, most - 1)}…`];
  };
  const narrowed = cells.map((row) =>
    row.map((lines, index) => lines.flatMap((line) => narrow(line, index))),
  );
  return { columns, cells: narrowed };
}

function widthsOf<Row>({ columns, cells }: Grid<Row>, isTitled: boolean): number[] {
  const widths = columns.map(({ name }) => (isTitled ? name.length : 0));
  for (const row of cells) {
    for (const [index, lines] of row.entries()) {
      for (const { length } of lines) if (length > (widths[index] ?? 0)) widths[index] = length;
    }
  }
  return widths;
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, own) => sum + own + 2, -2);
}

function gridText<Row>(
  grid: Grid<Row>,
  rows: readonly Row[],
  { paint, untitled }: TableStyle,
  below: (row: Row) => string,
): string {
  const { columns, cells } = grid;
  const widths = widthsOf(grid, untitled !== true);
  const names = columns.map(({ name }) => [name]);
  const head = untitled === true ? '' : lineText(names, widths, []);
  const body = rows.map((row, index) => {
    const colors = columns.map(({ color }) => color?.(row, paint));
    return `${lineText(cells[index] ?? [], widths, colors)}${below(row)}`;
  });
  return [head, ...body].join('');
}

type Color = ((text: string) => string) | undefined;

/** The lines of a row. Padding is added outside of colours, which have no width. */
function lineText(row: Cells[number], widths: readonly number[], colors: readonly Color[]): string {
  const height = row.reduce((most, { length }) => Math.max(most, length), 1);
  return Array.from({ length: height }, (_, line) => {
    const texts = row.map((lines) => lines[line] ?? '');
    const last = texts.findLastIndex((text) => text !== '');
    const padded = texts.slice(0, last + 1).map((text, index) => {
      const space = index === last ? '' : ' '.repeat((widths[index] ?? 0) - text.length);
      return `${colored(text, colors[index])}${space}`;
    });
    return `${padded.join('  ')}\n`;
  }).join('');
}

function colored(text: string, color: Color): string {
  return color && text !== '' ? color(text) : text;
}

/** A block for each row, with an empty line between. A cell without content has no line. */
function blocksText<Row>(
  { columns, cells }: Grid<Row>,
  rows: readonly Row[],
  { paint, width = 0 }: TableStyle,
  below: (row: Row) => string,
): string {
  const longest = columns.reduce((most, { name }) => Math.max(most, name.length), 0);
  const blocks = rows.map((row, at) => {
    const lines = columns.flatMap(({ name, color, prose }, index) => {
      const content = (cells[at]?.[index] ?? []).filter((text) => text !== '' && text !== '-');
      const title = `${name.slice(0, 1)}${name.slice(1).toLowerCase()}:`.padEnd(longest + 2);
      const room = width - title.length;
      const words = prose === 'wrap' ? content.flatMap((text) => wordLines(text, room)) : content;
      return filledLines(words, ', ', room).map(
        (text, line) =>
          `${line === 0 ? title : ' '.repeat(title.length)}${colored(text, color?.(row, paint))}\n`,
      );
    });
    return `${lines.join('')}${below(row)}`;
  });
  return blocks.join('\n');
}
