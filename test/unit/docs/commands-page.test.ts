import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandsPage } from '../../../docs/generators/commands-page.ts';
import { commandsOf } from '../../../src/core/cli/help.ts';
import { processContext } from '../../../src/core/cli/process-context.ts';
import { features } from '../../../src/features.ts';

describe('docs/commands.md', () => {
  test('is what npm run docs writes', async () => {
    expect(readFileSync('docs/commands.md', 'utf8')).toBe(await commandsPage(processContext()));
  });

  test('has every command, with its options and examples, and no empty defaults', async () => {
    const page = await commandsPage(processContext());
    const titles = [...page.matchAll(/^### leasehold (\S+)$/gm)].map(([, name]) => name);
    expect(titles).toEqual([...commandsOf(features).keys(), 'completion', 'help']);
    expect(page).toContain('| `--base <ref>` |');
    expect(page).toContain('# everything that has an address\nleasehold list\n');
    expect(page).not.toMatch(/default: (?:false|\[\])/);
  });
});
