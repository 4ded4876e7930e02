/** What one client, and all together, may take of the server. */
export const limits = {
  /** Bytes of a path with its query. */
  urlBytes: 2048,
  /** Bytes of all headers of a request. */
  headerBytes: 16_384,
  headerCount: 100,
  /** Milliseconds until the headers of a request have come, and until all of it has. */
  headersTime: 5_000,
  requestTime: 10_000,
  /** Milliseconds for which a connection waits for its next request. */
  keepAliveTime: 5_000,
  /** Milliseconds without a byte in any direction after which a connection is cut off. */
  idleTime: 60_000,
  /** Milliseconds between two looks for connections that are too slow. */
  checkTime: 1_000,
  /** Milliseconds between two looks for connections that are done, while the server ends. */
  sweepTime: 50,
  /** Milliseconds between two signs of life in a stream of events. */
  heartbeatTime: 15_000,
  /** Characters from which a body is a large one, and how many of those that nobody else gets are held for slow clients. */
  largeBody: 524_288,
  mostLarge: 16,
} as const;
