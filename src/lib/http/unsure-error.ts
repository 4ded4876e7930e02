import { EnvironmentError } from '../../core/model/problem.ts';

/**
 * A request that must not be repeated was interrupted. Only reading the current state shows whether
 * it was carried out.
 */
export class UnsureError extends EnvironmentError {}
