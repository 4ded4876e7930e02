import { type LiveKind, liveKinds } from '../../../core/model/kinds.ts';
import { fieldAt, type LiveObject, listAt, textAt } from '../../../core/model/live.ts';
import { shellWord } from '../../../core/text/print/escape.ts';

/** A step into an object: a key, or the port of a Service. */
type Step = string | { readonly port: number; readonly protocol: string };

/**
 * What to do about a field of an object that its manifest does not have and that another field
 * manager than the engine's has set: an engine removes only fields that it has set itself
 * (Kubernetes: server-side apply; the three-way merge of kubectl apply). Undefined when the engine
 * has set it, or `managedFields` do not tell. `field` is that of a {@link Difference}.
 */
export function removalHint(kind: LiveKind, field: string, live: LiveObject): string | undefined {
  const steps = stepsOf(field);
  const entries = listAt(live, 'metadata', 'managedFields');
  const owners = steps ? entries.filter((entry) => owns(entry, steps)) : [];
  const engine = entries.filter((entry) => owns(entry, engineLabel));
  const command = steps && removalOf(kind, steps, live);
  if (owners.length === 0 || command === undefined) return undefined;
  if (owners.some((owner) => engine.includes(owner))) return undefined;
  const names = [...new Set(owners.map((owner) => textAt(owner, 'manager') ?? 'without a name'))];
  return `the field manager ${names.join(' and ')} has set it, and an engine does not remove what another one has set: \`${command}\``;
}

/** The actions of a binding are a set: server-side apply adds its items to those that others have set. */
const validationActions = 'spec.validationActions';

/**
 * What to do about an item of a set that an engine does not replace but adds to. Deny beside Warn is
 * refused, and the engine stops there. `field` is that of a {@link Difference}. Kubernetes:
 * ValidateValidatingAdmissionPolicyBinding.
 */
export function mergedHint(
  kind: LiveKind,
  field: string,
  { metadata, spec }: LiveObject,
): string | undefined {
  if (kind !== 'admissionPolicyBinding' || !field.startsWith(validationActions)) return undefined;
  const patch = { spec: { validationActions: listAt(spec, 'validationActions') } };
  return `an engine adds its own to what another field manager has set, and the API server refuses Deny beside Warn: \`kubectl patch ${liveKinds[kind].kind.toLowerCase()} ${shellWord(metadata.name)} --type merge -p ${shellWord(JSON.stringify(patch))}\``;
}

/** Every manifest has this label. The field manager that owns it is the engine. */
const engineLabel: readonly Step[] = ['metadata', 'labels', 'app.kubernetes.io/managed-by'];

const ofAnnotation = /^metadata\.annotations\[(.*)\]$/;
const ofPort = /^spec\.ports\[(\d+)\/(\w+)\](?:\.(.*))?$/;

/** Undefined for a field of an item of another list. */
function stepsOf(field: string): readonly Step[] | undefined {
  const [, annotation] = ofAnnotation.exec(field) ?? [];
  if (annotation !== undefined) return ['metadata', 'annotations', annotation];
  const [, port, protocol, rest] = ofPort.exec(field) ?? [];
  if (port === undefined || protocol === undefined) {
    return field.includes('[') ? undefined : field.split('.');
  }
  const own = { port: Number(port), protocol };
  return ['spec', 'ports', own, ...(rest === undefined ? [] : [rest])];
}

/** True for an entry of `managedFields` that has the field, as deep as it is kept. */
function owns(entry: unknown, steps: readonly Step[]): boolean {
  const path = steps
    .slice(0, keptDepth)
    .map((step) => (typeof step === 'string' ? `f:${step}` : `k:${JSON.stringify(step)}`));
  return fieldAt(entry, 'fieldsV1', ...path) !== undefined;
}

const keptDepth = 3;

/** The kubectl command that removes exactly this field; undefined when it is not there any more. */
function removalOf(kind: LiveKind, steps: readonly Step[], live: LiveObject): string | undefined {
  const { name, namespace } = live.metadata;
  const of = namespace === undefined ? 'kubectl' : `kubectl -n ${shellWord(namespace)}`;
  const object = `${liveKinds[kind].kind.toLowerCase()} ${shellWord(name)}`;
  const [part, field, key] = steps;
  if (part === 'metadata' && field === 'annotations') {
    return `${of} annotate ${object} ${shellWord(`${String(key)}-`)}`;
  }
  const index = portIndex(live, key);
  if (index === -1) return undefined;
  const path = steps.map((step) => (typeof step === 'object' ? index : step));
  const patch = [
    ...(typeof key === 'object'
      ? [{ op: 'test', path: `/spec/ports/${index}/port`, value: key.port }]
      : []),
    { op: 'remove', path: `/${path.join('/')}` },
  ];
  return `${of} patch ${object} --type json -p ${shellWord(JSON.stringify(patch))}`;
}

/** The place of a port in the list, from 0; -1 when it is gone. Undefined for another field. */
function portIndex(live: LiveObject, key: Step | undefined): number | undefined {
  if (typeof key !== 'object') return undefined;
  return listAt(live, 'spec', 'ports').findIndex(
    (port) => fieldAt(port, 'port') === key.port && textAt(port, 'protocol') === key.protocol,
  );
}
