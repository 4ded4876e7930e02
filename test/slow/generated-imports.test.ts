import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-generate-'));
  execFileSync(process.execPath, ['imports/generate.mjs', folder], { stdio: 'pipe' });
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test.each(['akash.network.ts', 'externaldns.k8s.io.ts', 'metallb.io.ts', 'schemas.ts'])(
  '%s is what npm run import makes of the CRDs',
  (file) => {
    expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(`imports/${file}`, 'utf8'));
  },
);
