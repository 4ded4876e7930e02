/**
 * How much a run of the tests covers: `quick` for `npm test`, `usual` for the slower suites of every pull request,
 * `full` for the nightly run. The environment variable TEST_SCOPE chooses another one.
 */
export type Scope = 'quick' | 'usual' | 'full';

/** The scope of this run. */
export const scope: Scope = scopeOf(process.env.TEST_SCOPE);

/** Runs of a property: a twentieth of the count in a quick run, half of it in a usual one, four times as many in a full one. */
export function runs(count: number): number {
  const share = { quick: 0.05, usual: 0.5, full: 4 }[scope];
  return Math.max(1, Math.ceil(count * share));
}

/** How often something slow is repeated: the first count, and in a full run the second one. */
export function repeats(usual: number, full: number): number {
  return scope === 'full' ? full : usual;
}

/** Cases of one kind: in a quick run every so many-th of them. */
export function sample<Case>(cases: readonly Case[], every: number): readonly Case[] {
  return scope === 'quick' ? cases.filter((_, index) => index % every === 0) : cases;
}

/** The places of a scenario: all in a full run, else those that show each of its claims once. */
export function inScope<Place>(all: readonly Place[], isUsual: (place: Place) => boolean): Place[] {
  return scope === 'full' ? [...all] : all.filter(isUsual);
}

function scopeOf(text = 'quick'): Scope {
  if (text === 'quick' || text === 'usual' || text === 'full') return text;
  throw new Error(`TEST_SCOPE is ${text}; it must be quick, usual or full`);
}
