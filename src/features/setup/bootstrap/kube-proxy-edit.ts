import { failSorted, type Outcome, ok, type Position } from '../../../core/model/problem.ts';
import { sanitize } from '../../../core/text/print/escape.ts';
import type { InputFile } from '../../../core/text/yaml/template-hints.ts';
import {
  hasKey,
  hasValue,
  isAliased,
  withEntry,
  withText,
  withValue,
} from '../../../lib/edit/yaml-edit.ts';
import {
  readEmbedded,
  readSourceDocument,
  type SourceNode,
  SourceReader,
  sourceKeyPlace,
  sourcePlace,
  sourceRoot,
} from '../../../lib/foreign/source-reader.ts';

/** The edited configuration of kube-proxy. */
export interface StrictARPEdit {
  readonly text: string;
  /** `strict` and `unneeded` are unchanged: strict ARP is on, or the mode does not need it. */
  readonly state: 'changed' | 'strict' | 'unneeded';
  /** The value of `mode`; empty for the default. */
  readonly mode: string;
}

/** The key of kubeadm's ConfigMap kube-system/kube-proxy. */
const configKey = 'config.conf';

/**
 * Turns strict ARP on in the configuration of kube-proxy in IPVS mode (MetalLB: its installation
 * page, Preparation). The file is the ConfigMap kube-system/kube-proxy, as kubectl prints it in
 * YAML or JSON, or its `config.conf` alone. All other characters are kept. Problems: those of
 * {@link readSourceDocument}, KIND_UNKNOWN, FIELD_MISSING, FIELD_TYPE, and YAML_ALIAS for a value
 * behind an alias.
 */
export function editStrictARP(file: InputFile): Outcome<StrictARPEdit> {
  const read = readSourceDocument(file);
  if (!read.ok) return read;
  const { root, text } = read.value;
  const reader = new SourceReader();
  const kind = reader.mapping(root)?.get('kind');
  const edit =
    kind?.value === 'ConfigMap'
      ? editConfigMap(reader, root, text)
      : editConfig(reader, root, text);
  if (edit && reader.problems.length === 0) return ok(edit);
  return failSorted(reader.problems);
}

function editConfigMap(
  reader: SourceReader,
  root: SourceNode,
  text: string,
): StrictARPEdit | undefined {
  const data = reader.mapping(root)?.get('data');
  const config = reader.mapping(data)?.get(configKey);
  const inner = reader.text(config);
  if (!config || inner === undefined) {
    const message = `the ConfigMap has no ${configKey}, expected that of kube-system/kube-proxy`;
    reader.refuse('FIELD_MISSING', message, sourcePlace(data ?? root));
    return undefined;
  }
  const documents = readEmbedded(config, inner, text);
  if (!documents.ok) {
    reader.problems.push(...documents.problems);
    return undefined;
  }
  const [document] = documents.value;
  if (!document) {
    reader.refuse('FIELD_MISSING', `${configKey} is empty`, sourcePlace(config));
    return undefined;
  }
  const edit = editConfig(reader, sourceRoot(document), inner);
  if (edit?.state !== 'changed') return edit && { ...edit, text };
  const place = ['data', configKey];
  const isOwn = hasValue(text, place);
  if (!isOwn || isAliased(text, place)) {
    refuseShared(reader, configKey, sourceKeyPlace(config), isOwn);
    return undefined;
  }
  return { ...edit, text: withText(text, place, edit.text) };
}

/** Edits a KubeProxyConfiguration; `text` is its text alone. */
function editConfig(
  reader: SourceReader,
  root: SourceNode,
  text: string,
): StrictARPEdit | undefined {
  const fields = reader.mapping(root);
  if (!fields) return undefined;
  const kind = fields.get('kind');
  if (kind?.value !== 'KubeProxyConfiguration') {
    const message =
      'it is neither the ConfigMap kube-system/kube-proxy nor a KubeProxyConfiguration';
    reader.refuse('KIND_UNKNOWN', message, sourcePlace(kind ?? root));
    return undefined;
  }
  const mode = reader.text(fields.get('mode')) ?? '';
  const ipvs = fields.get('ipvs');
  const strictARP = reader.mapping(ipvs)?.get('strictARP');
  const isStrict = reader.flag(strictARP) ?? false;
  if (reader.problems.length > 0) return undefined;
  if (mode !== 'ipvs') return { text, state: 'unneeded', mode };
  if (isStrict) return { text, state: 'strict', mode };
  const edited = strict(reader, text, ipvs, strictARP);
  return edited === undefined ? undefined : { text: edited, state: 'changed', mode };
}

function strict(
  reader: SourceReader,
  text: string,
  ipvs: SourceNode | undefined,
  strictARP: SourceNode | undefined,
): string | undefined {
  if (!ipvs) return withEntry(text, [], 'ipvs', '{ strictARP: true }');
  const isMap = ipvs.value !== null;
  const place = ['ipvs', ...(strictARP ? ['strictARP'] : [])];
  const isEmpty = (strictARP ?? ipvs).value === null;
  const isOwn = isEmpty ? hasKey(text, place) : hasValue(text, place);
  if (!isOwn || isAliased(text, place)) {
    refuseShared(reader, 'ipvs', sourceKeyPlace(ipvs), isOwn);
    return undefined;
  }
  if (!isMap) return withValue(text, ['ipvs'], '{ strictARP: true }');
  if (!strictARP) return withEntry(text, ['ipvs'], 'strictARP', 'true');
  return withValue(text, ['ipvs', 'strictARP'], 'true');
}

function refuseShared(reader: SourceReader, what: string, at: Position, isOwn: boolean): void {
  const where = isOwn ? 'has an anchor with an alias' : 'comes from an alias or a merge key';
  const message = `${what} ${where}: changing it would change another place too`;
  reader.refuse('YAML_ALIAS', message, at);
}

/** The result of an edit, and the next step. */
export function strictARPText(file: string, { state, mode }: StrictARPEdit): string {
  const name = sanitize(file);
  if (state === 'unneeded') {
    const how = mode === '' ? 'its default' : sanitize(mode);
    return `${name}: kube-proxy runs in ${how} mode, which does not need strictARP; nothing is changed\n`;
  }
  if (state === 'strict') return `${name}: strictARP is true already; nothing is changed\n`;
  return `${name}: ipvs.strictARP becomes true; kube-proxy reads it when it starts:
  kubectl -n kube-system rollout restart daemonset kube-proxy
`;
}
