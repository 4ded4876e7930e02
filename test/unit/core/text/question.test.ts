import { describe, expect, test } from 'vitest';
import { formatAddress } from '../../../../src/core/net/address.ts';
import { formatRange } from '../../../../src/core/net/range.ts';
import { parseQuestion } from '../../../../src/core/text/question.ts';

function meaning(text: string): string {
  const question = parseQuestion(text);
  if (question.kind === 'address') return `address ${formatAddress(question.address)}`;
  if (question.kind === 'range') return `range ${formatRange(question.range)}`;
  return question.kind === 'name' ? `name ${question.name}` : `nothing: ${question.reason}`;
}

describe('what is asked about', () => {
  test.each([
    ['203.0.113.7', 'address 203.0.113.7'],
    [' 203.0.113.7 ', 'address 203.0.113.7'],
    ['[2001:DB8:0:0:0:0:0:7]', 'address 2001:db8::7'],
    ['::FFFF:203.0.113.7', 'address 203.0.113.7'],
    ['203.0.113.0/28', 'range 203.0.113.0/28'],
    ['203.0.113.1-203.0.113.2', 'range 203.0.113.1-203.0.113.2'],
    ['2001:db8::/64', 'range 2001:db8::/64'],
    ['18412033', 'name 18412033'],
    ['dead-beef', 'name dead-beef'],
    ['cafe', 'name cafe'],
    ['cafe.de', 'name cafe.de'],
    ['default/akash/akash1a-ip-web', 'name default/akash/akash1a-ip-web'],
    ['', 'nothing: it is empty'],
    ['203.0.113', "nothing: '203.0.113' is not an IP address"],
    [
      '203.0.113.07',
      "nothing: '203.0.113.07' has a leading zero, which some programs read as octal",
    ],
    ['203.0.113.7/28', "nothing: '203.0.113.7/28' has host bits set; the block is 203.0.113.0/28"],
  ])('%s is %s', (text, expected) => {
    expect(meaning(text)).toBe(expected);
  });
});
