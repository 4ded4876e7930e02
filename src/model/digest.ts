import { hash } from 'node:crypto';

/** SHA-256 of a text's UTF-8 bytes: 32 bytes. */
export function sha256(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** SHA-256 of a text's UTF-8 bytes: 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** SHA-224 of a text's UTF-8 bytes: 28 bytes. */
export function sha224(text: string): Uint8Array {
  return hash('sha224', text, 'buffer');
}

const hexDigits32 = '0123456789abcdefghijklmnopqrstuv';

/** RFC 4648 §7 base32hex, lower case and without padding, as the Akash provider writes it. */
export function base32Hex(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += hexDigits32[(buffer >> bits) & 31];
    }
  }
  return bits > 0 ? text + hexDigits32[(buffer << (5 - bits)) & 31] : text;
}
