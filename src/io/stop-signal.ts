/** Whether somebody has asked the process to end. */
export interface StopSignal {
  isStopped(): boolean;
  /** Lets signals end the process again. */
  close(): void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** Takes SIGTERM and SIGINT as the wish to end after what is under way; a second one ends at once. */
export function stopSignal(): StopSignal {
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    close();
  };
  const close = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return { isStopped: () => isStopped, close };
}
