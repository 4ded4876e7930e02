/** Asks the DNS. */
export interface Dns {
  /** The texts of the TXT records of a name; empty for a name without any. */
  txt(name: string): Promise<DnsAnswer>;
  /** True when a resolver answers a question for a name that never exists, in whatever way. */
  answers(): Promise<boolean>;
}

/**
 * The answer of the DNS, or why there is none, such as `SERVFAIL`. `isSilent`: no resolver said
 * anything at all.
 */
export type DnsAnswer =
  | { readonly texts: readonly string[] }
  | { readonly failure: string; readonly isSilent: boolean };
