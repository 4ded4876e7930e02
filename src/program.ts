#!/usr/bin/env node
// Loads the program inside the try, so that a failure to load it is reported in a sentence too. Node emits the error of a
// program that cannot be started, such as git without open files, where no code of ours can catch it.
process.once('uncaughtException', (error) => {
  process.exit(systemFailure(error));
});
try {
  const [{ processContext }, { run }, { features }] = await Promise.all([
    import('./core/cli/process-context.ts'),
    import('./core/cli/run.ts'),
    import('./features.ts'),
  ]);
  process.exitCode = await run(process.argv.slice(2), features, processContext());
} catch (error) {
  process.exitCode = systemFailure(error);
}

/** Prints an error of the operating system in a sentence, and returns the exit status. Throws any other error. */
function systemFailure(error: unknown): number {
  const { syscall, message } = Object(error) as { syscall?: unknown; message?: unknown };
  if (syscall === undefined) throw error;
  const reason = String(message).split(',', 1)[0];
  process.stderr.write(
    `leasehold: ${syscall === 'uv_cwd' ? 'the current folder does not exist' : reason}\n`,
  );
  return 74;
}
