import { holderText } from '../../core/model/holder.ts';
import { addToGroup, groupBy } from '../../core/model/order.ts';
import type { AddressChange, Plan } from '../../core/run/plan/plan-answer.ts';
import {
  type AddressRow,
  fewRows,
  planRows,
  rowHolder,
  rowNouns,
  rowSign,
  rowWord,
} from '../../core/run/plan/print/plan-rows.ts';
import { phraseText } from '../../core/run/plan/print/plan-words.ts';
import { portRanges } from '../../core/text/print/columns.ts';
import type { LinkOf } from './plan-links.ts';
import type { Section } from './plan-markdown-rows.ts';
import { codeSpan, placeLink, sentence } from './plan-markdown-text.ts';

/** At most this many details, or services, of one row are shown. */
const mostDetails = 6;

/** Up to this many changes are shown in which no holder gets or loses an address. */
const fewKept = 5;

/** The changed addresses and hostnames of a plan. The rows past the first few of a list are folded. */
export interface AddressSections {
  readonly lost: Section;
  readonly given: Section;
  /** The changes in which no holder gets or loses an address. */
  readonly kept: Section;
}

/** The lists of a plan. A holder has one row for both of its addresses. */
export function addressSections(plan: Plan, linkOf: LinkOf): AddressSections {
  const list = new HolderList(plan, linkOf);
  const { lost, given, kept } = planRows(plan);
  const [noun] = rowNouns(kept);
  return {
    lost: list.section('Lost, moved or cut', lost, ['loss, move or cut', 'losses, moves and cuts']),
    given: list.section('New', given, ['new holder', 'new holders']),
    kept: list.section(
      `Other changes: no ${noun} is lost or given`,
      kept,
      ['other change', 'other changes'],
      fewKept,
    ),
  };
}

/** The change of the addresses of one holder, at most one of each family, or of a hostname. */
type HolderRow = readonly [AddressRow, ...AddressRow[]];

/** A row as Markdown, and what is shown of it where a plan is too long. */
type ShownRow = readonly [full: string, short: string];

/** Renders rows with the names of one plan. */
class HolderList {
  readonly #linkOf: LinkOf;
  readonly #short: (holder: string) => string;

  constructor(plan: Plan, linkOf: LinkOf) {
    this.#linkOf = linkOf;
    this.#short = shortHolderNames(plan);
  }

  section(
    title: string,
    all: readonly AddressRow[],
    noun: Section['noun'],
    after = fewRows,
  ): Section {
    const rows = holderRows(all);
    const first = rows.slice(0, after).map((row) => this.#full(row));
    const folded = [...groupBy(rows.slice(after), groupKey).values()].flatMap((group) =>
      this.#group(group),
    );
    return {
      head: `#### ${title}\n\n`,
      rows: [...first, ...folded.map(([full]) => full)],
      noun,
      fold: { after, short: folded.map(([, short]) => short) },
    };
  }

  /** The rows of a group: a line above the first says once what all of them mean. */
  #group(group: HolderRow[]): readonly ShownRow[] {
    const [first] = group;
    if (first === undefined) return [];
    const said = [`${group.length} holders`, ...meaning(first).map(sentence)].join(' · ');
    const head = `\n${signText(first)} ${said}\n\n`;
    return group.map((row, index): ShownRow => {
      const short = `${addressesText(row)} ${this.#holder(row)}`;
      if (group.length === 1) return [this.#full(row), `- ${signText(row)} ${short}`];
      const lead = `${index === 0 ? head : ''}- `;
      return [`${lead}${this.#subject(row)} · ${this.#place(row)}`, `${lead}${short}`];
    });
  }

  #full(row: HolderRow): string {
    const said = meaning(row);
    const rest = said.length - mostDetails;
    const more = rest > 0 ? [`and ${rest} more`] : [];
    const shown = [...said.slice(0, mostDetails).map(sentence), ...more, this.#place(row)];
    return `- ${signText(row)} ${this.#subject(row)}<br>${shown.join(' · ')}`;
  }

  /** The addresses, their holder and its ports. Two addresses fill a line. */
  #subject(row: HolderRow): string {
    const whose = [this.#holder(row), ...portTexts(row)].join(' · ');
    return `${addressesText(row)}${row.length === 1 ? ' · ' : '<br>'}${whose}`;
  }

  #holder([row]: HolderRow): string {
    return phraseText(rowHolder(row), (text) => codeSpan(this.#short(text)));
  }

  #place([{ change }]: HolderRow): string {
    return placeLink(change.at, this.#linkOf);
  }
}

/** Puts the addresses of one holder with one change together, one of each family. */
function holderRows(rows: readonly AddressRow[]): readonly HolderRow[] {
  const seen = new Map<string, AddressRow[]>();
  const groups = groupBy(rows, (row) => {
    const { address, before, after } = row.change;
    const isSame = [before?.holder, before?.state, after?.holder, after?.state];
    const key = JSON.stringify([rowWord(row), rowNouns([row]), ...isSame]);
    const family = rowNouns([row])[0] === 'address' ? `${address.includes(':')}` : '';
    addToGroup(seen, `${key} ${family}`, row);
    return `${key} ${seen.get(`${key} ${family}`)?.length}`;
  });
  return [...groups.values()];
}

/** Equal for rows that mean the same. */
function groupKey(row: HolderRow): string {
  return JSON.stringify([rowSign(row[0]), ...meaning(row)]);
}

const signs: Readonly<Record<string, string>> = { '-': '−', '~': '\\~' };

/** The sign of a row; an address that another holder takes over is no plain gain. */
function signText([row]: HolderRow): string {
  const { change, before } = row.change;
  const isTaken = change === 'allocated' && before?.state === 'held';
  const sign = isTaken ? '→' : rowSign(row);
  return `**${signs[sign] ?? sign}**`;
}

/** `from → to` for a move, each pair on a line. */
function addressesText(row: HolderRow): string {
  const texts = row.map(({ change, from }) => {
    const to = codeSpan(change.address);
    return from === undefined ? to : `${codeSpan(from.address)} → ${to}`;
  });
  return texts.join(row[0].from === undefined ? ', ' : '<br>');
}

/** The meaning of a row, in short phrases; one that is not true of both addresses begins with its own. */
function meaning(row: HolderRow): readonly string[] {
  const all = row.map(detailsOf);
  const details = all.flatMap((own, index) =>
    own.map((detail) => {
      const isShared = all.every((others) => others.includes(detail));
      return isShared ? detail : `${row[index]?.change.address} ${detail}`;
    }),
  );
  const word = rowWord(row[0]);
  const isSaid = word === 'updated' || details.some((detail) => detail.startsWith(word));
  return [...(isSaid ? [] : [word]), ...new Set(details)];
}

/** The details of a row, without what its addresses and its holder say already. */
function detailsOf({ change, from }: AddressRow): readonly string[] {
  const was = [from?.address, change.before && holderText(change.before.holder)];
  const own = [...claimsOf(change).filter((claim) => !portPattern.test(claim)), ...change.details];
  const old = from?.details.map((detail) => `old address ${detail}`) ?? [];
  return [...own, ...old].map((detail) =>
    was.reduce<string>((text, said) => text.replace(` from ${said}`, ''), detail),
  );
}

const portPattern = /^(.*) (\d{1,5})\/(\w+)$/s;

function claimsOf({ change, before, after }: AddressChange): readonly string[] {
  return (change === 'released' ? before : after)?.claims ?? [];
}

/** The ports: `80, 443/TCP` of a Service, `web 80/TCP` of an endpoint or a group. */
function portTexts(row: HolderRow): readonly string[] {
  const claims = new Set(row.flatMap(({ change }) => claimsOf(change)));
  const ports = [...claims].flatMap((claim) => {
    const [, service = '', port, protocol = ''] = portPattern.exec(claim) ?? [];
    return port === undefined ? [] : [{ service, externalPort: Number(port), protocol }];
  });
  const holder = (row[0].change.after ?? row[0].change.before)?.holder ?? '';
  const texts = [...groupBy(ports, ({ service }) => service)].map(([service, own]) => {
    const shown = codeSpan(
      portRanges(own)
        .join(', ')
        .replace(/,(?! )/g, ', '),
    );
    return holder.endsWith(`/${service}`) ? shown : `${sentence(service)} ${shown}`;
  });
  const rest = texts.length - mostDetails;
  return [...texts.slice(0, mostDetails), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

/**
 * Short holder names: `shop/web`, `shop of akash17zp…nkks4`. Names that would become equal are not
 * shortened.
 */
function shortHolderNames({ addresses, hostnames = [] }: Plan): (text: string) => string {
  const holders = [...addresses, ...hostnames].flatMap(({ before, after }) =>
    [before, after].flatMap((side) => (side ? [side.holder] : [])),
  );
  const holderOf = new Map<string, string | undefined>();
  for (const holder of new Set(holders)) {
    const short = holderText(holder);
    holderOf.set(short, holderOf.has(short) ? undefined : holder);
  }
  return (text) => {
    const short = holderText(text);
    return holderOf.get(short) === text ? short : text;
  };
}
