import { readEmbedded, type SourceNode, sourceRoot } from '../../../lib/foreign/source-reader.ts';
import { isConfig } from './metallb-config.ts';

/** A part of the values of a Helm chart: an object of MetalLB, or the content of its ConfigMap. */
export interface ValuesPart {
  readonly kind: 'object' | 'config';
  readonly node: SourceNode;
}

/** Objects that contain the values of a chart, by API group and kind: of Flux, Argo CD and K3s. */
const valuesObjects: ReadonlySet<string> = new Set([
  'helm.toolkit.fluxcd.io HelmRelease',
  'argoproj.io Application',
  'helm.cattle.io HelmChart',
  'helm.cattle.io HelmChartConfig',
]);

/** The fields of these objects that have values as text. */
const textFields: ReadonlySet<string> = new Set(['values', 'valuesContent']);

/** True for an object that contains the values of a chart. `type` is `<apiVersion> <kind>`. */
export function holdsValues(type: string): boolean {
  return valuesObjects.has(type.replace(/\/\S+ /, ' '));
}

/**
 * Finds MetalLB's configuration in the values of a chart, in the order of the file: under
 * `configInline`, as the charts of 0.12 and before have it, and as objects in any list, as charts
 * have it that write extra objects. `text` is that of the file.
 */
export function partsOfValues(node: SourceNode, text: string): readonly ValuesPart[] {
  const { document, path, value } = node;
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value) && isObject(value)) return [{ kind: 'object', node }];
  return Object.entries(value).flatMap(([key, child]): readonly ValuesPart[] => {
    const step = Array.isArray(value) ? Number(key) : key;
    const inner: SourceNode = { document, path: [...path, step], value: child };
    if (key === 'configInline' && isConfig(inner)) return [{ kind: 'config', node: inner }];
    if (textFields.has(key) && typeof child === 'string') return partsOfText(inner, child, text);
    return partsOfValues(inner, text);
  });
}

/** A text that is not YAML has none: it may be a template. */
function partsOfText(node: SourceNode, value: string, text: string): readonly ValuesPart[] {
  const documents = readEmbedded(node, value, text);
  if (!documents.ok) return [];
  return documents.value.flatMap((document) => partsOfValues(sourceRoot(document), text));
}

/** True for a mapping that names a kind of MetalLB. Its values can be of any type. */
function isObject(value: object): boolean {
  const { apiVersion, kind } = value as { apiVersion?: unknown; kind?: unknown };
  const isNamed = typeof kind === 'string' && kind !== '';
  return isNamed && typeof apiVersion === 'string' && apiVersion.startsWith('metallb.io/');
}
