import type { Clock } from '../../core/interfaces/clock.ts';
import { addToGroup } from '../../core/model/order.ts';
import { EnvironmentError, UnsureError } from '../../core/model/problem.ts';
import type { Posted } from './comment-answer.ts';
import type { Forge, ForgeComment } from './forge.ts';

/** The comments that a pull request must have. */
export interface CommentOrder {
  /** Identifies these comments among those of other runs on the same pull request. */
  readonly key: string;
  /** One body per comment, in this order; each begins with its {@link commentMarker}. */
  readonly bodies: readonly string[];
  /** The author of the comments; by default, queried from the forge. */
  readonly author?: string | undefined;
}

/** The hidden first line that identifies a comment of leasehold. Parts count from 1. */
export function commentMarker(key: string, part: number): string {
  return `<!-- leasehold:plan:${key}:${part} -->`;
}

/** How often the comments are listed before the run fails. */
const mostLooks = 5;

/** Milliseconds before the first retry after a request with unknown result. */
const firstPause = 2000;

/**
 * Makes the comments of a key equal to the order and leaves all others alone: creates missing
 * comments, updates different ones, and removes surplus parts and duplicates of concurrent jobs.
 * Lists the comments again after every change whose result is unsure. Throws an EnvironmentError
 * when they do not settle.
 */
export async function postComments(
  forge: Forge,
  order: CommentOrder,
  waiting: Clock,
): Promise<Posted> {
  const round = new Posting(forge, order, order.author ?? (await forge.author()));
  let doubt: UnsureError | undefined;
  for (let look = 1; look <= mostLooks; look += 1) {
    try {
      if (await round.isSettled()) return round.posted();
      doubt = undefined;
    } catch (error) {
      if (!(error instanceof UnsureError)) throw error;
      doubt = error;
      await waiting.pause(firstPause * look);
    }
  }
  throw (
    doubt ??
    new EnvironmentError(
      `the comments on ${forge.name} keep changing while they are written: run only one job at a time there, and try again`,
    )
  );
}

/** The state of one run, over all its rounds. */
class Posting {
  readonly #forge: Forge;
  readonly #order: CommentOrder;
  #author: string;
  /** Comments written by this run. A forge may not list them at once. */
  readonly #written = new Map<string, ForgeComment>();
  readonly #created = new Set<string>();
  readonly #updated = new Set<string>();
  readonly #removed = new Set<string>();
  /** Removed by someone else. A forge may still list them. */
  readonly #gone = new Set<string>();

  constructor(forge: Forge, order: CommentOrder, author: string) {
    this.#forge = forge;
    this.#order = order;
    this.#author = author;
  }

  /** Runs one round; true when no comment was created or had disappeared. */
  async isSettled(): Promise<boolean> {
    const ours = await this.#ours();
    let isSettled = true;
    for (const [index, body] of this.#order.bodies.entries()) {
      const [first, ...doubles] = ours.get(index + 1) ?? [];
      ours.delete(index + 1);
      if (first === undefined) {
        await this.#create(body);
        isSettled = false;
      } else if (!(await this.#bringUpToDate(first, body))) isSettled = false;
      await this.#remove(doubles);
    }
    for (const surplus of ours.values()) await this.#remove(surplus);
    return isSettled;
  }

  posted(): Posted {
    const all = this.#order.bodies.length;
    const created = this.#kept(this.#created).length;
    const updated = this.#kept(this.#updated).filter((id) => !this.#created.has(id)).length;
    const removed = [...this.#removed].filter((id) => !this.#created.has(id)).length;
    return { created, updated, removed, untouched: all - created - updated };
  }

  #kept(ids: ReadonlySet<string>): readonly string[] {
    return [...ids].filter((id) => !this.#removed.has(id) && !this.#gone.has(id));
  }

  /** This run's comments by part, oldest first. */
  async #ours(): Promise<Map<number, ForgeComment[]>> {
    const listed = new Map((await this.#forge.list()).map((comment) => [comment.id, comment]));
    const all = [...new Map([...listed, ...this.#written]).values()];
    const ours = new Map<number, ForgeComment[]>();
    for (const comment of all.sort(byAge)) {
      const isGone = this.#removed.has(comment.id) || this.#gone.has(comment.id);
      const part = isGone ? undefined : this.#partOf(comment);
      if (part !== undefined) addToGroup(ours, part, comment);
    }
    return ours;
  }

  /** The part number of a comment; undefined when it belongs to another key or author. */
  #partOf({ author, body }: ForgeComment): number | undefined {
    if (author.toLowerCase() !== this.#author.toLowerCase()) return undefined;
    const part = Number(/^<!-- leasehold:plan:[^:\s]+:([1-9]\d{0,5}) -->/.exec(body)?.[1]);
    return body.startsWith(commentMarker(this.#order.key, part)) ? part : undefined;
  }

  async #create(body: string): Promise<void> {
    const comment = await this.#forge.create(body);
    // The forge's answer overrides the expected author.
    if (comment.author !== '') this.#author = comment.author;
    this.#written.set(comment.id, { id: comment.id, author: this.#author, body });
    this.#created.add(comment.id);
  }

  /** False when the comment no longer exists. */
  async #bringUpToDate(comment: ForgeComment, body: string): Promise<boolean> {
    if (asKept(comment.body) === asKept(body)) return true;
    if (!(await this.#forge.update(comment.id, body))) {
      this.#written.delete(comment.id);
      this.#gone.add(comment.id);
      return false;
    }
    this.#written.set(comment.id, { ...comment, body });
    this.#updated.add(comment.id);
    return true;
  }

  async #remove(comments: readonly ForgeComment[]): Promise<void> {
    for (const { id } of comments) {
      await this.#forge.remove(id);
      this.#removed.add(id);
    }
  }
}

/** The body as a forge stores it: it may change line ends and trim the end. */
function asKept(body: string): string {
  return body.replaceAll('\r\n', '\n').trimEnd();
}

/** Ids are decimal without leading zeros, so a shorter id is smaller. */
function byAge(left: ForgeComment, right: ForgeComment): number {
  return left.id.length - right.id.length || (left.id < right.id ? -1 : Number(left.id > right.id));
}
