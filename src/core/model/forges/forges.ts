import type { ForgeFacts } from './forge.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';

/** The forges, by name. */
export const forges = { github, gitlab } as const satisfies Readonly<Record<string, ForgeFacts>>;

/** The name of a forge. */
export type Forge = keyof typeof forges;

/** The names of the forges. */
export const forgeNames = Object.keys(forges) as readonly Forge[];

/** The forge of a name such as `github`; undefined for any other text. */
export function forgeOf(name: string | undefined): Forge | undefined {
  return forgeNames.find((forge) => forge === name);
}
