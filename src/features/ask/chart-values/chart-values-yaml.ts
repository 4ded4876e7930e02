import { Document, visit } from 'yaml';
import { shownYaml } from '../../../text/yaml/answer-yaml.ts';
import { readsAsText } from '../../../text/yaml/plain-scalar.ts';
import type { ChartValues } from './chart-values-answer.ts';

/**
 * What charts must say, a YAML document each, with whose it is in a comment. Written for the YAML that Helm
 * reads, which is Go's: what that takes for something else than text stands in quotes.
 */
export function chartValuesYaml(values: readonly ChartValues[]): string {
  return values.map(documentText).join('---\n');
}

function documentText(values: ChartValues): string {
  const { annotations, labels, ipFamilyPolicy, ipFamilies, loadBalancerClass } = values;
  const service = {
    type: 'LoadBalancer',
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    annotations,
    labels,
    ipFamilyPolicy,
    ipFamilies,
  };
  const document = new Document({ service }, { version: '1.1' });
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && !readsAsText(scalar.value)) {
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
  document.commentBefore = commentOf(values)
    .map((line) => ` ${line}`)
    .join('\n');
  return shownYaml(document);
}

function commentOf(values: ChartValues): string[] {
  const { namespace, service, cluster, addresses, file, loadBalancerIP } = values;
  const whose = `Service ${namespace}/${service} in cluster ${cluster}, reserved in ${file}: ${addresses.join(' and ')}`;
  if (loadBalancerIP === undefined) return [whose];
  return [
    whose,
    'A chart that knows only service.loadBalancerIP takes, in place of the annotation loadBalancerIPs:',
    `  loadBalancerIP: ${JSON.stringify(loadBalancerIP)}`,
  ];
}
