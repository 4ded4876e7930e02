import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { editStrictARP } from '../../../../../src/features/setup/bootstrap/kube-proxy-edit.ts';

const edited = (text: string) =>
  editStrictARP({ name: 'kube-proxy.yaml', bytes: new TextEncoder().encode(text) });

const config = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
ipvs:
  scheduler: ""   # round robin
  strictARP: false
  syncPeriod: 0s

# How it runs.
mode: ipvs
`;
const inBlock = (text: string, header = '|') => `apiVersion: v1
data:
  config.conf: ${header}
${text.replace(/^(?=.)/gm, '    ')}  kubeconfig.conf: |-
    apiVersion: v1
kind: ConfigMap
metadata:
  name: kube-proxy # kubeadm's
  namespace: kube-system
  resourceVersion: "123"
`;
const changed = (text: string) => ({ ok: true, value: { text, state: 'changed', mode: 'ipvs' } });
const strict = config.replace('strictARP: false', 'strictARP: true');

describe('editStrictARP', () => {
  test('edits the configuration in the ConfigMap, and keeps every other line', () => {
    expect(edited(inBlock(config))).toEqual(changed(inBlock(strict)));
    expect(edited(inBlock(config, '|-'))).toEqual(changed(inBlock(strict, '|-')));
  });

  test('keeps CRLF line endings', () => {
    const crlf = (text: string) => inBlock(text).replaceAll('\n', '\r\n');
    expect(edited(crlf(config))).toEqual(changed(crlf(strict)));
  });

  test.each([
    ['spaces on a line of their own', (text: string) => text.replace('\n\n', '\n      \n')],
    ['no line break at the end', (text: string) => text.split('  kubeconfig')[0]?.trimEnd() ?? ''],
    [
      'empty lines after a block',
      (text: string) => text.replace('  kubeconfig', '\n\n  kubeconfig'),
    ],
  ])('keeps %s', (_, odd) => {
    const withKind = (text: string) =>
      `kind: ConfigMap\n${odd(inBlock(text, '|-').replace('kind: ConfigMap\n', ''))}`;
    expect(edited(withKind(config))).toEqual(changed(withKind(strict)));
  });

  test('edits a quoted text, as kubectl prints it in JSON', () => {
    const object = {
      kind: 'ConfigMap',
      data: { 'config.conf': config, other: 'x' },
      metadata: { name: 'kube-proxy' },
    };
    const edit = edited(JSON.stringify(object, null, 4));
    if (!edit.ok) throw new Error(JSON.stringify(edit.problems));
    expect(JSON.parse(edit.value.text)).toEqual({
      ...object,
      data: { 'config.conf': strict, other: 'x' },
    });
  });

  test.each([
    [config, strict],
    ['kind: KubeProxyConfiguration\nmode: ipvs\n', { strictARP: true }],
    ['kind: KubeProxyConfiguration\nmode: ipvs\nipvs:\n', { strictARP: true }],
    ['kind: KubeProxyConfiguration\nmode: ipvs\nipvs: {}\n', { strictARP: true }],
    ['kind: KubeProxyConfiguration\nmode: ipvs\nipvs: { strictARP: }\n', { strictARP: true }],
    [
      'kind: KubeProxyConfiguration\nmode: ipvs\nipvs:\n  scheduler: rr # r\n',
      { scheduler: 'rr', strictARP: true },
    ],
  ])('edits %j', (before, after) => {
    const edit = edited(before);
    if (!edit.ok) throw new Error(JSON.stringify(edit.problems));
    expect(edit.value.state).toBe('changed');
    if (typeof after === 'string') expect(edit.value.text).toBe(after);
    else expect(parse(edit.value.text)).toEqual({ ...parse(before), ipvs: after });
    expect(edited(edit.value.text)).toEqual({
      ok: true,
      value: { text: edit.value.text, state: 'strict', mode: 'ipvs' },
    });
    expect(edited(inBlock(before))).toEqual(changed(inBlock(edit.value.text)));
  });

  test.each([
    ['mode: ipvs', 'mode: ""', 'unneeded', ''],
    ['mode: ipvs', 'mode: nftables', 'unneeded', 'nftables'],
    ['strictARP: false', 'strictARP: true', 'strict', 'ipvs'],
  ])('changes nothing with %s as %s', (from, to, state, mode) => {
    const text = inBlock(config.replace(from, to));
    expect(edited(text)).toEqual({ ok: true, value: { text, state, mode } });
  });
});

describe('editStrictARP rejects', () => {
  test.each([
    ['', ['YAML_DOCUMENTS 1:1']],
    ['kind: Secret\n', ['KIND_UNKNOWN 1:7']],
    ['[]\n', ['FIELD_TYPE 1:1', 'FIELD_TYPE 1:1']],
    ['kind: ConfigMap\n', ['FIELD_MISSING 1:1']],
    ['kind: ConfigMap\ndata: { config: x }\n', ['FIELD_MISSING 2:7']],
    ['kind: ConfigMap\ndata: { config.conf: "" }\n', ['FIELD_MISSING 2:22']],
    ['kind: ConfigMap\ndata: { config.conf: 7 }\n', ['FIELD_MISSING 2:7', 'FIELD_TYPE 2:22']],
    [inBlock(config.replace('mode: ipvs', 'mode: [')), ['YAML_SYNTAX 12:11']],
    [inBlock(config.replace('KubeProxy', 'Kubelet')), ['KIND_UNKNOWN 5:11']],
    [inBlock(config.replace('strictARP: false', 'strictARP: perhaps')), ['FIELD_TYPE 8:18']],
    [
      'kind: KubeProxyConfiguration\nmode: ipvs\nipvs: &x { strictARP: false }\nx: *x\n',
      ['YAML_ALIAS 3:1'],
    ],
    [inBlock(config, '&c |').replace('name: kube-proxy', 'name: *c'), ['YAML_ALIAS 3:3']],
    [
      'kind: KubeProxyConfiguration\nmode: ipvs\nx: &x { strictARP: false }\nipvs: *x\n',
      ['YAML_ALIAS 4:1'],
    ],
  ])('%j', (text, problems) => {
    const edit = edited(text);
    expect(
      edit.ok ? [] : edit.problems.map(({ code, at }) => `${code} ${at.line}:${at.column}`),
    ).toEqual(problems);
  });
});

test('editStrictARP keeps a tag of the embedded configuration', () => {
  const tagged = inBlock(config, '!!binary |');
  expect(edited(tagged)).toEqual(changed(inBlock(strict, '!!binary |')));
});
