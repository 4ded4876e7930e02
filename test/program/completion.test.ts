import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { example } from '../support/trees/example.ts';
import { putFile } from '../support/trees/temp-tree.ts';

let program: BuiltProgram;
let bashScript: string;

beforeAll(async () => {
  program = buildProgram();
  bashScript = await scriptOf('bash');
});
afterAll(() => program.remove());

// The package that makes the scripts prints them to the process itself.
const scriptOf = async (shell: string): Promise<string> => {
  const argv = [program.cli, 'completion', shell];
  const finished = await runProcess(process.execPath, argv, { cwd: '.' });
  expect([finished.status, finished.err]).toEqual([0, '']);
  return finished.out;
};

/**
 * What bash offers for the last of some words, by its own script. Where the package bash-completion
 * is not there, the one function of it that the script needs is.
 */
function offered(words: readonly string[], cwd: string): readonly string[] {
  const shell = `
    leasehold() { ${JSON.stringify(process.execPath)} ${JSON.stringify(program.cli)} "$@"; }
    compopt() { :; }
    _get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD; }
    ${bashScript}
    COMP_WORDS=(leasehold "$@") COMP_CWORD=$#
    COMP_WORDBREAKS=$' \\t\\n"><=;|&(:'
    $(complete -p leasehold | sed -E 's/.* -F ([^ ]+) .*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--noprofile', '--norc', '-c', shell, 'bash', ...words];
  return execFileSync('bash', args, { cwd, encoding: 'utf8' }).trimEnd().split('\n');
}

describe('completion', () => {
  test.each([
    ['bash', 'complete -F __leasehold_complete leasehold'],
    ['zsh', '#compdef leasehold'],
    ['fish', 'complete -c leasehold'],
  ])('has a script for %s', async (shell, line) => {
    expect(await scriptOf(shell)).toContain(line);
  });

  test.each([
    [['ver'], ['verify', 'verify-history']],
    [
      ['list', '-o', ''],
      ['table', 'wide', 'json', 'yaml', 'csv', 'values'],
    ],
    [['synth', '--allow-r'], ['--allow-release']],
    [['explain', 'POOL_EX'], ['POOL_EXHAUSTED']],
    [
      ['pools', ''],
      ['default', 'edge'],
    ],
    [['pools', 'e'], ['edge']],
    [['map', 'e'], ['edge']],
    [['verify', '--cluster', ''], ['default']],
    [
      ['list', '--pool', ''],
      ['default', 'edge'],
    ],
    [
      ['pools', '--zone', ''],
      ['inet', 'edge'],
    ],
    [
      ['list', '--state', 're'],
      ['released', 'retained'],
    ],
    [['who', '203.0.113.2'], ['203.0.113.29']],
    // Bash replaces only what is after the last colon or equals sign.
    [['who', '2001'], ['2001:db8:30::e0']],
    [['who', '2001:db8:30'], ['30::e0']],
    [['list', '--pool=e'], ['edge']],
    [['capacity', '--owner', 'akash10t'], ['akash10tn20rjmfdayukq6parfrm2tt2cdg3jgnpqhjm']],
    [['declare', '--promise', 'akash10t'], ['akash10tn20rjmfdayukq6parfrm2tt2cdg3jgnpqhjm']],
    [
      ['sdl', 'fill', 'a.yaml', '--owner', 'akash1c'],
      ['akash1cmz7mnneewuqfe3xm3vpnstp2a67w7s393ntz5'],
    ],
    [['who', 'akash10t'], ['akash10tn20rjmfdayukq6parfrm2tt2cdg3jgnpqhjm']],
    [
      ['move', 'default/akash/akash17'],
      [
        'default/akash/akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4-ip-mail',
        'default/akash/akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4-ip-shop',
      ],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('bash completes %j', (words, expected) => {
    expect(offered(words, example())).toEqual(expected);
  });

  test('offers a Service as people write it, and nothing of a record that a shell would evaluate', () => {
    const root = example();
    const record = (address: string, holder: string): void =>
      putFile(
        root,
        `leases/allocations/203.0.113/${address}.yaml`,
        `apiVersion: leasehold.dev/v1\nkind: Allocation\naddress: ${address}\npool: edge\nholder: ${holder}\nsince: 2026-11-20\nretain: 1\n`,
      );
    record('203.0.113.40', 'default/service/shop/web');
    record('203.0.113.42', 'default/shared/shop/own-key');
    record('203.0.113.41', 'default/service/$(touch hacked)/web');
    expect(offered(['release', 'shop'], root)).toEqual(['shop/web']);
    expect(offered(['who', '203.0.113.40'], root)).toEqual(['203.0.113.40']);
    expect(offered(['add', 'service', '--sharing-key', 'o'], root)).toEqual(['own-key']);
    expect(offered(['rename', '203.0.113.40'], root)).toEqual(['203.0.113.40']);
  });

  test('offers the pools of the folder that the line names, and none of a broken file', () => {
    const root = example();
    expect(offered(['-C', root, 'pools', 'e'], '/')).toEqual(['edge']);
    putFile(root, 'leases/pools.yaml', 'pools: [{name: $(touch hacked)}]\n');
    expect(offered(['pools', ''], root)).toEqual(['']);
  });
});
