import { run } from '../../src/core/cli/run.ts';
import type { Day } from '../../src/core/model/day.ts';
import { InternalError } from '../../src/core/model/problem.ts';
import type { Plan } from '../../src/core/run/plan/plan-answer.ts';
import { planText } from '../../src/core/run/plan/print/plan-text.ts';
import { paintOf } from '../../src/core/text/print/problems-text.ts';
import type { AddressMap } from '../../src/features/ask/address-map.ts';
import { features } from '../../src/features.ts';
import { mapPicture } from './map-picture.ts';
import { terminalPicture } from './terminal-picture.ts';

/**
 * The files of docs/images, by name: the plan of the changes in the working tree of `root`, and the
 * addresses with these changes.
 */
export async function readmePictures(root: string, day: Day): Promise<ReadonlyMap<string, string>> {
  const printed = (...argv: readonly string[]) => printedBy(argv, root, day);
  const plan: Plan = JSON.parse(await printed('plan', '-o', 'json'));
  const maps: AddressMap[] = [];
  for (const name of new Set(plan.pools.map(({ pool }) => pool))) {
    maps.push(JSON.parse(await printed('map', name, '-o', 'json')));
  }
  const added = plan.addresses
    .filter(({ change }) => change === 'allocated')
    .map(({ address }) => address);
  const paint = paintOf(true);
  const text = `${paint.bold('$ leasehold plan')}\n${planText(plan, { paint }, { manifests: false })}`;
  return new Map([
    ['plan.svg', terminalPicture(text, 'The output of leasehold plan for a new lease')],
    ['map.svg', mapPicture(maps, new Set(added), 'The addresses of the pools, with a new lease')],
  ]);
}

async function printedBy(argv: readonly string[], root: string, day: Day): Promise<string> {
  let printed = '';
  let failure = '';
  const status = await run(argv, features, {
    out: (text) => {
      printed += text;
    },
    err: (text) => {
      failure += text;
    },
    color: false,
    terminal: false,
    today: () => day,
    env: {},
    cwd: root,
  });
  if (status !== 0) throw new InternalError(`leasehold ${argv.join(' ')}: ${failure}`);
  return printed;
}
