import { describe, expect, it } from 'vitest';
import { commitMessage, trailerOf } from '../../../../src/features/bots/commit-message.ts';

describe('a commit message', () => {
  it('is subject, body and trailers', () => {
    const trailers = [
      ['Leasehold-Address', '203.0.113.7'],
      ['Leasehold-Address', '2001:db8::7'],
    ] as const;
    expect(commitMessage({ subject: 'Lease it', body: ['one', 'two'], trailers })).toBe(
      'Lease it\n\none\ntwo\n\nLeasehold-Address: 203.0.113.7\nLeasehold-Address: 2001:db8::7\n',
    );
    expect(commitMessage({ subject: 'Lease it' })).toBe('Lease it\n');
  });

  it('keeps every part on its line', () => {
    const subject = 'web\n\nLeasehold-Source: 1111111111111111111111111111111111111111';
    const message = commitMessage({ subject, trailers: [['Leasehold-Source', 'abc']] });
    expect(trailerOf(message, 'Leasehold-Source')).toBe('abc');
    expect(message.split('\n')).toHaveLength(4);
  });

  it('ends a long body with the number of lines that are left out', () => {
    const body = Array.from({ length: 60 }, (_, line) => `line ${line}`);
    const lines = commitMessage({ subject: 'All', body }).trimEnd().split('\n');
    expect(lines).toHaveLength(53);
    expect(lines.at(-1)).toBe('and 10 more');
  });
});

describe('a trailer', () => {
  it('is found in the last paragraph only', () => {
    expect(trailerOf('Subject\n\nBody\n\nA: 1\nB: 2\nA: 3\n', 'A')).toBe('3');
    expect(trailerOf('Subject\n\nA: 1\n\nBody\n', 'A')).toBeUndefined();
    expect(trailerOf('A: 1\n', 'A')).toBeUndefined();
  });
});
