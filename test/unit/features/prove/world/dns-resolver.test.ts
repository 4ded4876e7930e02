import { describe, expect, it } from 'vitest';
import { dnsResolver } from '../../../../../src/features/prove/world/dns-resolver.ts';
import { fakeDns } from '../../../../support/dns/fake-dns.ts';

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
    expect(await dns.txt('bad.example')).toEqual({ failure: 'SERVFAIL', isSilent: false });
  });

  it('tells a resolver that refuses a question from one that cannot be reached', async () => {
    const { server, records } = await fakeDns();
    expect(await dnsResolver(server).answers()).toBe(true);
    records.set('leasehold.invalid', 'SERVFAIL');
    expect(await dnsResolver(server).answers()).toBe(true);
    // The discard port, where nothing listens.
    const gone = dnsResolver('127.0.0.1:9');
    expect(await gone.txt('example.com')).toEqual({
      failure: 'the resolver cannot be reached',
      isSilent: true,
    });
    expect(await gone.answers()).toBe(false);
  });

  it.each(['dns.example', '192.0.2', '192.0.2.1:x'])('throws for %s', (server) => {
    expect(() => dnsResolver(server)).toThrow(TypeError);
  });
});
