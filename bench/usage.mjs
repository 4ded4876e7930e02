// Loaded with --import into a measured process: its peak memory and processor time go to descriptor 3.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(
    3,
    JSON.stringify({ megabytes: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 }),
  );
});
