// Starts `leasehold serve` for the benches, as a process of its own on a free port of loopback.
import { spawn } from 'node:child_process';

/**
 * Starts the server of a repository. Returns its process, its URL once it listens, what it prints, and how to stop it. It is
 * killed after `patience` milliseconds, so that no bench waits for a server that hangs.
 */
export function startServer(cli, root, patience) {
  const server = spawn(
    process.execPath,
    [cli, 'serve', '--listen', '127.0.0.1:0', '--interval', '1s'],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const closed = new Promise((ended) => server.once('close', ended));
  const limit = setTimeout(() => server.kill('SIGKILL'), patience);
  let said = '';
  const listening = new Promise((found, failed) => {
    server.stderr.on('data', (part) => {
      said += part;
      const url = /listening on (\S+)/.exec(said)?.[1];
      if (url) found(url);
    });
    server.once('close', () => failed(new Error(`serve ended before it listened\n${said}`)));
  });
  return {
    server,
    listening,
    said: () => said,
    async stop() {
      server.kill('SIGTERM');
      await closed;
      clearTimeout(limit);
    },
  };
}
