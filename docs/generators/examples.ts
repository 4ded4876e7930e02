import { core } from '../../src/core/cli/core-commands.ts';
import type { Examples } from '../../src/core/cli/feature.ts';
import { features } from '../../src/features.ts';

const all = await Promise.all([core, ...features].map((feature) => feature.examples?.()));

/** The examples of all commands, by name. */
export const examples: Examples = Object.assign({}, ...all);
