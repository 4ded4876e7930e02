import { base32Hex, sha256 } from './digest.ts';

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
 * The sharing key of all declared Services of a namespace, whatever address they stand on: `leasehold-<namespace>`.
 * It never changes while a Service lives. With one that followed the holder or the author's own key, a Service that
 * begins to share would get another one at the moment when the second one comes, and MetalLB before 0.15 would refuse
 * the second one and not look again. What keeps Services apart is their pins, and strangers out is the fence of the
 * pool: a key in a manifest is no secret.
 */
export function serviceSharingKey(namespace: string): string {
  return `leasehold-${namespace}`;
}
