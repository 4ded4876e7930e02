import { EnvironmentError } from '../../model/problem.ts';
import { type Forge, type ForgeComment, UnsureError } from '../../ports/forge.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** What is to stand on a pull request. */
export interface CommentOrder {
  /** Tells the comments of several runs on one pull request apart. */
  readonly key: string;
  /** One comment each, in this order; each begins with its {@link commentMarker}. */
  readonly bodies: readonly string[];
  /** Who writes; asked of the forge when left out. */
  readonly author?: string | undefined;
}

/** How many comments were written, and how many were right as they stood. */
export interface Posted {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly untouched: number;
}

/** The hidden first line that a comment of ours is found by. Parts count from 1. */
export function commentMarker(key: string, part: number): string {
  return `<!-- leasehold:plan:${key}:${part} -->`;
}

/** How often the comments are looked at before it is given up. */
const mostLooks = 5;

/** Milliseconds before the first new look at what a forge did that broke off. */
const firstPause = 2000;

/**
 * Makes the comments of a key those of the order, and touches no other: writes what is missing, updates
 * what differs, removes parts of a longer plan and doubles of two jobs that ran at once. Looks again
 * after everything that it is not sure of; throws an EnvironmentError when that never comes to rest.
 */
export async function postComments(
  forge: Forge,
  order: CommentOrder,
  waiting: Waiting,
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
      `the comments on ${forge.name} change while they are written: let one job at a time post there, and run it again`,
    )
  );
}

/** One run over the comments, as often as it takes. */
class Posting {
  readonly #forge: Forge;
  readonly #order: CommentOrder;
  #author: string;
  /** What was written here: a list that is read right after may lack it. */
  readonly #written = new Map<string, ForgeComment>();
  readonly #created = new Set<string>();
  readonly #updated = new Set<string>();
  readonly #removed = new Set<string>();
  /** Removed by somebody else, although a list may still have it. */
  readonly #gone = new Set<string>();

  constructor(forge: Forge, order: CommentOrder, author: string) {
    this.#forge = forge;
    this.#order = order;
    this.#author = author;
  }

  /** Looks, and puts right what is not; true when nothing was created or found gone. */
  async isSettled(): Promise<boolean> {
    const ours = await this.#ours();
    let isSettled = true;
    for (const [index, body] of this.#order.bodies.entries()) {
      const [first, ...doubles] = ours.get(index + 1) ?? [];
      ours.delete(index + 1);
      if (first === undefined) {
        await this.#create(body);
        isSettled = false;
      } else if (!(await this.#makeRight(first, body))) isSettled = false;
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

  /** Comments of ours by part, each in the order in which they were written. */
  async #ours(): Promise<Map<number, ForgeComment[]>> {
    const listed = new Map((await this.#forge.list()).map((comment) => [comment.id, comment]));
    const all = [...new Map([...listed, ...this.#written]).values()];
    const ours = new Map<number, ForgeComment[]>();
    for (const comment of all.sort(byAge)) {
      const isGone = this.#removed.has(comment.id) || this.#gone.has(comment.id);
      const part = isGone ? undefined : this.#partOf(comment);
      if (part !== undefined) ours.set(part, [...(ours.get(part) ?? []), comment]);
    }
    return ours;
  }

  /** Which part of the key's plan a comment is; undefined for everybody else's. */
  #partOf({ author, body }: ForgeComment): number | undefined {
    if (author.toLowerCase() !== this.#author.toLowerCase()) return undefined;
    const part = Number(/^<!-- leasehold:plan:[^:\s]+:([1-9]\d{0,5}) -->/.exec(body)?.[1]);
    return body.startsWith(commentMarker(this.#order.key, part)) ? part : undefined;
  }

  async #create(body: string): Promise<void> {
    const comment = await this.#forge.create(body);
    // Who wrote it is what the forge says, also when it was thought to be somebody else.
    if (comment.author !== '') this.#author = comment.author;
    this.#written.set(comment.id, { id: comment.id, author: this.#author, body });
    this.#created.add(comment.id);
  }

  /** False when the comment is gone. */
  async #makeRight(comment: ForgeComment, body: string): Promise<boolean> {
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

/** A forge may keep other line ends than it was sent, and no space at the end. */
function asKept(body: string): string {
  return body.replaceAll('\r\n', '\n').trimEnd();
}

/** Ids are digits without leading zeros: the shorter one is the smaller. */
function byAge(left: ForgeComment, right: ForgeComment): number {
  return left.id.length - right.id.length || (left.id < right.id ? -1 : Number(left.id > right.id));
}
