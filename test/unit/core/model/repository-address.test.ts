import { spawnSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import {
  artifactFault,
  isBranchName,
  repositoryFault,
  serverFault,
} from '../../../../src/core/model/repository-address.ts';

const unusual = 'has characters that are not letters, digits, . _ ~ : / @ % + or -';
const secret = 'contains credentials, which belong in a Secret';
const noArtifact = 'is not an address such as oci://HOST/PATH, without a tag';
const noAddress = 'is not an address such as https://HOST/PATH';

describe('the address of a repository', () => {
  test.each([
    'https://git.example.com/leases.git',
    'https://git.example.com:8443/a/b/',
    'http://gitea.gitea.svc:3000/ops/leases.git',
    'https://dev.azure.com/org/my%20project/_git/leases',
    'https://git.sr.ht/~ember/leases',
    'ssh://git@git.example.com:22/leases.git',
    'ssh://git.example.com/leases.git',
  ])('%s is one', (url) => {
    expect([repositoryFault(url, true), repositoryFault(url, false)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('has a short form, for engines that know it', () => {
    expect(repositoryFault('git@git.example.com:ops/leases.git', true)).toBeUndefined();
    expect(repositoryFault('git@git.example.com:ops/leases.git', false)).toBe(
      'is in the short form of ssh, expected ssh://git@HOST/PATH',
    );
  });

  test.each([
    ['https://ember:hunter2@git.example.com/leases', secret],
    ['https://ghp_token@git.example.com/leases', secret],
    ['http://@git.example.com/leases', secret],
    ['ssh://git:hunter2@git.example.com/leases', secret],
    ['ssh://-oProxyCommand@git.example.com/leases', secret],
    ['https://a@b@git.example.com/leases', secret],
    ['https://git.example.com/leases?private_token=x', unusual],
    ['https://git.example.com/leases#main', unusual],
    ['https://git.example.com/leases\n', unusual],
    ['https://git.example.com/a b', unusual],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux fills these in
    ['https://git.example.com/${path}', unusual],
    ['https://git.example.com/*', unusual],
    ['https://git.example.com/{a,b}', unusual],
    ['!https://git.example.com/leases', unusual],
    ['https://git.example.com/leases%0a', unusual],
    ['https://git.example.com/leases%7F', unusual],
    ['https://git.example.com/leases%zz', unusual],
    ['https://[2001:db8::1]/leases', unusual],
    ['https://git.example.com\\leases', unusual],
    ['https://gi\u202et.example.com/leases', unusual],
    ['', noAddress],
    ['leases', noAddress],
    ['https://git.example.com', noAddress],
    ['https://git.example.com/', noAddress],
    ['https:///leases', noAddress],
    ['https://git.example.com:70000/leases', noAddress],
    ['https://-git.example.com/leases', noAddress],
    ['git@-oProxyCommand:leases', noAddress],
    ['git@git.example.com:-leases', noAddress],
    ['file:///srv/leases', noAddress],
    ['ext::sh', noAddress],
    ['HTTPS://git.example.com/leases', noAddress],
    ['--upload-pack', noAddress],
  ])('%j %s', (url, fault) => {
    expect([repositoryFault(url, true), repositoryFault(url, false)]).toEqual([fault, fault]);
  });
});

describe('the URL of an API server', () => {
  test.each([
    'https://kubernetes.default.svc',
    'https://203.0.113.9:6443',
    'https://rancher.example.com/k8s/clusters/c-abc12',
  ])('%s is one', (url) => {
    expect(serverFault(url)).toBeUndefined();
  });

  const noServer = 'is not the URL of an API server, such as https://HOST';
  test.each([
    ['https://admin:hunter2@east.example.com', 'contains credentials, expected https://HOST'],
    ['http://east.example.com', noServer],
    ['east.example.com', noServer],
    ['https://*', noServer],
    ['https://east.example.com:99999', noServer],
    ['https://[2001:db8::1]:6443', noServer],
    ['https://east.example.com\n', noServer],
    ['', noServer],
  ])('%j %s', (url, fault) => {
    expect(serverFault(url)).toBe(fault);
  });
});

describe('the address of an artifact', () => {
  test.each([
    'oci://registry.example.com/leases',
    'oci://registry.flux-system.svc:5000/acme/prod.eu/leases_v2/a--b',
    'oci://ghcr.io/acme/leases',
  ])('%s is one', (url) => {
    expect(artifactFault(url)).toBeUndefined();
  });

  test.each([
    ['oci://ember:hunter2@registry.example.com/leases', secret],
    ['OCI://hunter2@registry.example.com/leases', secret],
    ['oci://registry.example.com', noArtifact],
    ['oci://registry.example.com/', noArtifact],
    ['oci://registry.example.com/leases/', noArtifact],
    ['oci://registry.example.com/leases:latest', noArtifact],
    ['oci://registry.example.com/leases@sha256:00', noArtifact],
    ['oci://registry.example.com/Leases', noArtifact],
    ['oci://registry.example.com/a___b', noArtifact],
    ['oci://registry.example.com/leases\n', noArtifact],
    ['oci://registry.example.com:70000/leases', noArtifact],
    ['oci://[2001:db8::1]/leases', noArtifact],
    ['https://registry.example.com/leases', noArtifact],
    ['', noArtifact],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux fills these in
    ['oci://registry.example.com/${path}', noArtifact],
  ])('%j is not one', (url, fault) => {
    expect(artifactFault(url)).toBe(fault);
  });
});

const names = [
  ...['main', 'deploy/default', 'a.b', 'a@b', 'ä', '{x}', "it's", '$(id)', 'a;b', 'x/-y', 'lock'],
  ...['', '-x', '--force', 'a..b', 'a b', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[', 'a\\b', 'HEAD'],
  ...[
    'a@{1}',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a\nb',
    'a\x7fb',
    'a\tb',
  ],
];

it('says no to what git would take for another name', () => {
  expect(['@', '@{-1}'].filter(isBranchName)).toEqual([]);
});

it.each(names)('says of the branch name %j what git says', (name) => {
  const { status } = spawnSync('git', ['check-ref-format', '--branch', name]);
  expect(isBranchName(name)).toBe(status === 0);
});
