import { describe, expect, test } from 'vitest';
import { isHostName, namesServer } from '../../../../src/lib/http/world/request-checks.ts';

describe('a Host header', () => {
  const allowed = ['leases.example.net', '.inner.example'];

  test.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]:8080',
    '[2001:db8::7]',
    'LOCALHOST:80',
    'operator-ip.akash-services.svc.cluster.local:8080',
    'operator-ip.akash-services.svc.cluster.local.:8080',
    'operator-ip.akash-services.svc',
    'leases.example.net',
    'a.inner.example:80',
  ])('%s names this server', (host) => {
    expect(namesServer(host, allowed)).toBe(true);
  });

  test.each([
    '',
    'rebound.example',
    'inner.example',
    'x.leases.example.net',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    'a.svc.cluster.local.rebound.example',
    'svc',
    '.svc',
    '[rebound.example]',
    '[127.0.0.1]',
    '127.0.0.1@rebound.example',
    'rebound.example:127.0.0.1',
    'localhost, rebound.example',
    '::1',
  ])('%s does not', (host) => {
    expect(namesServer(host, allowed)).toBe(false);
  });

  test('that is missing is of no browser', () => {
    expect(namesServer(undefined, [])).toBe(true);
  });
});

test('only names and suffixes of names can be allowed', () => {
  const names = ['leases.example.net', '.inner.example', 'a', 'my_host'];
  expect(names.filter(isHostName)).toEqual(names);
  const others = ['', '.', '..a', 'a.', 'a b', '*.a', 'a:80', 'a/b', '[::1]', 'A', '-a', 'a..b'];
  expect(others.filter(isHostName)).toEqual([]);
});
