import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { removeWhole } from './by-hand.ts';
import type { Kube, KubeObject } from './kube.ts';
import type { Metallb } from './machines/metallb.ts';
import { nameOf, objectsBelow, objectsIn } from './manifests.ts';

/** Where a printed command is run. */
export interface Place {
  readonly kube: Kube;
  /** What each kubectl must name; none where commands name none. */
  readonly kubeconfig?: string;
  /** The MetalLB that runs there. */
  readonly metallb?: Pick<Metallb, 'stopController' | 'startController'>;
  /** Restarts what of a namespace runs here. */
  readonly restart?: (namespace: string) => Promise<void>;
  /** Runs leasehold with the input of a pipe, and gives what it prints. */
  readonly leasehold?: (args: readonly string[], input: string) => string;
}

const apiVersions: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  service: ['v1', 'Service'],
  namespace: ['v1', 'Namespace'],
  node: ['v1', 'Node'],
  pod: ['v1', 'Pod'],
  configmap: ['v1', 'ConfigMap'],
  deployment: ['apps/v1', 'Deployment'],
  daemonset: ['apps/v1', 'DaemonSet'],
  statefulset: ['apps/v1', 'StatefulSet'],
  application: ['argoproj.io/v1alpha1', 'Application'],
  kustomization: ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'],
  storageclass: ['storage.k8s.io/v1', 'StorageClass'],
  ipaddresspool: ['metallb.io/v1beta1', 'IPAddressPool'],
  l2advertisement: ['metallb.io/v1beta1', 'L2Advertisement'],
  bgpadvertisement: ['metallb.io/v1beta1', 'BGPAdvertisement'],
  validatingadmissionpolicybinding: [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
  ],
};

/** The commands that a text of verify prints for fields that another field manager has set. */
export function removalCommands(text: string): readonly string[] {
  return [...text.matchAll(/ has set it, .*: `(kubectl .*)`/g)].map(([, command = '']) => command);
}

/** Runs a printed line as a shell does, with pipes and `&&`. Gives what the last command prints. */
export async function runPrinted(place: Place, line: string): Promise<string> {
  let output = '';
  for (const pipe of line.split(' && ')) {
    output = '';
    for (const command of pipe.split(' | ')) output = await runOne(place, command, output);
  }
  return output;
}

async function runOne(place: Place, command: string, input: string): Promise<string> {
  const [program, ...words] = wordsOf(command);
  if (program === 'npx' && place.leasehold) {
    expect(words.slice(0, 3)).toEqual(['--no', '--', 'leasehold']);
    return place.leasehold(words.slice(3), input);
  }
  if (program !== 'kubectl') throw new Error(`nobody knows how to run ${command}`);
  const line = readLine(words);
  expect([command, line.options.get('--kubeconfig')]).toEqual([command, place.kubeconfig]);
  const run = verbs[line.verb];
  if (!run) throw new Error(`nobody knows how to run ${command}`);
  return (await run(place, line, input)) ?? '';
}

/** The words of a command, without their quotes. */
function wordsOf(command: string): readonly string[] {
  const words = command.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

/** What a line of kubectl says. */
interface Line {
  readonly verb: string;
  /** What it is about: of `label node a b-` the words after `label`, of `set env` those after `env`. */
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

const withValue = new Set(
  ['-n', '-o', '-f', '-p', '-l', '--type', '--kubeconfig', '--context'].concat([
    '--namespace',
    '--patch-file',
  ]),
);
const ofTwoWords = new Set(['rollout', 'set']);

function readLine(all: readonly string[]): Line {
  const options = new Map<string, string>();
  const words: string[] = [];
  for (let index = 0; index < all.length; index += 1) {
    const word = all[index] ?? '';
    const [name = '', value] = word.split('=', 2);
    if (withValue.has(word)) {
      index += 1;
      options.set(word, all[index] ?? '');
    } else if (word.startsWith('--')) options.set(name, value ?? '');
    else words.push(word);
  }
  const [first = ''] = words;
  const count = ofTwoWords.has(first) ? 2 : 1;
  return { verb: words.slice(0, count).join(' '), words: words.slice(count), options };
}

/** The object of a line, `KIND NAME` or `KIND/NAME`, and the words after it. */
function objectOf({
  words,
  options,
}: Omit<Line, 'verb'>): readonly [KubeObject, readonly string[]] {
  const [first = ''] = words;
  const [kindWord = '', name = '', ...rest] = first.includes('/')
    ? [...first.split('/'), ...words.slice(1)]
    : words;
  const [apiVersion, kind] = apiVersions[kindWord] ?? [];
  const namespace = options.get('-n') ?? options.get('--namespace');
  if (!apiVersion || !kind) throw new Error(`nobody knows the kind ${kindWord}`);
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return [{ apiVersion, kind, metadata }, rest];
}

type Run = (place: Place, line: Line, input: string) => Promise<string | undefined>;

/** `KEY=VALUE` sets, and `KEY-` removes. */
function changes(words: readonly string[]): object {
  const pairs = words.map((word) => {
    const [key = '', value] = word.split('=', 2);
    return value === undefined ? [key.replace(/-$/, ''), null] : [key, value];
  });
  return Object.fromEntries(pairs);
}

const texts =
  (part: 'annotations' | 'labels'): Run =>
  async ({ kube }, line) => {
    const [object, words] = objectOf(line);
    // `label service a b KEY=VALUE` is about both.
    const others = words.filter((word) => !/=|-$/.test(word));
    const patch = { metadata: { [part]: changes(words.slice(others.length)) } };
    for (const name of [object.metadata.name, ...others]) {
      await kube.merge({ ...object, metadata: { ...object.metadata, name } }, patch);
    }
    return undefined;
  };

const found: Run = async ({ kube }, line) => {
  const [object] = objectOf(line);
  const live = await kube.get(object);
  if (!live) throw new Error(`${nameOf(object)} is not there`);
  return stringify({ ...object, ...live });
};

const verbs: Readonly<Record<string, Run>> = {
  annotate: texts('annotations'),
  label: texts('labels'),
  get: found,
  describe: found,
  async patch({ kube }, line) {
    const [object] = objectOf(line);
    const file = line.options.get('--patch-file');
    const patch = file
      ? parse(readFileSync(file, 'utf8'))
      : JSON.parse(line.options.get('-p') ?? '');
    await (line.options.get('--type') === 'json'
      ? kube.patch(object, patch)
      : kube.merge(object, patch));
    return undefined;
  },
  async uncordon({ kube }, { words }) {
    await kube.merge(objectOf({ words: ['node', ...words], options: new Map() })[0], {
      spec: { unschedulable: null },
    });
    return undefined;
  },
  async scale({ kube }, line) {
    const replicas = Number(line.options.get('--replicas'));
    await kube.merge(objectOf(line)[0], { spec: { replicas } });
    return undefined;
  },
  async delete({ kube }, line) {
    await removeWhole(kube, objectOf(line)[0]);
    return undefined;
  },
  async apply({ kube }, { options }, input) {
    const from = options.get('-f') ?? '';
    const text = from === '-' ? input : from.endsWith('.yaml') && readFileSync(from, 'utf8');
    const objects = text === false ? objectsBelow(from) : objectsIn(text);
    for (const { metadata, ...rest } of objects) {
      const { name, namespace, labels, annotations } = metadata;
      await kube.apply({
        ...rest,
        metadata: { name, namespace, labels, annotations },
      } as KubeObject);
    }
    return undefined;
  },
  async 'set env'({ kube }, line) {
    const [object, words] = objectOf(line);
    const live = await kube.get(object);
    const set = Object.entries(changes(words)).map(([name, value]) => ({ name, value }));
    const containers = live?.spec.template.spec.containers.map((one: KubeObject) => ({
      ...one,
      env: [
        ...(one.env ?? []).filter(({ name }: { name: string }) =>
          set.every((other) => other.name !== name),
        ),
        ...set,
      ],
    }));
    await kube.merge(object, { spec: { template: { spec: { containers } } } });
    return undefined;
  },
  /** No kubelet runs: MetalLB's controller is a process. What others are told is in their template. */
  async 'rollout restart'({ kube, metallb, restart }, line) {
    // All of these kinds, when none is named.
    if (restart && line.words.length === 1 && !line.words[0]?.includes('/')) {
      const kinds = line.words[0]?.split(',') ?? [];
      expect(kinds.filter((kind) => !apiVersions[kind])).toEqual([]);
      await restart(line.options.get('-n') ?? '');
      return undefined;
    }
    const [object] = objectOf(line);
    if (!(await kube.get(object))) throw new Error(`${nameOf(object)} is not there`);
    if (object.metadata.name === 'controller' && metallb) {
      await metallb.stopController('SIGTERM');
      await metallb.startController();
    } else {
      const annotations = { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T12:00:00Z' };
      await kube.merge(object, { spec: { template: { metadata: { annotations } } } });
    }
    return undefined;
  },
};
