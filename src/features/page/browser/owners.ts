/** The number of colors, and of patterns over them: see the style sheet of the map. */
const colors = 8;
const patterns = 4;

/**
 * The classes of an owner's color and pattern. They depend on its name alone, so that an owner
 * looks the same in every picture. Of more than 32 owners, some look alike.
 */
export function ownerClasses(owner: string): string {
  const hash = hashOf(owner);
  return `owner c${hash % colors} p${Math.floor(hash / colors) % patterns}`;
}

/** FNV-1a of the UTF-16 code units, with a final mix that spreads the low bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** An account of Akash without its middle, `akash17zp…nkks4`; other owners in full. */
export function ownerText(owner: string): string {
  return owner.startsWith('akash1') && owner.length > 20
    ? `${owner.slice(0, 10)}…${owner.slice(-5)}`
    : owner;
}

/** A holder with the account of Akash in its name shortened: `lab/akash17zp…nkks4-ip-web`. */
export function holderShortText(holder: string): string {
  return holder.replace(/akash1[a-z0-9]{15,}/, ownerText);
}
