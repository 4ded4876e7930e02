import type { Job } from '../job.ts';
import { akashJobs } from './akash.ts';
import { clusterJobs } from './clusters.ts';
import { historyJobs } from './history.ts';
import { hostnameJobs } from './hostnames.ts';
import { policyJobs } from './policy.ts';
import { poolJobs } from './pools.ts';
import { serviceJobs } from './services.ts';

/** All ordinary jobs of a team. */
export const jobs: readonly Job[] = [
  ...serviceJobs,
  ...poolJobs,
  ...akashJobs,
  ...hostnameJobs,
  ...clusterJobs,
  ...historyJobs,
  ...policyJobs,
];
