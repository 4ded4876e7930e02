import { compareText } from '../../core/model/order.ts';
import type { Plan } from '../../core/run/plan/plan-answer.ts';
import { sanitize, sanitizedJson } from '../../core/text/print/escape.ts';
import { explanationOf, type PlanFinding, planFindings } from './plan-findings.ts';

/** GitHub refuses a file with more results in one run. */
const mostResults = 25_000;

const root = '%SRCROOT%';

/**
 * Problems and cautions as SARIF 2.1.0, for GitHub's code scanning and others. Rules are the codes;
 * a result's fingerprint does not change with its line. `version` is leasehold's own.
 */
export function planSarif(plan: Plan, version: string): string {
  const findings = planFindings(plan);
  const shown = findings.slice(0, mostResults);
  const levels = new Map(shown.map(({ code, level }) => [code, level]));
  const codes = [...levels.keys()].sort(compareText);
  const indexes = new Map(codes.map((code, index) => [code, index]));
  const left = findings.length - shown.length;
  return sanitizedJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'leasehold',
            semanticVersion: version,
            rules: codes.map((code) => rule(code, levels.get(code) ?? 'warning')),
          },
        },
        automationDetails: { id: 'leasehold/plan/' },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          [root]: { description: { text: 'The root of the repository.' } },
        },
        invocations: [{ executionSuccessful: true, ...(left > 0 && notShown(left)) }],
        results: shown.map((finding) => result(finding, indexes.get(finding.code) ?? 0)),
      },
    ],
  });
}

function notShown(left: number): object {
  const message = { text: `${left} more findings are not in this file.` };
  return { toolExecutionNotifications: [{ level: 'note', message }] };
}

function rule(code: string, level: PlanFinding['level']): object {
  const { title, fix } = explanationOf(code);
  return {
    id: code,
    name: pascalCase(code),
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: fix, markdown: fix },
    defaultConfiguration: { level },
    properties: { tags: ['leasehold'], 'problem.severity': level, precision: 'very-high' },
  };
}

/** `LEASE_CUT` as `LeaseCut`, the form that SARIF expects of rule names. */
function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');
}

function result(finding: PlanFinding, ruleIndex: number): object {
  const { code, level, message, file, line, column, also, fingerprint } = finding;
  const related = also.map((text, index) => relatedLocation(text, index + 1));
  return {
    ruleId: code,
    ruleIndex,
    level,
    message: { text: messageText(message) },
    locations: [{ physicalLocation: place(file, line, column) }],
    ...(related.length > 0 && { relatedLocations: related }),
    partialFingerprints: { 'leasehold/v1': fingerprint },
  };
}

/** SARIF §3.11: `[text](1)` in a message is a link, and `{0}` is a placeholder. */
function messageText(message: string): string {
  return sanitize(message)
    .replace(/[\\[\]]/g, '\\$&')
    .replaceAll('{', '{{')
    .replaceAll('}', '}}');
}

function relatedLocation(text: string, id: number): object {
  const [, file = text, line = '1', column = '1'] = /^(.*):(\d+):(\d+)$/s.exec(text) ?? [];
  return {
    id,
    physicalLocation: place(file, Number(line), Number(column)),
    message: { text: 'also here' },
  };
}

function place(file: string, startLine: number, startColumn: number): object {
  return {
    artifactLocation: { uri: relativeUri(file), uriBaseId: root },
    region: { startLine, startColumn },
  };
}

/** A path as a relative URI reference (RFC 3986); a lone surrogate becomes U+FFFD. */
function relativeUri(file: string): string {
  return file
    .split('/')
    .map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd')))
    .join('/');
}
