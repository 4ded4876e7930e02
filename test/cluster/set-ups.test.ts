import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Verification } from '../../src/features/cluster/verification-answer.ts';
import { emptyRepository } from '../support/cluster/lease-repository.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import { metallbVersions } from '../support/cluster/machines/metallb.ts';
import { SetUp, withFences } from '../support/cluster/set-up.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';

const day = '2026-11-20';

/** Set-ups of MetalLB as people publish them, in our own words: their shape, and Services that use them. */
const folder = 'test/support/cluster/set-ups';
const names = readdirSync(folder).map((file) => file.replace('.yaml', ''));

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('Set-ups as people have them', () => {
  describe.each(inScope(metallbVersions, (version) => version === '0.14.9'))(
    'MetalLB %s',
    (version) => {
      let machine: Machine;

      beforeAll(async () => {
        machine = await startMachine(temporaryKeeper(), version);
        for (const object of akashDefinitions()) await machine.plane.kube.apply(object);
      });
      afterAll(() => machine?.keeper.close());

      test.each(names)('%s is taken over, and no Service changes its address', async (name) => {
        const options = ['--kubeconfig', machine.plane.kubeconfig];
        const clone = mkdtempSync(join(machine.folder, 'repository-'));
        const repository = emptyRepository({ cli: program.cli, folder: clone });
        const verified = async (): Promise<Verification> =>
          JSON.parse((await repository.leasehold('verify', ...options, '-o', 'json')).out);
        const setUp = new SetUp(machine, join(folder, `${name}.yaml`));
        try {
          await setUp.begin();
          await repository.run(day, 'import', 'cluster', ...options, '--metallb', version);
          await setUp.applied(repository);
          await setUp.rendered(repository);
          await setUp.followed(await verified());
          await setUp.kept();
          const pools = withFences(repository.read('leases/pools.yaml'), await verified());
          await repository.change({ 'leases/pools.yaml': pools }, day);
          await setUp.applied(repository);
          const { claims, objects, findings } = await verified();
          const wrong = claims.filter(({ state }) => state !== 'no endpoints');
          const left = objects.filter(({ state }) => state !== 'kept');
          expect([wrong, left, findings]).toEqual([[], [], []]);
        } finally {
          await setUp.end();
        }
      });
    },
  );
});
