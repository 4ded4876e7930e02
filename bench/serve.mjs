// Asks a running `leasehold serve` over loopback: requests a second, the server's processor time for each, latencies, memory, and
// the longest waits while all leases are read again. Arguments: leases (10000), seconds (5), the program (the built one).
import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measure } from './measure.mjs';
import { initRepository } from './repository.mjs';
import { startServer } from './server.mjs';
import { address, leasePath, writeWorkspace } from './workspace.mjs';

const [leases = 10_000, seconds = 5] = process.argv.slice(2, 4).map(Number);
const clients = 16;
const cli = resolve(process.argv[4] ?? join(import.meta.dirname, '../build/src/cli/main.js'));
const root = mkdtempSync(join(tmpdir(), 'leasehold-serve-'));
// The lease that is asked for; a small tree has fewer.
const some = Math.min(17, leases - 1);
const owner = address(`owner ${some}`);
const status = `/ip-lease-status/${owner}/${1_000_000 + some}/1/1`;
const paths = [
  '/health',
  '/usage',
  status,
  '/api/v1/pools',
  '/api/v1/status',
  `/api/v1/who/${owner}`,
  '/api/v1/leases',
  '/api/v1/picture/first',
  '/api/v1/picture',
];

// What the server says of itself is printed when it fails.
let running;
try {
  writeWorkspace(root, leases);
  initRepository(root);
  measure([cli, 'synth', '--today', '2026-01-02'], { cwd: root });
  await askServer();
} catch (error) {
  process.stderr.write(running?.said() ?? '');
  throw error;
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function askServer() {
  const started = performance.now();
  running = startServer(cli, root, 120_000 + 10_000 * seconds + 20 * leases);
  const { server, listening, stop } = running;
  try {
    const url = await listening;
    while ((await ask(`${url}/ready`, undefined)).status !== 200) await pause(20);
    console.log(
      `${leases} leases, ready after ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
    for (const path of paths) await load(server, url + path);
    const gzip = { 'accept-encoding': 'gzip' };
    for (const path of paths.slice(-3)) await load(server, url + path, gzip);
    for (let times = 0; times < 3; times += 1) await readAgain(url);
    console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
    if (process.platform === 'linux') {
      console.log(`${memory(server, 'VmHWM')} MB at its peak, ${memory(server, 'VmRSS')} MB now`);
    }
  } finally {
    await stop();
  }
}

async function load(server, url, headers = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times = [];
  let bytes = 0;
  const first = await ask(url, agent, headers);
  if (first.status !== 200) throw new Error(`${url}: ${first.status}`);
  const cpuBefore = cpuSeconds(server);
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const answer = await ask(url, agent, headers);
        if (answer.status !== first.status) throw new Error(`${url}: ${answer.status}`);
        times.push(answer.time);
        bytes = answer.bytes;
      }
    }),
  );
  agent.destroy();
  const cpu = ((cpuSeconds(server) - cpuBefore) / times.length) * 1e6;
  times.sort((left, right) => left - right);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  const rate = (times.length / seconds).toFixed(0).padStart(6);
  const { pathname } = new URL(url);
  const name = `${pathname.replace(owner, 'OWNER')} ${headers['accept-encoding'] ?? ''}`.padEnd(40);
  console.log(
    `${name} ${first.status} ${String(bytes).padStart(8)} bytes ${rate}/s ${cpu.toFixed(0).padStart(6)} us cpu  first ${first.time.toFixed(0)} ms, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${times.at(-1).toFixed(1)} ms`,
  );
}

/** Touches every lease, and asks until the state that was read then is served, and a second more. */
async function readAgain(url) {
  const before = await revision(url);
  const now = new Date();
  for (let index = 0; index < leases; index += 1)
    utimesSync(join(root, leasePath(index)), now, now);
  const agent = new Agent({ keepAlive: true });
  const longest = { '/health': 0, '/usage': 0, [status]: 0 };
  let isOver = false;
  const asking = Object.keys(longest).map(async (path) => {
    while (!isOver) {
      longest[path] = Math.max(longest[path], (await ask(url + path, agent)).time);
      await pause(2);
    }
  });
  const looking = async () => {
    try {
      while ((await revision(url)) === before) await pause(200);
      await pause(1000);
    } finally {
      isOver = true;
    }
  };
  await Promise.all([...asking, looking()]);
  agent.destroy();
  const waits = Object.entries(longest).map(
    ([path, time]) => `${path.replace(owner, 'OWNER')} ${time.toFixed(0)} ms`,
  );
  console.log(`longest waits while ${leases} leases are read again: ${waits.join(', ')}`);
}

async function revision(url) {
  const answer = await fetch(`${url}/api/v1/status`);
  return (await answer.json()).revision.seenAt;
}

function ask(url, agent, headers = {}) {
  const begun = performance.now();
  return new Promise((done, failed) => {
    get(url, { agent, headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (part) => {
        bytes += part.length;
      });
      answer.on('error', failed);
      answer.on('end', () =>
        done({ status: answer.statusCode, bytes, time: performance.now() - begun }),
      );
    }).on('error', failed);
  });
}

/** User and system time of a process, in ticks of a hundredth of a second. NaN where there is no /proc. */
function cpuSeconds(server) {
  if (process.platform !== 'linux') return Number.NaN;
  const text = readFileSync(`/proc/${server.pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) / 100;
}

function memory(server, name) {
  const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+)`).exec(
    readFileSync(`/proc/${server.pid}/status`, 'utf8'),
  );
  return (Number(kilobytes) / 1024).toFixed(0);
}
