import { describe, expect, test } from 'vitest';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { serving } from '../../support/serve/server.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const pools = l2PoolText;

const linesOf = async (response: Response, prefix: string): Promise<readonly string[]> =>
  (await response.text()).split('\n').filter((line) => line.startsWith(prefix));

describe('requests', () => {
  test('are counted by the path of their route and the status, and not by what they ask for', async () => {
    const service = await serving(tempTree({ 'leases/pools.yaml': pools }));
    const asked = [
      ...['/health', '/api/v1/addresses/203.0.113.1', '/api/v1/addresses/203.0.113.2'],
      ...['/api/v1/addresses/x', '/nothing', '/nothing/else', `/${'a'.repeat(3000)}`],
    ];
    for (const path of asked) await (await service.get(path)).text();
    await fetch(`${service.url}/usage`, { method: 'PUT' });
    const listening = new AbortController();
    await fetch(`${service.url}/api/v1/events`, { signal: listening.signal });
    listening.abort();
    const lines = await linesOf(await service.get('/metrics'), 'leasehold_http_requests_total{');
    expect(lines.toSorted()).toEqual([
      'leasehold_http_requests_total{route="/api/v1/addresses/{address}",status="200"} 2',
      'leasehold_http_requests_total{route="/api/v1/addresses/{address}",status="400"} 1',
      'leasehold_http_requests_total{route="/api/v1/events",status="200"} 1',
      'leasehold_http_requests_total{route="/health",status="200"} 1',
      'leasehold_http_requests_total{route="/usage",status="405"} 1',
      'leasehold_http_requests_total{route="none",status="404"} 2',
      'leasehold_http_requests_total{route="none",status="414"} 1',
    ]);
  });

  test('without the token are counted as refused', async () => {
    const token = new TextEncoder().encode('a-long-token');
    const service = await serving(tempTree({ 'leases/pools.yaml': pools }), { token });
    await service.get('/api/v1/pools');
    const metrics = await service.get('/metrics', { Authorization: 'Bearer a-long-token' });
    expect(await linesOf(metrics, 'leasehold_http_requests_total{')).toEqual([
      'leasehold_http_requests_total{route="/api/v1/pools",status="401"} 1',
    ]);
  });

  test('have a time in a bucket that holds all of them', async () => {
    const service = await serving(tempTree({ 'leases/pools.yaml': pools }));
    await service.get('/usage');
    await service.get('/usage');
    const lines = await linesOf(
      await service.get('/metrics'),
      'leasehold_http_request_duration_seconds',
    );
    expect(lines).toContain(
      'leasehold_http_request_duration_seconds_bucket{le="+Inf",route="/usage"} 2',
    );
    expect(lines).toContain('leasehold_http_request_duration_seconds_count{route="/usage"} 2');
  });
});
