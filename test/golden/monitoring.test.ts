import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { metricsText } from '../../src/report/metrics-text.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

const count = [{ cluster: 'default', count: 1 }];
const text = await metricsText({
  version: '0.1.0',
  source: 'main of origin',
  problems: 0,
  isStale: false,
  looks: { all: 1, failed: 0 },
  lookedAt: 1,
  freshAt: 1,
  state: {
    usages: {
      apiVersion: 'leasehold.dev/v1',
      kind: 'PoolUsages',
      day: '2026-01-01',
      items: [
        {
          pool: 'p',
          zone: 'z',
          state: 'active',
          families: [
            {
              ...{ family: 'ipv6', ranges: ['2001:db8::/64'], total: String(2n ** 64n) },
              ...{ reserved: '0', held: 1, retained: 0, free: String(2n ** 64n - 1n), percent: 0 },
            },
          ],
        },
      ],
    },
    ...{ leases: count, services: count, holders: count, waiting: count },
    ...{ commit: 'c0ffee', committedAt: 0 },
  },
});
const served = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
const namesIn = (words: string) => [...new Set(words.match(/leasehold_[a-z_]+/g) ?? [])].sort();

describe('what is shipped for monitoring', () => {
  test.each(['grafana-dashboard.json', 'alerts.yaml'])(
    '%s asks only for metrics that are served',
    (name) => {
      const names = namesIn(read(`../../docs/monitoring/${name}`));
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((one) => !served.includes(one))).toEqual([]);
    },
  );

  test('docs/monitoring.md names every metric, and no other', () => {
    expect(namesIn(read('../../docs/monitoring.md'))).toEqual(served.toSorted());
  });

  test('a panel of the dashboard has a place of its own', () => {
    const { panels } = JSON.parse(read('../../docs/monitoring/grafana-dashboard.json'));
    const cells = panels.flatMap(
      ({ gridPos }: { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }) =>
        Array.from({ length: gridPos.w * gridPos.h }, (_, index) =>
          [gridPos.x + (index % gridPos.w), gridPos.y + Math.floor(index / gridPos.w)].join(),
        ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
  });

  describe.skipIf(!hasPromtool)('for promtool', () => {
    test('the metrics are written as they should be', () => {
      expect(
        execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' }),
      ).toBe('');
    });

    test('the rules of alerts are sound, and fire when they should', () => {
      const folder = mkdtempSync(join(tmpdir(), 'leasehold-rules-'));
      const rules = join(folder, 'alerts.yaml');
      writeFileSync(rules, read('../../docs/monitoring/alerts.yaml'));
      execFileSync('promtool', ['check', 'rules', rules], { stdio: 'pipe' });
      const tests = at('./monitoring/alerts-rules-test.yaml');
      execFileSync('promtool', ['test', 'rules', tests], { stdio: 'pipe' });
    });
  });
});
