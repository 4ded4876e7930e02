import type { Forge } from '../../../core/model/forges/forges.ts';
import type { ForgeClient } from './forge-client.ts';
import { forgejo, gitea } from './gitea.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';

/** How each forge is reached. */
export const forgeClients: Readonly<Record<Forge, ForgeClient>> = {
  github,
  gitlab,
  forgejo,
  gitea,
};
