import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { takesColors } from '../../../../src/core/cli/cli-context.ts';
import { processContext } from '../../../../src/core/cli/process-context.ts';

/** A process at a terminal of 80 columns. */
function processAt(env: Readonly<Record<string, string>>) {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const streams = { stdin: terminal(), stdout: terminal(), stderr: terminal() };
  return { ...streams, env } as unknown as Parameters<typeof processContext>[0];
}

describe('processContext', () => {
  it('has colours, a progress line and prompts at a terminal', () => {
    const context = processContext(processAt({ TERM: 'xterm' }));
    expect(context).toMatchObject({ color: true, terminal: true, columns: 80, errColumns: 80 });
    expect(context.asking).toBeDefined();
    expect(context.ask).toBeDefined();
  });

  it('has no colours with NO_COLOR', () => {
    expect(processContext(processAt({ TERM: 'xterm', NO_COLOR: '1' })).color).toBe(false);
  });

  it.each([
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, true, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ FORCE_COLOR: '' }, false, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{}, false, false],
  ])('with %j, a terminal: %s, takes colours: %s', (env, isTerminal, takes) => {
    expect(takesColors(isTerminal, env)).toBe(takes);
  });

  it('asks no more than one line at a time of a dumb terminal', () => {
    const context = processContext(processAt({ TERM: 'dumb' }));
    expect(context).toMatchObject({ color: false, terminal: true, columns: 80 });
    expect(context).not.toHaveProperty('errColumns');
    expect(context).not.toHaveProperty('asking');
    expect(context.ask).toBeDefined();
  });
});
