import type { Examples } from '../../../core/cli/feature.ts';

const owner = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';

/** Two examples for each command and subcommand. A test runs them all. */
export const examples: Examples = {
  declare: [
    [
      'declare a claim, and print its address',
      `declare ${owner}/18600002/1/1 \\\n    web 3000 --endpoint blog --external-port 80`,
    ],
    [
      'promise an address before there is a lease, on another branch',
      `declare --promise ${owner} \\\n    --endpoint relay --until 2026-12-01 --branch next -o json`,
    ],
  ],
  publish: [
    ['a branch for each cluster', "publish --branch 'deploy/{cluster}'"],
    ['what a tag has', "publish --branch 'deploy/{cluster}' --source v1.2.0"],
  ],
  purge: [
    ['remove a lease', `purge ${owner}/18600001/1/1`],
    ['remove a port of a lease', `purge ${owner}/18600001/1/1 \\\n    web 80/tcp`],
  ],
  reconcile: [
    ['follow main until a signal', 'reconcile'],
    ['one round, for a scheduled job', 'reconcile --once --branch next'],
  ],
};
