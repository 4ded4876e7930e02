import { familyOf, type PlainDeclaration } from './plain-workspace.ts';
import type { Played } from './played-steps.ts';
import type { Entries, Entry } from './records.ts';

/** Counts what random histories reached, so that a test can require it. */
export class Reached {
  lives = 0;
  whole = 0;
  steps = 0;
  refused = 0;
  /** Held addresses, summed over all steps. */
  held = 0;
  /** How often each kind of step, each change of an address, and each code of a refusal was there. */
  readonly counts = new Map<string, number>();

  /** Counts a step. */
  note({ kind, workspace, problems, before, after }: Played): void {
    this.steps += 1;
    this.#count(kind);
    for (const code of new Set(problems.map((problem) => problem.code))) this.#count(code);
    if (problems.length > 0) {
      this.refused += 1;
      return;
    }
    for (const [text, now] of after) {
      if (!now.released) this.held += 1;
      const change = changeOf(before.get(text), now);
      if (change !== undefined) this.#count(change);
    }
    this.#noteShapes(after, [...workspace.declared.values()]);
  }

  #noteShapes(after: Entries, declared: readonly PlainDeclaration[]): void {
    const holders = new Map<string, Set<string>>();
    for (const [text, { holder, released, promised }] of after) {
      if (released) continue;
      const families = holders.get(holder) ?? new Set();
      holders.set(holder, families.add(familyOf(text)));
      if (holder.includes('/shared/')) this.#count('held by sharers');
      if (holder.includes('/service/')) this.#count('held by a Service');
      if (promised) this.#count('held by a promise');
    }
    for (const families of holders.values()) if (families.size === 2) this.#count('dual');
    const groups = declared.filter((words) => words.kind !== 'Lease' && words.namespace === 'dns');
    if (groups.length === 2) this.#count('over two clusters');
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/** What happened to an address in a step; undefined for nothing. */
function changeOf(before: Entry | undefined, now: Entry): string | undefined {
  if (before === now) return undefined;
  if (now.movedFrom && now.since !== before?.since) return 'moved';
  if (!before) return 'given';
  if (before.released) return changeOfReleased(before, now);
  if (now.released) return before.promised ? 'left by a promise' : 'left';
  if (now.generation > before.generation) return 'another key by a signature';
  if (now.key !== before.key) return 'a first key';
  if (before.promised && !now.promised) return 'taken over by a lease';
  if (now.keepUntil !== before.keepUntil) return 'promised until a day';
  return now.retain === before.retain ? undefined : 'promised for longer';
}

function changeOfReleased(before: Entry, now: Entry): string | undefined {
  if (now.released) return undefined;
  const isKept = before.released !== undefined && now.since < before.released.freeFrom;
  if (isKept && now.generation > before.generation) {
    return now.holder === before.holder ? 'returned by a signature' : 'signed over to another';
  }
  if (now.holder !== before.holder) return 'given to another';
  return before.released && now.since < before.released.freeFrom
    ? 'returned while kept'
    : 'returned when free';
}
