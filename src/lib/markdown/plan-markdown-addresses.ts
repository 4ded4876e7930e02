import { holderText } from '../../core/model/holder.ts';
import { counted } from '../../core/model/problem.ts';
import type { AddressChange, Plan } from '../../core/run/plan/plan-answer.ts';
import {
  type AddressRow,
  type AddressRows,
  fewRows,
  groupHolders,
  planRows,
  type RowGroup,
  rowGroups,
  rowHolder,
  rowNouns,
  rowSign,
  rowsText,
  rowsTitle,
  rowWord,
  sharedDetails,
} from '../../core/run/plan/print/plan-rows.ts';
import { phraseText } from '../../core/run/plan/print/plan-words.ts';
import { htmlText } from '../../core/text/print/escape.ts';
import type { LinkOf } from './plan-links.ts';
import type { Section } from './plan-markdown-rows.ts';
import { codeSpan, sentence, shortPlaceLink, tableCell } from './plan-markdown-text.ts';

/** At most this many details of one row are shown. */
const mostDetails = 6;

/** The tables of the changed addresses of a plan. */
export interface AddressSections {
  readonly lost: Section;
  readonly given: Section;
  /** A folded table of the changes in which no holder gets or loses an address. */
  readonly kept: Section;
  /** A folded table of each address in `lost` and `given` when those are shortened; else empty. */
  readonly each: Section;
}

/** The tables, with a pool column when there are several pools. */
export function addressSections(plan: Plan, linkOf: LinkOf): AddressSections {
  const table = new AddressTable(plan, linkOf);
  const rows = planRows(plan);
  const lost = rowGroups(rows.lost);
  const given = rowGroups(rows.given);
  const isShort = [lost, given].some(
    (groups) => groups.length > fewRows || groups.some((group) => group.length > 1),
  );
  return {
    lost: table.section('Lost, moved or cut', lost, 'lost'),
    given: table.section('New', given, 'new'),
    kept: table.fold(keptText(rows), rows.kept),
    each: table.fold(eachText(rows), isShort ? [...rows.lost, ...rows.given] : [], true),
  };
}

function keptText({ kept }: AddressRows): string {
  const [noun] = rowNouns(kept);
  return `${counted(kept.length, 'other change')}: no ${noun} is lost or given`;
}

function eachText({ lost, given }: AddressRows): string {
  return `Each of the ${rowsText([...lost, ...given])}`;
}

/** Renders rows of addresses in the columns of one plan. */
class AddressTable {
  readonly #linkOf: LinkOf;
  readonly #short: (holder: string) => string;
  readonly #hasPools: boolean;

  constructor(plan: Plan, linkOf: LinkOf) {
    this.#linkOf = linkOf;
    this.#short = shortHolderNames(plan);
    this.#hasPools = new Set(plan.addresses.map(({ pool }) => pool)).size > 1;
  }

  #head(rows: readonly AddressRow[]): string {
    const titles = [rowsTitle(rows), 'Change', 'Holder', 'What changes', 'In leases/'];
    if (this.#hasPools) titles.push('Pool');
    return `${tableRow(titles)}\n${tableRow(titles.map(() => '---'))}\n`;
  }

  section(title: string, groups: readonly RowGroup[], which: string): Section {
    const left = groups.slice(fewRows).flat();
    const rows = groups.flat();
    const [, many] = rowNouns(rows);
    return {
      head: `#### ${title}\n\n${this.#head(rows)}`,
      rows: groups.slice(0, fewRows).map((group) => this.#row(group)),
      noun: [`row of ${which} ${many}`, `rows of ${which} ${many}`],
      ...(left.length > 0 && { tail: `\nand ${left.length} more ${rowNouns(left)[1]}\n` }),
    };
  }

  fold(summary: string, rows: readonly AddressRow[], isRepeat = false): Section {
    return {
      head: `<details><summary>${htmlText(summary)}</summary>\n\n${this.#head(rows)}`,
      rows: rows.map((row) => this.#row([row])),
      noun: rowNouns(rows),
      tail: '\n</details>\n',
      ...(isRepeat && { isRepeat }),
    };
  }

  #row(group: RowGroup): string {
    const [row] = group;
    const { pool, at } = row.change;
    const left = group.length - 1;
    const cells = [
      addressCell(group),
      `${rowSign(row).replace('-', '−')}&nbsp;${rowWord(row)}`,
      this.#holderCell(group),
      detailsCell(sharedDetails(group)),
      `${shortPlaceLink(at, this.#linkOf)}${left === 0 ? '' : ` and ${left} more`}`,
      ...(this.#hasPools ? [codeSpan(pool)] : []),
    ];
    return tableRow(cells.map(tableCell));
  }

  #holderCell(group: RowGroup): string {
    const holders = groupHolders(group);
    if (holders !== undefined) return counted(holders, 'holder');
    return phraseText(rowHolder(group[0]), (text) => codeSpan(this.#short(text)));
  }
}

/** `from → to` for a move; the number, the first and the last for a group. */
function addressCell(group: RowGroup): string {
  const [{ change, from }] = group;
  if (group.length === 1) {
    const to = codeSpan(change.address);
    return from === undefined ? to : `${codeSpan(from.address)} → ${to}`;
  }
  const last = group.at(-1)?.change ?? change;
  const ends = `${codeSpan(change.address)} … ${codeSpan(last.address)}`;
  return `**${rowsText(group)}**<br>${ends}`;
}

function detailsCell(details: readonly string[]): string {
  const shown = details.slice(0, mostDetails).map(sentence);
  const rest = details.length - shown.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return [...shown, ...more].join('<br>') || '–';
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * Short holder names for a narrow table: `shop of akash17zp…nkks4`. Names that would become equal
 * are not shortened.
 */
function shortHolderNames({ addresses }: Pick<Plan, 'addresses'>): (text: string) => string {
  const holders = addresses.flatMap(({ before, after }: AddressChange) =>
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
