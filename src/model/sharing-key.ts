import { base32Hex, sha256, sha256Hex } from './digest.ts';

const plainEndpoint = /^[a-z\d-]+$/;

/**
 * The sharing key of an owner's IP endpoint: `<owner>-ip-<endpoint>`. A name with anything but
 * `[a-z0-9-]` is replaced by 24 characters of its hash. Owner and name alone make the key, so an
 * owner's endpoints of one name share an address over leases.
 * Source: Akash provider, cluster/util/ip_sharing_key.go MakeIPSharingKey.
 */
export function sharingKey(owner: string, endpointName: string): string {
  const effective = plainEndpoint.test(endpointName)
    ? endpointName
    : base32Hex(sha256(endpointName).subarray(0, 15));
  return `${owner}-ip-${effective}`;
}

/**
 * The sharing key of a declared Service: its author's, or `leasehold-` and 32 hex digits of the SHA-256 of
 * the holder's id. Never random: two runs write the same. A group over clusters or namespaces always has
 * the derived one, whatever its members say.
 */
export function serviceSharingKey(holder: string, written: string | undefined): string {
  return written === undefined || holder.startsWith('anycast/')
    ? `leasehold-${sha256Hex(holder).slice(0, 32)}`
    : written;
}
