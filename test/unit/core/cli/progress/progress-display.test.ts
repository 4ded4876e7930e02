import { describe, expect, test } from 'vitest';
import {
  type ProgressDisplay,
  plainDisplay,
  terminalDisplay,
} from '../../../../../src/core/cli/progress/progress-display.ts';
import type { Phase } from '../../../../../src/core/interfaces/progress.ts';

const erase = '\r\u001b[2K';

/** A display at a clock that the test sets, and what it has written since it was asked last. */
function shown(make: (output: Parameters<typeof plainDisplay>[0]) => ProgressDisplay) {
  let now = 0;
  let text = '';
  const display = make({
    write: (part) => {
      text += part;
    },
    elapsed: () => now,
  });
  return {
    display,
    /** Moves the clock and takes some steps. */
    work(milliseconds: number, steps: number, phase: Phase = 'read') {
      for (let step = 1; step <= steps; step += 1) {
        now += milliseconds / steps;
        display.step(phase);
      }
      if (steps === 0) now += milliseconds;
    },
    written() {
      const part = text;
      text = '';
      return part;
    },
  };
}

describe('at a terminal', () => {
  const atTerminal = (columns = 80) => shown((output) => terminalDisplay(output, columns));

  test('a short run shows nothing', () => {
    const { display, work, written } = atTerminal();
    display.begin('read', 100);
    work(300, 100);
    display.begin('write', 10);
    work(100, 10);
    display.end();
    expect(written()).toBe('');
  });

  test('a long run shows phase, count and time left within a second', () => {
    const { display, work, written } = atTerminal();
    display.begin('read', 20_000);
    work(400, 1000);
    expect(written()).toBe('');
    work(600, 1500);
    expect(written().split(erase).at(-1)).toMatch(/^\[1\/4\] read 2,\d{3} of 20,000$/);
    work(3000, 7500);
    expect(written().split(erase).at(-1)).toMatch(/^\[1\/4\] read 9,\d{3} of 20,000, [45] s left$/);
  });

  test('a phase without steps is shown when it begins', () => {
    const { display, work, written } = atTerminal();
    work(600, 0);
    display.begin('allocate');
    expect(written()).toBe(`${erase}[2/4] allocate`);
  });

  test('it draws ten times a second at most', () => {
    const { display, work, written } = atTerminal();
    display.begin('read', 100_000);
    work(10_000, 50_000);
    expect(written().split(erase).length - 1).toBeLessThanOrEqual(100);
  });

  test('it fits a narrow terminal', () => {
    const { display, work, written } = atTerminal(20);
    display.begin('read', 20_000);
    work(5000, 1000);
    for (const line of written().split(erase)) expect(line.length).toBeLessThan(20);
  });

  test('the line is erased before other text, and at the end', () => {
    const { display, work, written } = atTerminal();
    work(600, 0);
    display.begin('read', 10);
    written();
    display.clear();
    expect(written()).toBe(erase);
    display.clear();
    display.end();
    expect(written()).toBe('');
    display.begin('write', 10);
    written();
    display.end();
    expect(written()).toBe(erase);
  });

  test('a long wait is told in minutes', () => {
    const { display, work, written } = atTerminal();
    display.begin('write', 1000);
    work(10_000, 20, 'write');
    expect(written().split(erase).at(-1)).toBe('[4/4] write 20 of 1,000, 9 min left');
  });
});

describe('in CI', () => {
  const inCI = (isAsked: boolean) => shown((output) => plainDisplay(output, isAsked));

  test('each phase has one line when it is asked for', () => {
    const { display, work, written } = inCI(true);
    display.begin('read', 1234);
    work(1500, 1234);
    display.begin('allocate');
    work(40, 0);
    display.end();
    display.end();
    expect(written()).toBe('read: 1,234, 1.5 s\nallocate: 0.0 s\n');
  });

  test('a short run has none when it is not', () => {
    const { display, work, written } = inCI(false);
    display.begin('read', 1234);
    work(9000, 1234);
    display.end();
    expect(written()).toBe('');
  });

  test('a run of more than ten seconds has them all', () => {
    const { display, work, written } = inCI(false);
    display.begin('read', 1234);
    work(9000, 1234);
    display.begin('allocate');
    expect(written()).toBe('');
    work(2000, 0);
    display.end();
    expect(written()).toBe('read: 1,234, 9.0 s\nallocate: 2.0 s\n');
  });
});
