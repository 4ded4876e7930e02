import type { Feature } from '../../core/cli/feature.ts';

/** Answers the requests of vitistack's ipam-operator by commits. */
export const ipam: Feature = { name: 'ipam' };
