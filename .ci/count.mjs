// The last line of CI: what vitest's JSON reports add up to, with the steps that failed beside them.
// A test file that broke before its first test has no failed test, and counts as one.
import { existsSync, readFileSync } from 'node:fs';

const [broken, ...files] = process.argv.slice(2);
const results = files
  .filter((file) => existsSync(file))
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults);
const count = (status) =>
  results.reduce(
    (sum, { assertionResults }) =>
      sum + assertionResults.filter((result) => result.status === status).length,
    0,
  );
const brokenFiles = results.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
).length;
const failed = Math.max(count('failed') + brokenFiles, Number(broken));
console.log(`${count('passed')} passed, ${failed} failed`);
if (count('passed') === 0) process.exitCode = 1;
