#!/usr/bin/env node
// The program is loaded inside the try, so that a failure to load it is told in a sentence too.
try {
  const [{ processWorld }, { run }] = await Promise.all([
    import('./process-world.ts'),
    import('./run.ts'),
  ]);
  process.exitCode = await run(process.argv.slice(2), processWorld());
} catch (error) {
  const { syscall, message } = Object(error) as { syscall?: unknown; message?: unknown };
  if (syscall === undefined) throw error;
  const reason = String(message).split(',', 1)[0];
  process.stderr.write(
    `leasehold: ${syscall === 'uv_cwd' ? 'the current folder is gone' : reason}\n`,
  );
  process.exitCode = 74;
}
