#!/usr/bin/env node
// Loads the program inside the try, so that a failure to load it is reported in a sentence too.
try {
  const [{ processContext }, { run }] = await Promise.all([
    import('./process-context.ts'),
    import('./run.ts'),
  ]);
  process.exitCode = await run(process.argv.slice(2), processContext());
} catch (error) {
  const { syscall, message } = Object(error) as { syscall?: unknown; message?: unknown };
  if (syscall === undefined) throw error;
  const reason = String(message).split(',', 1)[0];
  process.stderr.write(
    `leasehold: ${syscall === 'uv_cwd' ? 'the current folder does not exist' : reason}\n`,
  );
  process.exitCode = 74;
}
