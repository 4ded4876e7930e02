import { describe, expect, it } from 'vitest';
import type { Allocation } from '../../../../src/core/model/allocation.ts';
import type { Day } from '../../../../src/core/model/day.ts';
import { type Address, isAddress, parseAddress } from '../../../../src/core/net/address.ts';
import {
  allocationPath,
  printAllocation,
  readAllocation,
} from '../../../../src/core/records/allocation-file.ts';
import { bytesKept } from '../../../support/run/memory.ts';
import { marked } from '../text/mark.ts';

const holder = 'default/akash/akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h-ip-web';
const path = 'leases/allocations/203.0.113/203.0.113.7.yaml';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (!isAddress(parsed)) throw new Error(parsed.reason);
  return parsed;
}

const held: Allocation = {
  address: address('203.0.113.7'),
  pool: 'public',
  holder,
  since: '2026-01-31' as Day,
  retain: 1,
  keepUntil: undefined,
  released: undefined,
  key: undefined,
  generation: 0,
  shared: false,
  promised: false,
  movedFrom: undefined,
  at: { file: path, line: 1, column: 1 },
};

const heldText = `apiVersion: leasehold.dev/v1
kind: Allocation
address: 203.0.113.7
pool: public
holder: ${holder}
since: 2026-01-31
retain: 1
`;
const releasedText = `${heldText}released:\n  on: 2026-02-28\n  freeFrom: 2026-03-01\n`;

function problems(text: string, file = path): string[] {
  const outcome = readAllocation(file, bytes(text));
  return outcome.ok
    ? []
    : outcome.problems.map(({ code, at }) => `${code} ${at.line}:${at.column}`);
}

describe('allocationPath', () => {
  it.each([
    ['203.0.113.7', 'leases/allocations/203.0.113/203.0.113.7.yaml'],
    ['0.0.0.0', 'leases/allocations/0.0.0/0.0.0.0.yaml'],
    ['2001:db8:0:1::5', 'leases/allocations/2001-db8-0-1/aa/2001-db8-0-1--5.yaml'],
    ['::1', 'leases/allocations/0-0-0-0/ef/--1.yaml'],
  ])('gives %s its file', (text, expected) => {
    expect(allocationPath(address(text))).toBe(expected);
  });
});

describe('printAllocation', () => {
  it('writes a held address', () => {
    expect(printAllocation(held)).toBe(heldText);
  });

  it('writes a released address, and keepUntil', () => {
    const released = { on: '2026-02-28' as Day, freeFrom: '2026-03-01' as Day };

    expect(printAllocation({ ...held, released })).toBe(releasedText);
    expect(printAllocation({ ...held, keepUntil: '2026-03-01' as Day })).toBe(
      `${heldText}keepUntil: 2026-03-01\n`,
    );
  });

  it.each([
    ['2001:db8::', "address: '2001:db8::'\n"],
    ['2001:db8::7', "address: '2001:db8::7'\n"],
  ])('writes %s in quotes', (text, line) => {
    expect(printAllocation({ ...held, address: address(text) })).toContain(line);
  });

  it.each([
    ['default', 'pool: default\n'],
    ['no', "pool: 'no'\n"],
    ['null', "pool: 'null'\n"],
    ['1e3', "pool: '1e3'\n"],
    ['0x10', "pool: '0x10'\n"],
    ['2026-01-01', "pool: '2026-01-01'\n"],
  ])('writes the pool %s so that it stays text', (pool, line) => {
    expect(printAllocation({ ...held, pool })).toContain(line);
  });
});

describe('readAllocation', () => {
  it('reads what printAllocation writes', () => {
    expect(readAllocation(path, bytes(heldText))).toEqual({ ok: true, value: held });
    expect(readAllocation(path, bytes(releasedText))).toMatchObject({
      ok: true,
      value: { released: { on: '2026-02-28', freeFrom: '2026-03-01' } },
    });
  });

  it('reads the longest holder whose objects Kubernetes can name, in any form', () => {
    const [, , key = ''] = holder.split('/');
    const longest = `${'c'.repeat(63)}/akash/${key.padEnd(253 - '-tcp-80'.length, 'x')}`;
    const text = heldText.replace(holder, longest);

    expect(problems(text)).toEqual([]);
    expect(problems(`# by hand\n${text}`)).toEqual([]);
  });

  it('reads a file that says the same in another form', () => {
    const text = `# moved by hand\n{kind: Allocation, apiVersion: leasehold.dev/v1, retain: 1, "since": '2026-01-31',\n  holder: ${holder}, pool: "public", address: 203.0.113.7}\n`;

    expect(readAllocation(path, bytes(text))).toEqual({ ok: true, value: held });
    expect(readAllocation(path, bytes(heldText.replaceAll('\n', '\r\n')))).toEqual({
      ok: true,
      value: held,
    });
  });

  it.each([
    ['address: 203.0.113.7', 'address: ▸203.0.113.8', 'ALLOCATION_INVALID'],
    ['address: 203.0.113.7', 'address: ▸203.0.113.07', 'ADDRESS_INVALID'],
    ['address: 203.0.113.7', 'address: ▸203.0.113.7/32', 'ADDRESS_INVALID'],
    ['since: 2026-01-31', 'since: ▸2026-02-30', 'ALLOCATION_INVALID'],
    ['since: 2026-01-31', 'since: ▸26-1-31', 'ALLOCATION_INVALID'],
    ['since: 2026-01-31', 'since: ▸20260131', 'FIELD_TYPE'],
    ['on: 2026-02-28', 'on: ▸2026-01-30', 'ALLOCATION_INVALID'],
    ['freeFrom: 2026-03-01', 'freeFrom: ▸2026-02-27', 'ALLOCATION_INVALID'],
    ['retain: 1\n', 'retain: ▸366\n', 'FIELD_VALUE'],
    ['retain: 1\n', 'retain: ▸-1\n', 'FIELD_VALUE'],
    ['retain: 1\n', 'retain: ▸01\n', 'FIELD_VALUE'],
    ['retain: 1\n', '', 'FIELD_MISSING'],
    ['retain: 1\n', 'retain: 1\nkeepUntil: ▸2026-03-01\n', 'ALLOCATION_INVALID'],
    ['retain: 1\n', 'retain: 1\nkey: ▸x\n', 'FIELD_VALUE'],
    ['retain: 1\n', 'retain: 1\n▸note: x\n', 'FIELD_UNKNOWN'],
    ['pool: public', 'pool: ▸Public', 'FIELD_VALUE'],
    ['pool: public', 'pool: ▸1', 'FIELD_TYPE'],
    [holder, '▸default/other/x', 'FIELD_VALUE'],
    [holder, '▸default/akash/akash1x-ip-my_ip', 'FIELD_VALUE'],
    ['kind: Allocation', 'kind: ▸Lease', 'KIND_UNKNOWN'],
    [
      'kind: Allocation',
      '▸<<<<<<< ours\nkind: Allocation\n=======\n>>>>>>> theirs',
      'YAML_CONFLICT',
    ],
  ])('refuses %j as %j: %s', (from, to, code) => {
    const changed = releasedText.replace(from, to);
    const { text, place } = to === '' ? { text: changed, place: '1:1' } : marked(changed);

    expect(problems(text)).toEqual([`${code} ${place}`]);
  });

  it('refuses a keepUntil before the day on which the holder got the address', () => {
    expect(problems(`${heldText}keepUntil: 2026-01-30\n`)).toEqual(['ALLOCATION_INVALID 8:12']);
  });

  it('refuses a file that is not the one of its address', () => {
    expect(problems(heldText, 'leases/allocations/203.0.113/203.0.113.8.yaml')).toEqual([
      'ALLOCATION_INVALID 3:10',
    ]);
    expect(problems(heldText, 'leases/allocations/203.0.113.7.yaml')).toHaveLength(1);
  });

  it('refuses an IPv6 address in a form that is not canonical', () => {
    const canonical = { ...held, address: address('2001:db8::a') };
    const text = printAllocation(canonical);
    const file = allocationPath(canonical.address);

    expect(problems(text, file)).toEqual([]);
    expect(problems(text.replace('2001:db8::a', '2001:DB8::A'), file)).toEqual([
      'ALLOCATION_INVALID 3:10',
    ]);
  });

  it('tells all contradictions of one file', () => {
    const text = `${heldText}keepUntil: 2026-01-30\nreleased:\n  on: 2026-01-29\n  freeFrom: 2026-01-28\n`;

    expect(problems(text, 'leases/allocations/x.yaml')).toEqual([
      'ALLOCATION_INVALID 3:10',
      'ALLOCATION_INVALID 8:12',
      'ALLOCATION_INVALID 8:12',
      'ALLOCATION_INVALID 10:7',
      'ALLOCATION_INVALID 11:13',
    ]);
  });

  it('keeps the holder of a record and not the text of its file', () => {
    const holderOf = (): string => {
      const read = readAllocation(path, bytes(heldText));
      return read.ok ? read.value.holder : '';
    };
    const count = 5000;
    const kept = bytesKept(() => Array.from({ length: count }, holderOf));

    expect(kept.value.at(-1)).toBe(holder);
    expect(kept.bytes / count).toBeLessThan(heldText.length);
  });
});
