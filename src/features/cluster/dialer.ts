/** Opens TCP connections, to learn whether something answers. */
export interface Dialer {
  /**
   * Connects to a port of an IP address, sends nothing, and closes the connection.
   *
   * - `answers`: the connection was opened.
   * - `refuses`: the address answers, and nothing listens at the port.
   * - `silent`: no answer in time, or a router says that the address cannot be reached.
   * - `no route`: this machine has no route to the address, so nothing was sent.
   */
  dial(address: string, port: number): Promise<DialResult>;
}

/** The outcome of a connection; see {@link Dialer.dial}. */
export type DialResult = 'answers' | 'refuses' | 'silent' | 'no route';
