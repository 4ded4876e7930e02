import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { forges } from '../../../../../src/core/model/forges/forges.ts';
import { ciTexts } from '../../../../../src/features/setup/init/forge-setup.ts';
import {
  cdk8sCli,
  cdk8sText,
  packageText,
  toolThere,
} from '../../../../../src/features/setup/init/tool.ts';
import {
  attributesText,
  editorText,
  ignoreText,
} from '../../../../../src/features/setup/init/wanted-files.ts';
import type { Step } from '../../../../support/forge/ci-kit.ts';
import { treeOf } from '../../../../support/trees/memory-tree.ts';

const tool = {
  kind: 'git' as const,
  url: 'https://github.com/acme/leasehold.git',
  ref: 'v0.1.0',
};
const source = `git+${tool.url}#${tool.ref}`;
const shipped = (path: string): string => readFileSync(resolve(path), 'utf8');

describe('.gitignore and .gitattributes', () => {
  test('keep existing lines, and get missing ones once', () => {
    expect(ignoreText(undefined)).toBe('node_modules/\n.leasehold/\n');
    expect(ignoreText('a\r\n.leasehold/\r\n')).toBe('a\r\n.leasehold/\r\nnode_modules/\n');
    expect(ignoreText('a')).toBe('a\nnode_modules/\n.leasehold/\n');
    const attributes = attributesText('*.png binary\n');
    expect(attributes).toMatch(/^\*\.png binary\n\* text=auto eol=lf\n/);
    expect(attributesText(attributes)).toBe(attributes);
  });
});

describe('.vscode/settings.json', () => {
  const schemas = {
    './node_modules/leasehold/docs/schemas/leases.schema.json': 'leases/**/*.yaml',
  };

  test('gets the schema, and keeps everything else', () => {
    expect(JSON.parse(editorText(undefined) ?? '')).toEqual({ 'yaml.schemas': schemas });
    const own = '{"a": 1, "yaml.schemas": {"./b.json": "c"}}';
    const text = editorText(own) ?? '';
    expect(JSON.parse(text)).toEqual({ a: 1, 'yaml.schemas': { './b.json': 'c', ...schemas } });
    expect(editorText(text)).toBe(text);
  });

  test.each(['// mine\n{}', '[]', '', '{"yaml.schemas": 1}'])('is kept when it is %j', (text) => {
    expect(editorText(text)).toBeUndefined();
  });
});

describe('package.json', () => {
  const newText = (existing: string | undefined): string => {
    const text = packageText(existing, tool);
    if (typeof text !== 'string') throw new Error(JSON.stringify(text));
    return text;
  };

  test('is created, or keeps its other fields', () => {
    expect(JSON.parse(newText(undefined))).toEqual({
      private: true,
      devDependencies: { leasehold: source },
    });
    const own = '{"name":"x","devDependencies":{"leasehold":"1.0.0","a":"1"}}';
    const text = newText(own);
    expect(JSON.parse(text)).toEqual({ name: 'x', devDependencies: { leasehold: source, a: '1' } });
    expect(packageText(text, tool)).toBe(text);
    const tabs = text.replaceAll('  ', '\t');
    expect(packageText(tabs, tool)).toBe(tabs);
  });

  test.each(['', ' \n', '{}'])('%j gets the dependency', (text) => {
    expect(JSON.parse(newText(text)).devDependencies).toEqual({ leasehold: source });
  });

  test('keeps the dependency where npm install has put it without --save-dev', () => {
    const own = { dependencies: { leasehold: 'file:leasehold-0.1.0.tgz', a: '1' } };
    const text = newText(JSON.stringify(own));
    expect(JSON.parse(text)).toEqual({ dependencies: { leasehold: source, a: '1' } });
    const there = toolThere(treeOf({ 'package.json': JSON.stringify(own) }));
    expect(there).toBe('leasehold-0.1.0.tgz');
  });

  test('keeps a byte order mark and its other fields', () => {
    const text = newText('\uFEFF{"scripts":{"a":"b"}}');
    expect(text.startsWith('\uFEFF{')).toBe(true);
    expect(JSON.parse(text.slice(1))).toMatchObject({ scripts: { a: 'b' } });
  });

  test.each(['[]', 'null', '{', '{"a":1,}', '{"devDependencies":[]}'])(
    '%j is refused, because its content would be lost',
    (text) => {
      expect(packageText(text, tool)).toMatchObject([{ code: 'FIELD_TYPE' }]);
    },
  );
});

describe('the CI kit', () => {
  test.each(['github', 'gitlab', 'forgejo', 'gitea'] as const)(
    'of %s is filled in, and nothing else changes',
    (forge) => {
      const texts = ciTexts(forge, tool, shipped);
      for (const [path, source] of forges[forge].ciKit) {
        const kit = shipped(source);
        const text = texts.get(path) ?? '';
        const own = new Set(kit.split('\n'));
        const added = text.split('\n').filter((line) => !own.has(line));
        expect(added.length).toBeGreaterThan(0);
        for (const line of added) {
          expect(line).toMatch(/acme\/leasehold(?:\.git#|@)v0\.1\.0$|^# Set runs-on |^ +runs-on: /);
        }
        expect(text).not.toMatch(/\bOWNER\b|git\.example\.com|# Set LEASEHOLD/);
        expect(parse(text)).toBeTypeOf('object');
      }
    },
  );

  test('refuses another tarball than the one whose digest is given', () => {
    const url = 'https://github.com/acme/leasehold/releases/download/v0.1.0/leasehold-0.1.0.tgz';
    const sha256 = '0a'.repeat(32);
    const released = { kind: 'tarball', url, sha256 } as const;
    const steps = [...ciTexts('github', released, shipped).values()].flatMap((text) => {
      const { jobs } = parse(text) as { jobs: Record<string, { steps: Step[] }> };
      return Object.values(jobs).flatMap((job) => job.steps);
    });
    const own = steps.filter(({ uses }) => uses === 'acme/leasehold@v0.1.0');
    expect(own.map((step) => step.with)).toEqual([
      { sha256 },
      { sha256, 'run-id': expect.any(String) },
    ]);
    const [template = ''] = ciTexts('gitlab', released, shipped).values();
    expect(parse(template).variables.LEASEHOLD).toBe(`${url}#sha256=${sha256}`);
  });

  test('a kit that lacks a placeholder is an internal error', () => {
    expect(() => ciTexts('github', tool, () => 'name: x\n')).toThrow(/the CI kit lacks/);
  });
});

describe('cdk8s', () => {
  test('has the tested version, and runs the app of the package', () => {
    const { devDependencies } = JSON.parse(shipped('package.json'));
    expect(devDependencies['cdk8s-cli']).toBe(cdk8sCli);
    const [own, written] = [parse(shipped('cdk8s.yaml')), parse(cdk8sText)];
    expect(written).toEqual({
      language: own.language,
      app: own.app.replace('build/', 'node_modules/leasehold/build/'),
      output: own.output,
    });
  });
});
