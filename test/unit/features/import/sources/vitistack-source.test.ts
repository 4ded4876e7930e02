import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../../../../src/core/net/address.ts';
import type { Imported } from '../../../../../src/features/import/imported.ts';
import { documentsOf } from '../../../../../src/features/import/metallb/metallb-source.ts';
import { readVitistack } from '../../../../../src/features/import/sources/vitistack-source.ts';
import { exportedList } from '../../../../support/imports/exported-cluster.ts';
import { importFiles } from '../../../../support/imports/import-outcome.ts';
import { operatorPool, operatorService } from '../../../../support/imports/vitistack-operator.ts';

function read(...objects: readonly object[]): Imported {
  const outcome = readVitistack(
    importFiles({ 'live.yaml': exportedList(...objects) }).map(documentsOf),
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

/** What one Service says, with these annotations in the place of what the operator fills in. */
function termsWith(annotations: Readonly<Record<string, string>>, addresses = ['192.0.2.7']) {
  const { live } = read(operatorService({ name: 'app', addresses, ipam: annotations }));
  const [service] = live?.services ?? [];
  if (!service?.terms) throw new Error('nothing was read');
  return { ...service, terms: service.terms };
}

describe('a Service of ipam-operator', () => {
  it('declares only its zone when it has no other annotation', () => {
    const { terms, written, sharingKey } = termsWith({});
    expect(terms).toMatchObject({
      zone: { text: 'hnet-private' },
      ipFamily: undefined,
      retentionDays: 0,
      denyExternalCleanup: false,
      secret: undefined,
      sharingKey: undefined,
      notes: [],
    });
    expect(written.annotations).toEqual({ 'metallb.io/loadBalancerIPs': '192.0.2.7' });
    expect(sharingKey).toBeUndefined();
  });

  it.each([
    ['7', 7, undefined],
    ['30', 30, undefined],
    ['+7', 7, "is '+7', and is written 7"],
    ['007', 7, "is '007', and is written 7"],
    ['-5', 0, "is '-5', and is written 0"],
    ['31', 30, "is '31', and is written 30"],
    ['9'.repeat(400), 30, 'and is written 30'],
    ['seven', 0, "is 'seven', which is not a number"],
    ['7.0', 0, "is '7.0', which is not a number"],
    ['', 0, "is '', which is not a number"],
  ])('is kept for the days that Go reads in %j: %i', (text, days, told) => {
    const { terms } = termsWith({ 'retention-period-days': text });
    expect(terms.retentionDays).toBe(days);
    expect(terms.notes.map(({ message }) => message)).toEqual(
      told === undefined ? [] : [expect.stringContaining(told)],
    );
  });

  it.each([
    ['true', true, 0],
    ['T', true, 0],
    ['1', true, 0],
    ['false', false, 0],
    ['F', false, 0],
    ['yes', false, 1],
    ['', false, 1],
  ])('denies a cleanup by %j as Go reads it: %s', (text, denies, notes) => {
    const { terms } = termsWith({ 'deny-external-cleanup': text });
    expect(terms.denyExternalCleanup).toBe(denies);
    expect(terms.notes).toHaveLength(notes);
  });

  it.each([
    ['ipv4', ['192.0.2.7'], undefined, 0],
    ['ipv6', ['2001:db8::7'], 'ipv6', 0],
    ['dual', ['192.0.2.7', '2001:db8::7'], 'dual', 0],
    ['ipv4', ['192.0.2.7', '2001:db8::7'], undefined, 1],
    ['ipv6', ['192.0.2.7'], undefined, 1],
    ['both', ['192.0.2.7'], undefined, 1],
  ])('has the family that it says, where that is true: %s with %j', (text, has, family, notes) => {
    const { terms } = termsWith({ 'ip-family': text }, has);
    expect(terms.ipFamily).toBe(family);
    expect(terms.notes).toHaveLength(notes);
  });

  it.each([
    ['mail', 'mail', 0],
    ['', undefined, 0],
    [`pre-shared-key-${'a'.repeat(32)}`, undefined, 0],
    ['pre-shared-key-of-the-shop', undefined, 1],
    ['two words', undefined, 1],
  ])('may be joined by a key that a person chose: %j', (text, key, notes) => {
    const { terms } = termsWith({ 'allow-local-shared-ip': text });
    expect(terms.sharingKey?.text).toBe(key);
    expect(terms.notes).toHaveLength(notes);
    expect(JSON.stringify(terms.notes)).not.toContain(text || 'nothing');
  });

  it('names its secret, but for the default one', () => {
    expect(termsWith({ secret: 'shop' }).terms.secret?.text).toBe('shop');
    expect(termsWith({ secret: 'default' }).terms.secret).toBeUndefined();
  });

  it('reports every annotation that the operator does not know', () => {
    const { terms, written } = termsWith({ owner: 'ana', 'retention-days': '7' });
    expect(terms.notes.map(({ message }) => message)).toEqual([
      'the annotation ipam.vitistack.io/owner is not imported: ipam-operator does nothing with it',
      'the annotation ipam.vitistack.io/retention-days is not imported: ipam-operator does nothing with it',
    ]);
    expect(Object.keys(written.annotations)).toEqual(['metallb.io/loadBalancerIPs']);
  });
});

/** What nobody else may get, as `<who>: <why>`. */
function takenIn({ live }: Imported): readonly string[] {
  return (live?.taken ?? []).map(
    ({ address, by, why }) => `${formatAddress(address)} ${by}: ${why}`,
  );
}

describe('an address of ipam-api', () => {
  it('that the load balancer has not given is taken', () => {
    const waiting = operatorService({
      name: 'app',
      addresses: [],
      ipam: { addresses: '192.0.2.7, 2001:db8::7/128,nonsense' },
    });
    const imported = read(waiting);
    expect(imported.live?.services).toEqual([]);
    expect(takenIn(imported)).toEqual([
      '192.0.2.7 Service web/app: its annotation ipam.vitistack.io/addresses names 192.0.2.7, which it does not have',
      '2001:db8::7 Service web/app: its annotation ipam.vitistack.io/addresses names 2001:db8::7, which it does not have',
    ]);
    expect(imported.notes.map(({ message }) => message)).toContain(
      "its annotation ipam.vitistack.io/addresses has 'nonsense', which is not an address",
    );
  });

  it('is declared too when its Service is not a LoadBalancer any more', () => {
    const turned = operatorService({
      name: 'app',
      addresses: [],
      ipam: { addresses: '192.0.2.7' },
      spec: { type: 'ClusterIP' },
    });
    expect(takenIn(read(turned))).toHaveLength(1);
  });

  it('that a pool of the operator has, and nothing else, is taken', () => {
    const one = operatorService({ name: 'app', addresses: ['192.0.2.7'] });
    const waiting = operatorService({ name: 'w', addresses: [], ipam: { addresses: '192.0.2.9' } });
    const pool = operatorPool('inet', ['192.0.2.7', '192.0.2.8', '192.0.2.9']);
    expect(takenIn(read(one, waiting, pool))).toEqual([
      '192.0.2.9 Service web/w: its annotation ipam.vitistack.io/addresses names 192.0.2.9, which it does not have',
      '192.0.2.8 pool inet: no Service has its address 192.0.2.8, which ipam-api may still hold',
    ]);
  });

  it('is of the zone that its pool is called, and hnet-private the default one where it is', () => {
    const imported = read(
      operatorPool('inet', ['192.0.2.7']),
      operatorPool('hnet-private', ['10.0.0.1']),
    );
    expect(imported.pools.map(({ zone, isInUse }) => [zone, isInUse])).toEqual([
      ['inet', true],
      ['hnet-private', true],
    ]);
    expect(imported.defaultZone).toBe('hnet-private');
    expect(read(operatorPool('inet', ['192.0.2.7'])).defaultZone).toBeUndefined();
  });

  it('of a foreign pool with larger ranges is as MetalLB has it', () => {
    const { pools, live } = read({
      apiVersion: 'metallb.io/v1beta1',
      kind: 'IPAddressPool',
      metadata: { name: 'public', namespace: 'metallb-system' },
      spec: { addresses: ['192.0.2.0/28'], autoAssign: false },
    });
    expect(pools.map(({ zone, isInUse }) => [zone, isInUse])).toEqual([['public', false]]);
    expect(live?.taken).toEqual([]);
  });
});
