import type { ForgeFacts } from './forge.ts';
import { forgejo, gitea } from './gitea.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';

/** The forges, by name. */
export const forges = { github, gitlab, forgejo, gitea } as const satisfies Readonly<
  Record<string, ForgeFacts>
>;

/** The name of a forge. */
export type Forge = keyof typeof forges;

/** The facts about all forges. */
export const allForges: readonly ForgeFacts[] = Object.values(forges);

/** The names of the forges. */
export const forgeNames = Object.keys(forges) as readonly Forge[];

/** The forge of a name such as `github`; undefined for any other text. */
export function forgeOf(name: string | undefined): Forge | undefined {
  return forgeNames.find((forge) => forge === name);
}

/** The forge whose CI runs; undefined outside of a forge's CI. */
export function forgeOfCI(env: Parameters<ForgeFacts['isCI']>[0]): Forge | undefined {
  return forgeNames.find((forge) => forges[forge].isCI(env));
}

/**
 * The forge of a host such as `codeberg.org`, or of one that has its name as a part, such as
 * `gitlab.example.com`; undefined for any other host.
 */
export function forgeOfHost(host: string): Forge | undefined {
  const known = forgeNames.find((name) => forges[name].hosts?.includes(host));
  return known ?? host.split('.').slice(0, -1).map(forgeOf).find(Boolean);
}
