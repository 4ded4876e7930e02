import { describe, expect, it } from 'vitest';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { heldIn, notesOf, told } from '../../support/imports/imported-cluster.ts';
import { besideOperator, importedFromOperator } from '../../support/imports/vitistack-cluster.ts';
import { operatorPool, operatorService } from '../../support/imports/vitistack-operator.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content } from '../../support/trees/temp-tree.ts';

describe('the secret of a Service', () => {
  const own = { zone: 'inet', secret: 'addresses' };
  const one = operatorService({
    name: 'one',
    namespace: 'shop',
    addresses: ['192.0.2.7'],
    ipam: own,
  });
  const inet = operatorPool('inet', ['192.0.2.7']);

  it('is left, by its name, where the repository has no key of it', async () => {
    const root = besideOperator([one, inet]);
    const answer = await importedFromOperator(root);
    expect(notesOf(answer)).toContain(
      'left Service shop/one: its secret addresses is not imported: there is no leases/keys/shop/addresses.yaml: make the key with `leasehold key new shop/addresses` and name it in the declaration',
    );
    expect(content(root)['leases/shop/one.yaml']).not.toContain('secret');
    expect(await heldIn(root)).toEqual(['192.0.2.7 default/service/shop/one']);
  });

  it('is named where there is one, and not where those on one address disagree', async () => {
    const pools = poolsText(`metallb: { layout: pool }
emit: { providerLeasedIP: false }
pools: [{ name: inet, zone: inet, fence: open, addresses: [192.0.2.0/28] }]
`);
    const sharer = (name: string, port: number, secret: string) =>
      operatorService({
        name,
        namespace: 'shop',
        addresses: ['192.0.2.8'],
        ipam: { zone: 'inet', secret, 'allow-local-shared-ip': 'both' },
        spec: { ports: [{ port }] },
      });
    const root = besideOperator(
      [one, sharer('two', 80, 'addresses'), sharer('three', 443, 'default'), inet],
      { 'leases/pools.yaml': pools },
    );
    const made = await runInProcess(['key', 'new', 'shop/addresses'], root);
    expect(made.status).toBe(0);
    const answer = await importedFromOperator(root);
    expect(content(root)['leases/shop/one.yaml']).toContain('ipam.vitistack.io/secret: addresses');
    expect(notesOf(answer)).toContain(
      'left Service shop/two: its secret addresses is not imported: others on its address have another one',
    );
    expect(await heldIn(root)).toEqual([
      '192.0.2.7 default/service/shop/one',
      '192.0.2.8 default/shared/shop/both',
    ]);
  });
});

describe('a sharing key', () => {
  it('that two Services have on two addresses stays with the first', async () => {
    const service = (name: string, address: string) =>
      operatorService({
        name,
        namespace: 'dns',
        addresses: [address],
        ipam: { zone: 'inet', 'allow-local-shared-ip': 'names' },
      });
    const pool = operatorPool('inet', ['192.0.2.7', '192.0.2.8']);
    const root = besideOperator([service('a', '192.0.2.7'), service('b', '192.0.2.8'), pool]);
    expect(notesOf(await importedFromOperator(root))).toContain(
      'left Service dns/b: its sharing key names is not imported: another address of the namespace has it, and here a key has one address',
    );
    expect(await heldIn(root)).toEqual([
      '192.0.2.8 default/service/dns/b',
      '192.0.2.7 default/shared/dns/names',
    ]);
  });

  it('of the operator is not used as a name: Services that share by it get a key named by their address', async () => {
    const service = (name: string, port: number) =>
      operatorService({
        name,
        namespace: 'dns',
        addresses: ['192.0.2.7'],
        ipam: { zone: 'inet' },
        spec: { ports: [{ port }] },
      });
    const pool = operatorPool('inet', ['192.0.2.7']);
    const root = besideOperator([service('a', 80), service('b', 443), pool]);
    const answer = await importedFromOperator(root);
    expect(told(answer)).toEqual([
      'Reservation dns/a added 192.0.2.7',
      'Reservation dns/b added 192.0.2.7',
    ]);
    expect(JSON.stringify(answer)).not.toContain('pre-shared-key');
    expect(await heldIn(root)).toEqual(['192.0.2.7 default/shared/dns/ip-192-0-2-7']);
  });
});
