import type { Child } from '../dom.ts';
import type { Store } from '../store.ts';
import type { ListName } from '../view.ts';

/** A value that a list is sorted by. */
type SortValue = string | number | bigint;

/** A column of a list. */
export interface Column<Row> {
  /** In the head, in CSV, and for a link in lower case with hyphens. */
  readonly name: string;
  /** For CSV and copying, and for the cell when that has no own content. */
  text(row: Row): string;
  /** The content of the cell; the text when it is left out. */
  cell?(row: Row, store: Store): readonly Child[];
  /** The value to sort by; the text when it is left out. */
  sortBy?(row: Row): SortValue;
  /** Its cells may break anywhere. */
  readonly isLong?: boolean;
  /** False for a picture that has nothing for the column. */
  isShown?(store: Store): boolean;
}

/** One of the lists below the map, with a table of its own. */
export interface List<Row> {
  readonly name: ListName;
  /** On the button that opens it. */
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  /** The rows of a picture that match the filters and the search, in their own order. */
  rows(store: Store): readonly Row[];
  /** How many rows there are: `7 addresses found`. */
  count(rows: readonly Row[], store: Store): string;
  /** The address or hostname of a row, which is marked while it is selected. */
  item?(row: Row): string;
  /** The owner of a row, whose addresses are lit while it is pointed at. */
  owner?(row: Row): string;
}

/** The columns that a picture has something for. */
export function shownColumns<Row>({ columns }: List<Row>, store: Store): readonly Column<Row>[] {
  return columns.filter((column) => column.isShown?.(store) ?? true);
}

/** The name of a column in a link. */
export function columnId({ name }: { readonly name: string }): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

/** The rows in the order of the view. Equal rows keep their own order. */
export function sortedRows<Row>(
  { columns }: List<Row>,
  rows: readonly Row[],
  store: Store,
): readonly Row[] {
  const { sort } = store.view;
  const column = sort && columns.find((one) => columnId(one) === sort.column);
  if (!sort || !column) return rows;
  const sortValue = (row: Row) => column.sortBy?.(row) ?? column.text(row);
  const valued = rows.map((row) => ({ row, value: sortValue(row) }));
  const sign = sort.isDescending ? -1 : 1;
  valued.sort((one, other) => sign * compareValues(one.value, other.value));
  return valued.map(({ row }) => row);
}

function compareValues(one: SortValue, other: SortValue): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
