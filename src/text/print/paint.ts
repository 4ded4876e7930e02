import { createColors } from 'picocolors';

/** Colours for a terminal; every function returns its text unchanged when colour is off. */
export type Paint = ReturnType<typeof createColors>;

/** Colours, or none. */
export function paintOf(color: boolean): Paint {
  return createColors(color);
}
