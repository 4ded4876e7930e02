/** Pairs that must conflict: one address for two holders, or two edits of one thing. */
export const conflicts = {
  address: [
    'take the lowest address + take the lowest address',
    'take the last address + take the last address',
    'take the last address + replace a tenant',
    'pin the same address + pin the same address',
    'replace a tenant + replace a tenant',
  ],
  declaration: [
    'add a claim to a lease + add a claim to a lease',
    'change the same target port + change the same target port',
    'change the same target port + remove the same lease',
    'change the port of one who is replaced + change the port of one who is replaced',
    'change the port of one who is replaced + replace a tenant',
    'rename an endpoint + rename an endpoint',
    'promise a longer retention + promise a longer retention',
    'reserve the lowest address + shrink a pool',
    'reserve the lowest address + drain a pool',
    'add a pool + add a pool',
  ],
  holder: [
    'take the last address + prune',
    'add a lease of the same holder + add a lease of the same holder',
    'pin the same holder elsewhere + pin the same holder elsewhere',
    'join a holder with another lease + join a holder with another lease',
    'replace a tenant + prune',
  ],
  record: [
    'rename an endpoint + lengthen a retention',
    'remove a lease + lengthen a retention',
    'remove the same lease + lengthen a retention',
  ],
  pools: [],
  nothing: [],
};

/**
 * Pairs that git merges and check refuses: one side changes the pool that the other one allocates
 * from. The pool no longer has the address, or promises another retention than the record says.
 */
export const refused = {
  'add a lease + lengthen a retention': 'STALE',
  'take the lowest address + reserve the lowest address': 'ADDRESS_STRANDED',
  'take the lowest address + shrink a pool': 'ADDRESS_STRANDED',
  'pin an address + lengthen a retention': 'STALE',
  'pin the same address + lengthen a retention': 'STALE',
  'add the same lease + lengthen a retention': 'STALE',
  'add a lease of the same holder + lengthen a retention': 'STALE',
  'pin the same holder elsewhere + lengthen a retention': 'STALE',
  'add two leases of one owner + lengthen a retention': 'STALE',
};

/**
 * Pairs in which git takes one tenant's new file for another's old one under a new name, and puts an
 * edit of the old one into it: in the declaration and in the manifest alike, so that check is content.
 */
export const blended = ['change the port of one who is replaced + replace a tenant'];
