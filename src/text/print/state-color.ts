import type { Paint } from './problems-text.ts';

/** The colour of a state of an address, as the page has it: `src/features/picture/page-style.ts`. */
export function stateColor(state: string, paint: Paint): (text: string) => string {
  if (state === 'held') return paint.blueBright;
  if (state === 'retained' || state === 'released') return paint.yellow;
  return state === 'reserved' ? paint.gray : String;
}
