import { compareText } from '../../../core/model/order.ts';
import { compareRanges, isRange, parseRange } from '../../../core/net/range.ts';
import type { WebAnswer, WebRequest } from '../../../lib/http/web.ts';
import type { QueryParameter } from '../../../lib/service/route.ts';
import { failureAnswer, jsonAnswer } from '../../../lib/service/route.ts';

/** The items of an answer: 10,000 leases are 20 answers of a third of a megabyte. */
const limits = { usual: 500, most: 1_000 } as const;

/** The query parameters of a list that is answered in parts. */
export const pageParameters: Readonly<Record<string, QueryParameter>> = {
  limit: {
    description: 'The most items of the answer',
    schema: { type: 'integer', minimum: 1, maximum: limits.most, default: limits.usual },
  },
  cursor: { description: 'Where to continue: `next` of the previous answer' },
};

/** How the items of a list are named in cursors. */
interface ListOrder<Item> {
  /** No other item of the list has this text. */
  readonly keyOf: (item: Item) => string;
  /**
   * Returns a test for the items after a key that the list no longer has; undefined when it is no
   * key. Without it, the list has an order that does not follow from the keys.
   */
  readonly isAfter?: (key: string) => ((item: Item) => boolean) | undefined;
}

/** A list in the order of texts that its items have. */
export function byText<Item>(keyOf: (item: Item) => string): ListOrder<Item> {
  return { keyOf, isAfter: (key) => (item) => compareText(keyOf(item), key) > 0 };
}

/** A list in the order of addresses. */
export const byAddress: ListOrder<{ readonly address: string }> = {
  keyOf: ({ address }) => address,
  isAfter(key) {
    const last = parseRange(key);
    if (!isRange(last)) return undefined;
    return ({ address }) => {
      const parsed = parseRange(address);
      return isRange(parsed) && compareRanges(parsed, last) > 0;
    };
  },
};

/** A request for a part of a list. */
interface PagedRequest extends WebRequest {
  /** The path of the route, which has the list. */
  readonly path: string;
}

/**
 * Answers a part of a list: the document that holds its items, with their total number and the
 * cursor of the next part. A cursor names the last item, so a walk goes on while the list changes:
 * an item that stays is in it once.
 */
export function pagedAnswer<Item>(
  request: PagedRequest,
  items: readonly Item[],
  {
    order,
    document,
  }: { readonly order: ListOrder<Item>; document(items: readonly Item[]): object },
): WebAnswer {
  const { path, query } = request;
  const limit = query.limit === undefined ? limits.usual : limitIn(query.limit);
  if (limit === undefined) return failureAnswer(400, `limit must be 1 to ${limits.most}`);
  // An empty cursor is the start, for loops that have none yet.
  const start = query.cursor ? startAfter(query.cursor, path, items, order) : 0;
  if (typeof start !== 'number') return start;
  const part = items.slice(start, start + limit);
  const last = part.at(-1);
  const total = items.length;
  if (last === undefined || start + limit >= total) {
    return jsonAnswer({ ...document(part), total });
  }
  const next = cursorOf(path, order.keyOf(last));
  const answer = jsonAnswer({ ...document(part), total, next });
  return { ...answer, headers: { Link: `<${linkTo(request, next)}>; rel="next"` } };
}

/** Answers a part of a document with a list of items, as {@link pagedAnswer} does. */
export function listAnswer<Item>(
  request: PagedRequest,
  list: { readonly items: readonly Item[] },
  order: ListOrder<Item>,
): WebAnswer {
  const document = (items: readonly Item[]) => ({ ...list, items });
  return pagedAnswer(request, list.items, { order, document });
}

function limitIn(text: string): number | undefined {
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : limits.most + 1;
  return limit <= limits.most ? limit : undefined;
}

function cursorOf(path: string, key: string): string {
  return Buffer.from(`${path} ${key}`, 'utf8').toString('base64url');
}

/** Returns the index after the item of a cursor, or the refusal of a cursor. */
function startAfter<Item>(
  cursor: string,
  path: string,
  items: readonly Item[],
  { keyOf, isAfter }: ListOrder<Item>,
): number | WebAnswer {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith(`${path} `)) return badCursor;
  const key = text.slice(path.length + 1);
  const index = items.findIndex((item) => keyOf(item) === key);
  if (index >= 0) return index + 1;
  if (isAfter === undefined) return goneCursor;
  const test = isAfter(key);
  return test === undefined ? badCursor : firstThat(items, test);
}

const badCursor = failureAnswer(400, 'cursor must be `next` of an answer of this path');

const goneCursor = failureAnswer(410, 'the list has changed at the cursor; start without a cursor');

/** Returns the index of the first item that passes a test, which all items after it pass too. */
function firstThat<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (test(items[middle] as Item)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Returns the request of the next part, with the filters of this one. */
function linkTo({ path, params, query }: PagedRequest, next: string): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  return `${filled}?${new URLSearchParams({ ...query, cursor: next })}`;
}
