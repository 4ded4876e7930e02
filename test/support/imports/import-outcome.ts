import type { Outcome } from '../../../src/core/model/problem.ts';
import { formatRange } from '../../../src/core/net/range.ts';
import type { InputFile } from '../../../src/core/text/yaml/template-hints.ts';
import type { Imported } from '../../../src/features/import/imported.ts';

/** Files to import, by their names. */
export function importFiles(files: Readonly<Record<string, string>>): readonly InputFile[] {
  return Object.entries(files).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text),
  }));
}

/** What an import tells: its pools in short, and each note or problem as a line. */
export interface Told {
  readonly pools: readonly (readonly [name: string, addresses: string, by: string])[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/** An outcome as a test compares it. */
export function toldOf(outcome: Outcome<Imported>): Told {
  if (!outcome.ok) {
    const problems = outcome.problems.map(
      ({ code, message, at }) => `${at.file}:${at.line}:${at.column} ${code} ${message}`,
    );
    return { pools: [], notes: [], problems };
  }
  return {
    pools: outcome.value.pools.map(({ name, ranges, advertise }) => [
      name,
      ranges.map(({ range }) => formatRange(range)).join(' '),
      advertise.map(({ kind }) => kind).join(' and '),
    ]),
    notes: outcome.value.notes.map(
      ({ effect, subject, message, at }) =>
        `${at.file}:${at.line}:${at.column} ${effect} ${subject}: ${message}`,
    ),
    problems: [],
  };
}

/** The value of an outcome that is one. */
export async function sound<Value>(outcome: Promise<Outcome<Value>>): Promise<Value> {
  const settled = await outcome;
  if (!settled.ok) throw new Error(JSON.stringify(settled.problems));
  return settled.value;
}

/** A repository without a file. */
export const emptyTree = {
  list: () => [],
  read: (path: string): Uint8Array => {
    throw new Error(`there is no ${path}`);
  },
};
