// Adds up vitest's JSON reports: the last line of CI.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const sum = (key) => reports.reduce((total, report) => total + report[key], 0);
const [passed, failed] = [sum('numPassedTests'), sum('numFailedTests')];
console.log(`${passed} passed, ${failed} failed`);
if (passed === 0) process.exitCode = 1;
