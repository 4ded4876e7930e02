import type { Position } from '../../../model/problem.ts';

/** One thing that was changed in the values of a provider. */
export interface ProviderEditChange {
  readonly field: string;
  /** As the file says it; undefined where it says nothing. */
  readonly from: string | undefined;
  readonly to: string;
  /** Where the file says it; undefined where it says nothing. */
  readonly at: Position | undefined;
}

/** The edited values of a provider. */
export interface ProviderEdit {
  readonly text: string;
  /** None when the file says so already. */
  readonly changes: readonly ProviderEditChange[];
  /** Where the file as it was advertises `ip-lease`; undefined when it does not. */
  readonly advertised: Position | undefined;
}
