// Loaded with --require into a measured process of node: its own peak memory and processor time go to descriptor 3.
const { readFileSync, writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const megabytes = (ownPeak() ?? maxRSS) / 1024;
    writeSync(3, JSON.stringify({ megabytes, cpu: (userCPUTime + systemCPUTime) / 1e6 }));
  });
}

/** Kilobytes at the peak since the program was loaded: `maxRSS` also has those of the process that started it. */
function ownPeak() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'));
    return Number(kilobytes);
  } catch {
    return undefined;
  }
}
