import { crc32, deflateRawSync } from 'node:zlib';

/** A zip file of these texts, as the store of a forge's artifacts makes it. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const whole = Buffer.from(content);
    const packed = deflateRawSync(whole);
    const fields = fieldsOf(whole, packed, name);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, more, name);
    bodies.push(body);
    offset += body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(bodies.length, 8);
  end.writeUInt16LE(bodies.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

/** What the header before a file and its entry in the directory have in common. */
function fieldsOf(whole: Buffer, packed: Buffer, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(whole), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(whole.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
