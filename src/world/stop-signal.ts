/** Whether somebody has asked the process to end. */
export interface StopSignal {
  isStopped(): boolean;
  /** Resolves when somebody does. */
  readonly stopped: Promise<void>;
  /** Lets signals end the process again. */
  close(): void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** Takes SIGTERM and SIGINT as the wish to end after what is under way; a second one ends at once. */
export function stopSignal(): StopSignal {
  let isStopped = false;
  let tell = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const stop = (): void => {
    isStopped = true;
    close();
    tell();
  };
  const close = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return { isStopped: () => isStopped, stopped, close };
}
