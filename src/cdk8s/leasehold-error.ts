/**
 * Why a construct has no address, or why a Service does not fit its Reservation. Any other code is
 * that of the problem that a declaration of the Service would have, as docs/problems.md lists them.
 */
export type LeaseholdErrorCode =
  | 'ADDRESS_MISSING'
  | 'CLUSTER_AMBIGUOUS'
  | 'DECLARATION_UNKNOWN'
  | 'FAMILY_MISSING'
  | 'PORT_UNDECLARED'
  | 'REPOSITORY_REFUSED'
  | 'SERVICE_MISMATCH'
  | 'SERVICE_WRITTEN'
  | (string & Record<never, never>);

/** The error that the constructs throw. */
export class LeaseholdError extends Error {
  readonly code: LeaseholdErrorCode;
  /** The next edit or command. */
  readonly hint: string;

  constructor(code: LeaseholdErrorCode, message: string, hint: string) {
    super(`${code} ${message}; ${hint}`);
    this.name = 'LeaseholdError';
    this.code = code;
    this.hint = hint;
  }
}
