import { parse } from 'yaml';
import { liveKindOf } from '../model/kinds.ts';
import { type LiveObject, liveObjectName, objectName, type WantedObject } from '../model/live.ts';
import { InternalError } from '../model/problem.ts';
import { type PlainGrammar, readPlainYaml } from '../text/yaml/plain-yaml.ts';
import { documentsIn, textIn } from './live-facts.ts';

/**
 * Parses one file of `dist/` into its objects, in the order of the file. Reads only text that
 * leasehold wrote (src/core/manifests/yaml-text.ts), which `check` proves; anything else is an
 * InternalError.
 */
export function readManifests(text: string): readonly WantedObject[] {
  return documentsIn(text).map((document) => {
    const value = parsed(document);
    const { apiVersion, kind } = value;
    const known = liveKindOf(apiVersion, kind);
    if (!known) throw new InternalError(`dist/ has a ${kind} of ${apiVersion}`);
    const object: LiveObject = value;
    return { kind: known, name: liveObjectName(known, object), object };
  });
}

/** The object of one document, as {@link namedManifests} returns it; undefined for what is not YAML. */
export function readManifest(document: string): unknown {
  try {
    return parsed(document);
  } catch {
    return undefined;
  }
}

function parsed(document: string) {
  return readPlainYaml(document, manifests)?.value ?? parse(document, { version: '1.1' });
}

/** Plain text. The excluded words have another type in YAML 1.1, so manifests quote them. */
const word = /^(?!(?:null|true|false|yes|no|on|off|y|n):?$)[A-Za-z][A-Za-z0-9_./=,@-]*$/i;
const whole = /^-?(?:0|[1-9][0-9]{0,14})$/;
const quoted = /^"[^"\\]*"$/;
/** An address, a block or a range of IPv4; of IPv6; a hash; the name of a port. */
const otherTexts = [
  /^[0-9]+(?:\.[0-9]+){3}(?:\/[0-9]+|-[0-9]+(?:\.[0-9]+){3})?$/,
  /^(?=.*[a-f]|.*::)[0-9a-f:]*:[0-9a-f:]*(?:\/[0-9]+)?$/,
  /^[0-9][0-9a-w]*[ghj-lp-su-w][0-9a-w]*$/,
  /^[0-9]+-[a-z]+$/,
];

const manifests: PlainGrammar = {
  entry: /^(?!(?:null|true|false|yes|no|on|off|y|n):)([a-z][a-z0-9_./-]*):(?: +(\S.*))?$/i,
  scalar(text) {
    if (text === 'true') return true;
    if (text === 'false') return false;
    if (quoted.test(text)) return text.slice(1, -1);
    if (whole.test(text)) return Number(text);
    const isText = word.test(text) || otherTexts.some((form) => form.test(text));
    return isText && !text.endsWith(':') ? text : undefined;
  },
};

/**
 * Splits one file of manifests into the texts of its objects by name, such as `Service ns/name`, in
 * the order of the file. Reads the canonical form that leasehold writes
 * (src/core/manifests/yaml-text.ts), and leaves out a document without a name.
 */
export function namedManifests(text: string): ReadonlyMap<string, string> {
  return new Map(
    documentsIn(text).flatMap((document) => {
      const kind = /^kind: (\S+)$/m.exec(document)?.[1];
      const metadata = /^metadata:\n((?: .*\n|\n)+)/m.exec(document)?.[1] ?? '';
      const name = textIn(metadata, 'name');
      const namespace = textIn(metadata, 'namespace');
      if (kind === undefined || name === undefined) return [];
      return [[objectName(kind, { name, ...(namespace && { namespace }) }), document]];
    }),
  );
}
