// @module-tag counted

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isScalar, parseDocument, visit } from 'yaml';
import { runInProcess } from '../support/run/run-in-process.ts';
import { sample } from '../support/run/scope.ts';
import { badFolder } from '../support/trees/bad-corpus.ts';
import { fileStates } from '../support/trees/file-states.ts';

/*
 * Every value and every key of every file of the sound workspace, one after the other, becomes a path
 * out of its folder, a variable that Flux would fill in, and a text with a line break.
 */
const files = [
  'leases/pools.yaml',
  'leases/policy.yaml',
  'leases/inventory.yaml',
  'leases/alpha/web.yaml',
  'leases/beta/game.yaml',
  'leases/beta/game.sdl.yaml',
  'leases/gamma/site.yaml',
  'leases/allocations/203.0.113/203.0.113.1.yaml',
  'leases/allocations/203.0.113/203.0.113.2.yaml',
  'leases/allocations/2001-db8-1-0/a7/2001-db8-1--.yaml',
];

/** A policy with every field that it may have. */
const policy = `apiVersion: leasehold.dev/v1
kind: Policy
operators: { reviewers: ['@acme/network'], signers: [ops@acme.example] }
tenants:
  - name: alpha
    folders: [leases/alpha]
    owners: [akash1nwysyh885mvn9v50dc23x2ns6sp0wgu8at4n56]
    namespaces: [web, default/mail]
    clusters: [default]
    zones: [inet]
    pools: [public]
    ports: [25, 80, 8000-8999]
    reviewers: [ana@acme.example]
    signers: [ana@acme.example]
`;

/** An inventory with every field that it may have. */
const inventory = `apiVersion: leasehold.dev/v1
kind: Inventory
clusters:
  - name: default
    clusterStorage: [beta3]
    exclude: { nodes: [^test-], nodeStorage: [{ nodeFilter: ^gpu-, classes: [beta3] }] }
    nodes:
      - name: gpu-1
        gpus: [{ vendor: nvidia, model: h100, ram: 80Gi, interface: sxm, count: 8 }]
`;
const texts = ["'../../outside'", "'$\u007bHOME}'", '"a\\nb: c"'];

/**
 * The parts of the SDL that decide nothing about addresses, so that nobody reads what they say, and
 * the keys without which Akash's defaults hold. In the order of the file.
 */
const unread = 'registry.example.com/arena:1 as proto denom uakt';

/** Where the keys and values of a YAML text stand: offset of the first character and the one after. */
function scalarsOf(text: string): readonly (readonly [start: number, end: number])[] {
  const found: (readonly [number, number])[] = [];
  visit(parseDocument(text), {
    Scalar(_, node) {
      if (isScalar(node) && node.range) found.push([node.range[0], node.range[1]]);
    },
  });
  return found;
}

let root: string;
let sound: Readonly<Record<string, string>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'leasehold-texts-'));
  cpSync(join(badFolder, 'base'), root, { recursive: true });
  writeFileSync(join(root, 'leases/policy.yaml'), policy);
  writeFileSync(join(root, 'leases/inventory.yaml'), inventory);
  await runInProcess(['synth', '--today', '2026-03-03'], root);
  sound = fileStates(root);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs with one text in place of another, and gives those that no problem came of in that file. */
async function acceptedIn(file: string, bad: string): Promise<readonly string[]> {
  const place = join(root, file);
  const text = readFileSync(place, 'utf8');
  const accepted: string[] = [];
  for (const [start, end] of scalarsOf(text)) {
    writeFileSync(place, text.slice(0, start) + bad + text.slice(end));
    const { status, out, err } = await runInProcess(['check'], root);
    writeFileSync(place, text);
    if (!out.includes(`${file}:`)) accepted.push(text.slice(start, end));
    expect(status, `${out}${err}`).toBeLessThanOrEqual(1);
  }
  return accepted;
}

const places = files.flatMap((file) => texts.map((text) => [file, text] as const));

describe('no text of a file is taken without a look at it', () => {
  test.each(sample(places, 14))(
    '%s refuses %s in place of each key and value',
    async (file, text) => {
      const accepted = await acceptedIn(file, text);
      expect(accepted.join(' ')).toBe(file.endsWith('.sdl.yaml') ? unread : '');
      expect(fileStates(root)).toEqual(sound);
    },
  );
});
