import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillThresholds } from '../../src/core/model/pools.ts';
import { metricsText, RequestMetrics } from '../../src/features/serve/metrics-text.ts';
import { metricsOfService } from '../support/serve/metrics.ts';

/*
 * The tables of docs/monitoring.md are what the code says: the thresholds of fillThresholds, and the
 * metrics with the texts that Prometheus gets. UPDATE_GOLDEN=1 writes them.
 */
const page = new URL('../../docs/monitoring.md', import.meta.url);
const [start, end] = ['<!-- tables -->\n', '<!-- end of tables -->\n'];

function thresholdsTable(): string {
  const { filling, 'nearly full': nearly } = fillThresholds;
  const rows = [
    ['level', 'in use', 'or full in less than', 'color', 'alerts'],
    ['---', '--:', '--:', '---', '---'],
    ['ample', 'less', '', 'green', ''],
    ['filling', `${filling.percent} %`, `${filling.days} days`, 'yellow or orange', ''],
    [
      'nearly full',
      `${nearly.percent} %`,
      `${nearly.days} days`,
      'red',
      'LeaseholdPoolNearlyExhausted, LeaseholdPoolFillsSoon',
    ],
    ['full', '100 %', '', 'red', 'LeaseholdPoolExhausted'],
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

async function metricsTable(): Promise<string> {
  const requests = new RequestMetrics();
  requests.answered('/usage', 200, 0.001);
  const text = `${await metricsText(metricsOfService())}${await requests.text()}`;
  const samples = text.split('\n').filter((line) => !line.startsWith('#'));
  const rows = [...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name = '', help]) => {
    const own = samples.filter((line) => new RegExp(`^${name}(?:_bucket)?[{ ]`).test(line));
    const labels = own.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label]) => label));
    const asked = [...new Set(labels)].filter((label) => label !== 'le');
    return `| \`${name}\` | ${asked.join(', ')} | ${help} |\n`;
  });
  return `| metric | labels | meaning |\n| --- | --- | --- |\n${rows.join('')}`;
}

test('docs/monitoring.md has the thresholds and the metrics of the code', async () => {
  const tables = `
## Thresholds

The level of a pool, by its addresses in use or by the [forecast](capacity.md#before-bidding): in the plan, \`pools\`, the page, the alerts and the
dashboard.

${thresholdsTable()}
## Metrics

${await metricsTable()}
`;
  const written = readFileSync(page, 'utf8');
  const [head = '', rest = ''] = written.split(start);
  const [shown, tail = ''] = rest.split(end);
  if (process.env.UPDATE_GOLDEN === '1' && !process.env.CI) {
    writeFileSync(page, `${head}${start}${tables}${end}${tail}`);
  } else {
    expect(shown).toBe(tables);
  }
});
