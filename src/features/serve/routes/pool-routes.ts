import { ownerUsages } from '../../ask/owner-usage.ts';
import { poolUsages } from '../../ask/pool-usage.ts';
import { jsonAnswer, jsonType } from './answers.ts';
import type { Route } from './route.ts';

/** How full the pools are, and what each owner has. */
export const poolRoutes: readonly Route[] = [
  {
    of: 'tree',
    path: '/api/v1/pools',
    summary: 'How full every pool is',
    media: jsonType,
    kind: 'PoolUsages',
    access: 'token',
    answer: ({ known, day }) => jsonAnswer(poolUsages(known, day)),
  },
  {
    of: 'tree',
    path: '/api/v1/owners',
    summary: 'What each owner has, and what its quota leaves',
    media: jsonType,
    kind: 'OwnerUsages',
    access: 'token',
    answer: ({ known, day }) => jsonAnswer(ownerUsages(known, day)),
  },
];
