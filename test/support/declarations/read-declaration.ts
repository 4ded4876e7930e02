import { readDeclaration } from '../../../src/core/declarations/declaration-file.ts';
import type { Pools } from '../../../src/core/model/pools.ts';
import type { Problem } from '../../../src/core/model/problem.ts';
import type { DeclaredService, Reservation } from '../../../src/core/model/service.ts';
import { aPool, thePools } from './pools-and-claims.ts';

/** The file that the texts of these tests stand in. */
export const declarationPath = 'leases/shop/web.yaml';

/** Pools `default` of zone `inet` and `inner` of zone `lan`. */
export const somePools: Pools = thePools({
  pools: [aPool(), aPool({ name: 'inner', zone: 'lan', addresses: ['10.0.0.0/28'] })],
});

/** What a declaration says of a Service or a Reservation; an error with its problems when it is not sound. */
export function declaredBy(text: string): DeclaredService | Reservation {
  const read = readText(text, somePools);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  if (!read.value || !('ports' in read.value)) throw new Error('declares no Service');
  return read.value;
}

/** What is wrong with a declaration. */
export function problemsOf(text: string, pools: Pools | undefined = somePools): readonly Problem[] {
  const read = readText(text, pools);
  return read.ok ? [] : read.problems;
}

/** A declaration as read, with or without pools. */
export function readText(text: string, pools: Pools | undefined) {
  return readDeclaration(declarationPath, new TextEncoder().encode(text), pools);
}

/** `CODE line:column`. */
export function placeText({ code, at }: Problem): string {
  return `${code} ${at.line}:${at.column}`;
}

/** What a test says of a Service; the rest has defaults. */
export interface ServiceText {
  readonly annotations?: Readonly<Record<string, string>>;
  /** Lines of the metadata. */
  readonly metadata?: string;
  /** Lines of the spec. */
  readonly spec?: string;
  readonly type?: string;
  readonly ports?: string;
}

/** The Service `web` of type LoadBalancer on 80/TCP. Its annotations begin on line 6. */
export function serviceText(words: ServiceText = {}): string {
  const { annotations = {}, metadata = '', spec = '', type = 'LoadBalancer' } = words;
  const entries = Object.entries(annotations);
  const lines = entries.map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`);
  return [
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n',
    lines.length > 0 ? `  annotations:\n${lines.join('')}` : '',
    indented(metadata),
    `spec:\n  type: ${type}\n  ports: ${words.ports ?? '[{ port: 80 }]'}\n`,
    indented(spec),
  ].join('');
}

function indented(lines: string): string {
  return lines === '' ? '' : `${lines.replace(/^/gm, '  ')}\n`;
}
