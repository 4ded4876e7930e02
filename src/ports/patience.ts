/** How long a use case waits for something that may never end. */
export interface Patience {
  /** True when work ended within some milliseconds, well or not; it goes on when it did not. */
  endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean>;
}
