/** Asks the DNS. */
export interface Dns {
  /** The texts of the TXT records of a name; empty for a name without any. */
  txt(name: string): Promise<DnsAnswer>;
}

/** What the DNS said, or why there is no answer, such as `SERVFAIL`. */
export type DnsAnswer = { readonly texts: readonly string[] } | { readonly failure: string };
