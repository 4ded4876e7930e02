import type { LeaseClaim } from '../model/claim.ts';
import type { Placement } from '../model/holder.ts';
import type { Cluster, Pool } from '../model/pools.ts';
import { type Address, formatAddress } from '../net/address.ts';
import { type Example, FileTemplate, type FilledFile, type Words } from './file-template.ts';
import type { Manifest } from './manifest.ts';
import { addressName, addressPoolName, leaseNamespace } from './names.ts';

/** Files of a shape to render before a template is made: it costs as much as several files. */
const rendersFirst = 20;

/**
 * The templates for the files of one cluster. Most holders are a single endpoint of a lease, and
 * their files differ in a few words only, which is cheaper to fill in than to render and to check.
 * test/property/lease-templates.test.ts holds the two to the same bytes.
 */
export class LeaseTemplates {
  readonly #cluster: Cluster;
  readonly #render: (placement: Placement) => readonly Manifest[];
  readonly #shapes = new Map<Pool, Map<string, Shape>>();

  constructor(cluster: Cluster, render: (placement: Placement) => readonly Manifest[]) {
    this.#cluster = cluster;
    this.#render = render;
  }

  /** Returns the file of a holder; undefined when it must be rendered. */
  fill(placement: Placement): FilledFile | undefined {
    const claim = onlyClaim(placement);
    if (!claim) return undefined;
    const shape = this.#shapeOf(placement, claim);
    shape.seen += 1;
    if (shape.seen <= rendersFirst) return undefined;
    if (shape.seen === rendersFirst + 1) shape.template = this.#template(placement, claim);
    const words = this.#words(placement, claim);
    // Some names are written in lower case.
    return words.some((word) => upperCase.test(word)) ? undefined : shape.template?.fill(words);
  }

  /** Everything else that the objects of a holder depend on, besides the words. */
  #shapeOf({ pool, addresses }: Placement, { protocol, ipFamily }: LeaseClaim): Shape {
    const ofPool = this.#shapes.get(pool) ?? new Map<string, Shape>();
    this.#shapes.set(pool, ofPool);
    const key = [protocol, ipFamily, ...addresses.map(({ family }) => family)].join(' ');
    const shape = ofPool.get(key) ?? { seen: 0, template: undefined };
    ofPool.set(key, shape);
    return shape;
  }

  #template(placement: Placement, claim: LeaseClaim): FileTemplate | undefined {
    const [first, second] = [1, 2].map((number) => this.#example(placement, claim, number));
    return first && second && FileTemplate.of(first, second);
  }

  /** A placement of the same shape with other words. */
  #example(placement: Placement, claim: LeaseClaim, number: number): Example {
    const other: LeaseClaim = {
      ...claim,
      lease: {
        owner: `akash1${String(number).repeat(3)}example0owner`,
        dseq: `${number}7777777777`,
        gseq: number * 10_000_000 + 22,
        oseq: number * 10_000_000 + 33,
        provider: `akash1${String(number).repeat(3)}example0provider`,
      },
      sharingKey: `example${number}-sharing-key`,
      service: `example${number}-service`,
      endpoint: `example${number}-endpoint`,
      port: number * 10_000 + 44,
      externalPort: number * 10_000 + 55,
    };
    const [address, ...others] = placement.addresses;
    const example: Placement = {
      ...placement,
      holder: { ...placement.holder, claims: [other] },
      addresses: [
        exampleAddress(address, number),
        ...others.map((one) => exampleAddress(one, number)),
      ],
    };
    return { words: this.#words(example, other), manifests: this.#render(example) };
  }

  #words({ addresses }: Placement, claim: LeaseClaim): Words {
    const { lease, sharingKey, service, port, externalPort } = claim;
    return [
      ...[lease.owner, lease.dseq, String(lease.gseq), String(lease.oseq), lease.provider],
      leaseNamespace(this.#cluster.naming, lease),
      ...[sharingKey, service, String(port), String(externalPort)],
      addressName(claim),
      addressPoolName(addresses[0]),
      ...addresses.map(formatAddress),
    ];
  }
}

interface Shape {
  /** How many holders of the shape came so far. */
  seen: number;
  template: FileTemplate | undefined;
}

/**
 * The claim of a holder that is a single endpoint of a lease, without a selector of its own and
 * without DNS names.
 */
function onlyClaim({ holder }: Placement): LeaseClaim | undefined {
  const [claim, ...others] = holder.claims;
  if (claim?.kind !== 'Lease' || others.length > 0) return undefined;
  return claim.selector === undefined && claim.dns.length === 0 ? claim : undefined;
}

/** Words are ASCII. Another word would have to be rendered. */
const upperCase = /[A-Z]|[^ -~]/;

/** An address of the documentation networks. */
function exampleAddress({ family }: Address, number: number): Address {
  return family === 'ipv4'
    ? { family, value: 0xc6_33_64_00n + BigInt(number * 66) }
    : { family, value: (0x2001_0db8n << 96n) + BigInt(number * 0xabcdef) };
}
