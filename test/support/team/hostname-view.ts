import { isOverlap } from '../allocations/naive-rules.ts';
import { fieldOf, type RecordFields, recordFieldsOf } from './record-fields.ts';
import type { Document, TreeView } from './view.ts';

/** A hostname that a declaration names. */
export interface HostnameView {
  readonly hostname: string;
  readonly holder: string;
  readonly file: string;
  /** `lease OWNER DSEQ` of the lease that has it; undefined for a `Hostname`. */
  readonly lease: string | undefined;
}

/** The record of a hostname. */
export interface HostnameRecordView extends RecordFields {
  readonly hostname: string;
}

/** The hostnames that a lease has under `hosts`. */
export function leaseHostnames(
  file: string,
  { id, hosts = [] }: Document,
): readonly HostnameView[] {
  return hosts.flatMap(({ accept }: Document) =>
    accept.map((hostname: string) => ({
      hostname,
      holder: `default/akash/${id.owner}`,
      file,
      lease: `lease ${id.owner} ${id.dseq}`,
    })),
  );
}

/** The hostname of a `Hostname`. */
export function declaredHostname(
  file: string,
  { namespace, hostname }: Document,
): readonly HostnameView[] {
  return [{ hostname, holder: `default/namespace/${namespace}`, file, lease: undefined }];
}

/** Reads the record of a hostname. */
export function hostnameRecordOf(file: string, text: string): HostnameRecordView {
  return { hostname: fieldOf(text, 'hostname') ?? '', ...recordFieldsOf(file, text) };
}

/** The hostname that a manifest routes, if it routes one. */
export function routedIn(text: string): string | undefined {
  const [, hostname] =
    text.match(/^ {2}hostnames:\n {4}- "?([^"\n]+)"?$/m) ??
    text.match(/^ +(?:- )?host: "?([^"\n]+)"?$/m) ??
    [];
  return hostname;
}

/** The declared hostnames and the records of others that overlap a name. */
export function rivalsOf(
  { hostnames, hostnameRecords }: TreeView,
  { hostname, holder }: Pick<HostnameView, 'hostname' | 'holder'>,
): {
  readonly declared: readonly HostnameView[];
  readonly recorded: readonly HostnameRecordView[];
} {
  const isRival = (other: Pick<HostnameView, 'hostname' | 'holder'>) =>
    other.holder !== holder && isOverlap(other.hostname, hostname);
  return {
    declared: hostnames.filter(isRival),
    recorded: [...hostnameRecords.values()].filter(isRival),
  };
}
