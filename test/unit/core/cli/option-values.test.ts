import { describe, expect, test } from 'vitest';
import { releaseTerms } from '../../../../src/core/cli/option-values.ts';

describe('the command that confirms releases', () => {
  test.each([
    [['synth'], '`leasehold synth --allow-release 4`'],
    [['synth', '--allow-release', '3'], '`leasehold synth --allow-release 4`'],
    [['synth', '--allow-release=3', '-q'], '`leasehold synth -q --allow-release 4`'],
    [
      ['release', "it's", '-C', 'my ips'],
      "`leasehold release 'it'\\''s' -C 'my ips' --allow-release 4`",
    ],
  ])('of %j is %s', (argv, command) => {
    expect(releaseTerms({ argv }, {}).allowingCommand(4)).toBe(command);
  });
});
