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

/** RFC 4648 §7 base32hex, lower case and without padding, as the Akash provider writes it. */
export function base32Hex(bytes: Uint8Array): string {
  const bits = bytes.length * 8;
  const length = Math.ceil(bits / 5);
  const value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`) << BigInt(length * 5 - bits);
  return bits === 0 ? '' : value.toString(32).padStart(length, '0');
}
