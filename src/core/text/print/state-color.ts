import type { Paint } from './problems-text.ts';

/** The colour of the state of an address, as in `src/features/page/page-style.ts`. */
export function stateColor(state: string, paint: Paint): (text: string) => string {
  if (state === 'held') return paint.blueBright;
  if (state === 'retained' || state === 'released') return paint.yellow;
  return state === 'reserved' ? paint.gray : String;
}

/** The colour of a judgement, as the page has it for its pools. */
export function judgementColor(
  judgement: 'good' | 'warn' | 'bad' | 'unknown',
  paint: Paint,
): (text: string) => string {
  const colors = { good: paint.green, warn: paint.yellow, bad: paint.red, unknown: paint.gray };
  return colors[judgement];
}
