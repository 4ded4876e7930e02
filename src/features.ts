import type { Feature } from './core/cli/feature.ts';
import { add } from './features/add/feature.ts';
import { ask } from './features/ask/feature.ts';
import { bots } from './features/bots/feature.ts';
import { cluster } from './features/cluster/feature.ts';
import { exports } from './features/export/feature.ts';
import { forge } from './features/forge/feature.ts';
import { formats } from './features/formats/feature.ts';
import { imports } from './features/import/feature.ts';
import { inventory } from './features/inventory/feature.ts';
import { ipam } from './features/ipam/feature.ts';
import { keys } from './features/keys/feature.ts';
import { list } from './features/list/feature.ts';
import { move } from './features/move/feature.ts';
import { page } from './features/page/feature.ts';
import { prove } from './features/prove/feature.ts';
import { rename } from './features/rename/feature.ts';
import { resolve } from './features/resolve/feature.ts';
import { serve } from './features/serve/feature.ts';
import { setup } from './features/setup/feature.ts';

/** The features of the program. Their order decides nothing. */
export const features: readonly Feature[] = [
  add,
  ask,
  bots,
  cluster,
  exports,
  forge,
  formats,
  imports,
  inventory,
  ipam,
  keys,
  list,
  move,
  page,
  prove,
  rename,
  resolve,
  serve,
  setup,
];
