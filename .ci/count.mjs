// The last lines of CI: each failed test with its reason, and what vitest's JSON reports add up to, with the steps that
// failed beside them. A test file that broke before its first test has no failed test, and counts as one.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The most failures that are printed, and the most characters of each reason. */
const [mostFailures, mostCharacters] = [40, 600];

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
const failures = results
  .filter(({ status }) => status === 'failed')
  .flatMap(({ name, message, assertionResults }) => {
    const tests = assertionResults.filter((result) => result.status === 'failed');
    const place = relative('.', name);
    return tests.length === 0
      ? [`${place}: ${message}`]
      : tests.map(({ fullName, failureMessages }) => `${place}: ${fullName}: ${failureMessages[0]}`);
  });
for (const failure of failures.slice(0, mostFailures)) {
  console.log(`failed: ${failure.slice(0, mostCharacters)}`);
}
const failed = Math.max(failures.length, Number(broken));
console.log(`${count('passed')} passed, ${failed} failed`);
if (count('passed') === 0) process.exitCode = 1;
