import { describe, expect, it } from 'vitest';
import { dnsResolver } from '../../../src/world/dns-resolver.ts';
import { fakeDns } from '../../support/dns/fake-dns.ts';

describe('dnsResolver', () => {
  it('joins the strings of a TXT record, and tells no record from no answer', async () => {
    const { server, records } = await fakeDns();
    records.set('long.example', ['x'.repeat(300), 'short']);
    records.set('empty.example', []);
    records.set('bad.example', 'SERVFAIL');
    const dns = dnsResolver(server);
    expect(await dns.txt('long.example')).toEqual({ texts: ['x'.repeat(300), 'short'] });
    expect(await dns.txt('empty.example')).toEqual({ texts: [] });
    expect(await dns.txt('none.example')).toEqual({ texts: [] });
    expect(await dns.txt('bad.example')).toEqual({ failure: 'SERVFAIL' });
  });

  it.each(['dns.example', '192.0.2', '192.0.2.1:x'])('throws for %s', (server) => {
    expect(() => dnsResolver(server)).toThrow(TypeError);
  });
});
