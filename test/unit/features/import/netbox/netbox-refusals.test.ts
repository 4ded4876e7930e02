import { describe, expect, it } from 'vitest';
import type { NetBoxChoice } from '../../../../../src/features/import/netbox/netbox-choice.ts';
import { reading } from '../../../../support/imports/netbox-export.ts';

describe('an export of NetBox is refused', () => {
  it.each<
    [string, Partial<NetBoxChoice>, Readonly<Record<string, string>>, readonly (string | RegExp)[]]
  >([
    [
      'for a page of more',
      {},
      {
        'p.json':
          '{"count": 3, "next": "http://n/?offset=1",\n "results": [{"id": 1, "prefix": "10.0.0.0/24", "status": "active"}]}',
      },
      ['p.json:1:14 IMPORT_TRUNCATED the file has 1 of 3 objects: it is one page of more'],
    ],
    [
      'for fewer objects than are counted, though there is no next page',
      {},
      {
        'p.json':
          '{"count": 2, "next": null, "results": [{"id": 1, "prefix": "10.0.0.0/24", "status": "active"}]}',
      },
      ['p.json:1:14 IMPORT_TRUNCATED the file has 1 of 2 objects: it is one page of more'],
    ],
    [
      'without the fields that the choice asks for',
      { tags: ['x'], roles: ['y'], vrf: 'z', zoneField: 'k8s_zone' },
      { 'p.csv': 'Prefix\n10.0.0.0/24\n10.1.0.0/24\n' },
      [
        "p.csv:2:1 FIELD_MISSING the export has no field 'k8s_zone'",
        "p.csv:2:1 FIELD_MISSING the export has no field 'role'",
        "p.csv:2:1 FIELD_MISSING the export has no field 'status'",
        "p.csv:2:1 FIELD_MISSING the export has no field 'tags'",
        "p.csv:2:1 FIELD_MISSING the export has no field 'vrf'",
      ],
    ],
    [
      'for what is no address, all together',
      {},
      {
        'p.csv': 'Prefix,Status\n10.0.0.1/24,Active\nx,Active\n',
        'a.csv': 'IP Address\n10.0.0/24\n',
        'r.csv': 'Start address,Status\n10.0.0.1/24,Active\n',
        's.csv': 'Start address,End address,Status\n10.0.0.9/24,10.0.0.1/24,Active\n',
      },
      [
        "a.csv:2:1 ADDRESS_INVALID '10.0.0' is not an IP address",
        "p.csv:2:1 ADDRESS_INVALID '10.0.0.1/24' has host bits set; the block is 10.0.0.0/24",
        "p.csv:3:1 ADDRESS_INVALID 'x' is not an IP address",
        'r.csv:2:1 FIELD_MISSING the IP range has no end address',
        "s.csv:2:1 ADDRESS_INVALID '10.0.0.9-10.0.0.1' ends before it starts",
      ],
    ],
    [
      'for equal prefixes, of one VRF or of two, and for ranges that only meet',
      {},
      {
        'p.csv':
          'Prefix,Status,VRF\n10.0.0.0/24,Active,\n10.0.0.0/24,Active,\n10.1.0.0/24,Active,\n10.1.0.0/24,Active,red\n',
        'r.csv':
          'Start address,End address,Status\n10.2.0.1/24,10.2.0.9/24,Active\n10.2.0.5/24,10.2.0.20/24,Active\n',
      },
      [
        'p.csv:3:1 POOL_OVERLAP 10.0.0.0/24 and 10.0.0.0/24 are the same addresses',
        'p.csv:5:1 POOL_OVERLAP 10.1.0.0/24 and 10.1.0.0/24 are the same addresses, of the global table and VRF red',
        'r.csv:3:1 POOL_OVERLAP 10.2.0.1-10.2.0.9 and 10.2.0.5-10.2.0.20 have addresses in common',
      ],
    ],
    [
      'for zones that make no name, or one for two',
      { zoneField: 'k8s_zone', per: 'zone' },
      {
        'p.csv':
          'Prefix,Status,k8s_zone\n10.0.0.0/24,Active,"inet,hnet"\n10.1.0.0/24,Active,ß\n10.2.0.0/24,Active,a b\n10.3.0.0/24,Active,a-b\n',
      },
      [
        "p.csv:2:1 FIELD_VALUE 'inet,hnet' in the field 'k8s_zone' cannot be turned into a zone name",
        "p.csv:3:1 FIELD_VALUE 'ß' in the field 'k8s_zone' cannot be turned into a zone name",
        "p.csv:5:1 FIELD_VALUE the zones 'a b' and 'a-b' are both written a-b",
      ],
    ],
    [
      'for a file that is an error or a page in place of the addresses in use',
      {},
      {
        'p.csv': 'Prefix,Status\n10.0.0.0/24,Active\n',
        'a.json': '{"detail": "Invalid token"}',
        'b.json': '<!DOCTYPE html><html><title>Log in</title></html>\n',
        'c.json': '',
      },
      [
        "a.json:1:1 FIELD_MISSING the file is no export of NetBox: it has no 'results' and no 'id', and 'detail' is 'Invalid token'",
        'b.json:1:1 FIELD_MISSING the file is no export of NetBox: it has no column ID, Prefix, Start Address or IP Address',
        'c.json:1:1 FIELD_MISSING the file is no export of NetBox: it has no column ID, Prefix, Start Address or IP Address',
      ],
    ],
    ['for JSON that is none', {}, { 'p.json': '{"results": [' }, [/YAML_SYNTAX/]],
    [
      'for CSV that is none',
      {},
      { 'p.csv': 'Prefix,Status\n"10.0.0.0/24\n' },
      ['p.csv:2:1 CSV_SYNTAX the quote is not closed'],
    ],
  ])('%s', (_, choice, files, problems) => {
    const told = reading(choice, files).problems;
    expect(told).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries()) {
      if (typeof problem === 'string') expect(told[index]).toBe(problem);
      else expect(told[index]).toMatch(problem);
    }
  });
});
