import { type Claim, isLeaseClaim, type LeaseClaim, type ServiceClaim } from '../../model/claim.ts';
import { claimsIn, type Placement } from '../../model/holder.ts';
import { type LeaseId, leaseIdText } from '../../model/lease.ts';
import type { Cluster } from '../../model/pools.ts';
import type { DeclaredService, Reservation, WrittenService } from '../../model/service.ts';
import type { Address } from '../../net/address.ts';
import { holderWords, isPortWord } from './holder-words.ts';
import type { Shaped } from './templates.ts';

/** A placement that is made up, with its words. */
export interface HolderExample {
  readonly placement: Placement;
  readonly words: Shaped['words'];
}

/** For two namespaces, about half of the tries have them in the wrong order. */
const mostTries = 40;

/**
 * Returns a placement of the same shape with other words; undefined when none is found. The words
 * of examples with different numbers have nothing in common.
 */
export function holderExample(
  cluster: Cluster,
  placement: Placement,
  { shape, number }: Pick<Shaped, 'shape'> & { readonly number: 1 | 2 },
): HolderExample | undefined {
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const values = new ExampleValues(number, attempt);
    const example = values.placement(placement, claimsIn(placement.holder, cluster.name));
    const found = holderWords(cluster, example);
    if (found?.shape === shape) return { placement: example, words: found.words };
  }
  return undefined;
}

/** Returns a lease that is made up. Those with different numbers have nothing in common. */
export function exampleLease(number: 1 | 2): LeaseId {
  return new ExampleValues(number, 0).lease();
}

/** Makes up the values of one example. The same lease or text has the same value everywhere. */
class ExampleValues {
  readonly #number: number;
  readonly #attempt: number;
  readonly #known = new Map<unknown, unknown>();
  #count = 0;

  constructor(number: number, attempt: number) {
    this.#number = number;
    this.#attempt = attempt;
  }

  placement(placement: Placement, claims: readonly Claim[]): Placement {
    const { holder, addresses } = placement;
    const [first, ...others] = addresses;
    const made = claims.map((claim) =>
      isLeaseClaim(claim) ? this.#leaseClaim(claim) : this.#serviceClaim(claim),
    );
    return {
      ...placement,
      holder: { ...holder, claims: made },
      addresses: [this.#address(first), ...others.map((one) => this.#address(one))],
    };
  }

  #leaseClaim(claim: LeaseClaim): LeaseClaim {
    return {
      ...claim,
      lease: this.#once(leaseIdText(claim.lease), () => this.lease()),
      sharingKey: this.#once(`key ${claim.sharingKey}`, () => this.#text('sharing-key')),
      service: this.#once(`service ${claim.service}`, () => this.#text('service')),
      endpoint: this.#once(`endpoint ${claim.endpoint}`, () => this.#text('endpoint')),
      port: this.#port(),
      externalPort: this.#port(),
      selector: claim.selector && this.#texts(claim.selector),
    };
  }

  #serviceClaim(claim: ServiceClaim): ServiceClaim {
    const declared = this.#once(claim.declared, () => this.#declared(claim.declared));
    return {
      ...claim,
      declared,
      service: declared.name,
      sharingKey: this.#once(`key ${claim.sharingKey}`, () => this.#text('sharing-key')),
    };
  }

  #declared(declared: DeclaredService | Reservation): DeclaredService | Reservation {
    const name = this.#text('name');
    const namespace = this.#once(`namespace ${declared.namespace}`, () =>
      [this.#digits(), this.#text('namespace')].join('-'),
    );
    if (declared.kind === 'Reservation') return { ...declared, name, namespace };
    return { ...declared, name, namespace, written: this.#written(declared.written) };
  }

  #written({ labels, annotations, spec }: WrittenService): WrittenService {
    const { selector, ports } = spec;
    const made: Record<string, unknown> = { ...spec };
    if (typeof selector === 'object' && selector !== null) made.selector = this.#texts(selector);
    if (Array.isArray(ports)) made.ports = ports.map((port) => this.#servicePort(port));
    return { labels: this.#texts(labels), annotations: this.#texts(annotations), spec: made };
  }

  #servicePort(port: object): object {
    return Object.fromEntries(
      Object.entries(port).map(([key, value]) => {
        if (!isPortWord(key, value)) return [key, value];
        // The name of a port has at most 15 characters.
        const text = `x${this.#number}-${this.#next()}-port`;
        return [key, typeof value === 'number' ? this.#port() : text];
      }),
    );
  }

  lease(): LeaseId {
    const [number, count] = [this.#number, this.#next()];
    return {
      owner: `akash1${String(number).repeat(3)}example${count}try${this.#attempt}owner`,
      dseq: `${number}77777${this.#digits()}${count}`,
      gseq: number * 10_000_000 + count * 1_000 + 22,
      oseq: number * 10_000_000 + count * 1_000 + 33,
      provider: `akash1${String(number).repeat(3)}example${count}provider`,
    };
  }

  /** An address of the documentation networks. */
  #address({ family }: Address): Address {
    const number = this.#number;
    return family === 'ipv4'
      ? { family, value: 0xc6_33_64_00n + BigInt(number * 66) }
      : { family, value: (0x2001_0db8n << 96n) + BigInt(number * 0xabcdef) };
  }

  #texts(map: object): Record<string, string> {
    return Object.fromEntries(Object.keys(map).map((key) => [key, this.#text('value')]));
  }

  #text(what: string): string {
    return `example${this.#number}-${this.#next()}-${what}`;
  }

  #port(): number {
    return this.#number * 10_000 + this.#next();
  }

  #once<Value>(key: unknown, make: () => Value): Value {
    if (!this.#known.has(key)) this.#known.set(key, make());
    return this.#known.get(key) as Value;
  }

  /** A number that no other value of this example has. */
  #next(): number {
    this.#count += 1;
    return 100 + this.#count;
  }

  /** Two digits that change the order of names from try to try. */
  #digits(): number {
    return 10 + ((this.#next() * (this.#attempt + 1) * 37) % 89);
  }
}
