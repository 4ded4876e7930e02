import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isQuotaOwner } from '../declarations/pools/pools-schema.ts';
import { type Day, parseDay } from '../model/day.ts';
import { isBranchName } from '../model/repository-address.ts';
import { leasesFolder } from '../model/repository-paths.ts';
import { type Address, isAddress, parseAddress } from '../net/address.ts';
import { type AddressRange, isRange, parseRange } from '../net/range.ts';
import { dnsLabel } from '../text/common-fields.ts';
import { shellWord } from '../text/print/escape.ts';
import { isShortAccount } from '../text/short-account.ts';

/** `--today`. */
export function todayOption() {
  return new Option(
    '--today <day>',
    'the day to record, YYYY-MM-DD, instead of the current UTC day',
  )
    .env('LEASEHOLD_TODAY')
    .argParser(dayValue);
}

/** `--allow-release`. */
export function allowReleaseOption(
  description = 'allow the run to release exactly this many addresses and hostnames',
) {
  return new Option('--allow-release <count>', description).argParser(countValue);
}

/** The releases that `--allow-release` confirms, and the running command with that option, to copy. */
export function releaseTerms(
  { argv = [] }: { readonly argv?: readonly string[] },
  { allowRelease: allowed }: { readonly allowRelease?: number | undefined },
) {
  const isAllowing = (word?: string): boolean => word === '--allow-release';
  const words = argv
    .filter((word, index) => !isAllowing(word) && !isAllowing(argv[index - 1]))
    .filter((word) => !word.startsWith('--allow-release='))
    .map(shellWord);
  const allowingCommand = (count: number): string =>
    `\`${['leasehold', ...words, '--allow-release', count].join(' ')}\``;
  return { allowed, allowingCommand };
}

/** `--cluster` of the commands for one declared cluster. */
export function clusterOption(
  description = 'the cluster of leases/pools.yaml; the default one when left out',
) {
  return new Option('--cluster <name>', description);
}

/** A promise of 365 days from here still ends on a day with a year of four digits. */
const lastToday = '9998-12-31';

/** A calendar day. */
export function dayValue(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new InvalidArgumentError('Expected a day as YYYY-MM-DD.');
  if (day > lastToday) throw new InvalidArgumentError(`It is later than ${lastToday}.`);
  return day;
}

/** A whole number from 0. */
export function countValue(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** A time such as `90s`, in milliseconds. */
export function timeValue(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([smh])$/.exec(text) ?? [];
  const factor = milliseconds[unit];
  if (number === undefined || factor === undefined) {
    throw new InvalidArgumentError('It is not a time such as 90s, 5m or 1h.');
  }
  return Number(number) * factor;
}

/** The name of a zone, an object or a namespace: a DNS label. */
export function labelOption(text: string): string {
  if (dnsLabel.safeParse(text).success) return text;
  throw new InvalidArgumentError('It is not a name of lower-case letters, digits and -.');
}

/** {@link labelOption} of an option that may be repeated. */
export function labelsValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, labelOption(text)];
}

/** An owner of addresses: an Akash account, or `<cluster>/<namespace>` of Services. */
export function ownerValue(text: string): string {
  if (isQuotaOwner(text) || isShortAccount(text)) return text;
  throw new InvalidArgumentError('It is not an account akash1… or <cluster>/<namespace>.');
}

/** One IP address. */
export function addressValue(text: string): Address {
  const address = parseAddress(text);
  if (isAddress(address)) return address;
  throw new InvalidArgumentError('It is not an IP address.');
}

/** An address of an option that may be given once for each family. */
export function addressesValue(text: string, before: readonly Address[]): readonly Address[] {
  const address = addressValue(text);
  if (before.some(({ family }) => family === address.family)) {
    throw new InvalidArgumentError('Only one address of a family is allowed.');
  }
  return [...before, address];
}

/** One of the addresses, blocks and ranges of an option. */
export function rangesValue(
  text: string,
  before: readonly AddressRange[] = [],
): readonly AddressRange[] {
  return [...before, rangeValue(text)];
}

/** One address, block or range. */
export function rangeValue(text: string): AddressRange {
  const range = parseRange(text);
  if (isRange(range)) return range;
  throw new InvalidArgumentError(`${range.reason}.`);
}

/** Any text, of an option that may be repeated. */
export function textsValue(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** The name of a branch that leasehold reads or commits to. */
export function branchValue(text: string): string {
  if (isBranchName(text)) return text;
  throw new InvalidArgumentError('It is not a name that git allows for a branch.');
}

/** A folder for declarations: `leases/NAME`, or deeper. */
export function folderValue(text: string): string {
  const folder = text.replace(/\/+$/, '');
  const [first, own, ...deeper] = folder.split('/');
  const isName = (part: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part);
  const isFree = own !== undefined && own !== 'allocations' && own !== 'keys' && isName(own);
  if (first === leasesFolder && isFree && deeper.every(isName)) return folder;
  throw new InvalidArgumentError('It is not a folder for declarations, such as leases/shop.');
}
