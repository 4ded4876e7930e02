import { describe, expect, test } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const run = (root: string, ...argv: readonly string[]) => runInProcess(['serve', ...argv], root);

describe('the command line of serve', () => {
  test.each([
    ['--listen', 'example.org:80'],
    ['--listen', '127.0.0.1'],
    ['--listen', '127.0.0.1:65536'],
    ['--listen', '::1:8080'],
    ['--interval', 'soon'],
    ['--provider', 'akash1nobody'],
    ['--open-operator-endpoints'],
    ['--ipam-branch', 'main'],
    ['--ipam-branch', 'main', '--token-file', 'token'],
    ['--ipam-branch', '../main'],
    ['--ipam-namespaces', 'namespaces.json'],
  ])('ends with status 64 for %s %s', async (...argv) => {
    const { status, err } = await run(tempTree(), ...argv);
    expect(status).toBe(64);
    expect(err).not.toContain('    at ');
  });

  test('ends in 74 for a file that does not have the namespaces of a cluster', async () => {
    const { root } = await remadeTwoLeases();
    putFile(root, 'token', 'a-token-of-ours\n');
    putFile(root, 'names.json', '{"items":[]}');
    const ipam = ['--ipam-branch', 'main', '--ipam-namespaces', 'names.json'];
    const { status, err } = await run(root, '--token-file', 'token', ...ipam);
    expect([status, err]).toEqual([74, expect.stringContaining('names.json is without')]);
  });

  test('ends in 64 for a token that no client can send', async () => {
    const { root } = await remadeTwoLeases();
    putFile(root, 'token', 'two\nlines of it\n');
    const { status, err } = await run(root, '--token-file', 'token');
    expect([status, err]).toEqual([64, expect.stringContaining('no spaces')]);
    expect(err).not.toContain('lines of it');
  });
});
