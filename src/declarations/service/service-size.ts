import type { Problem } from '../../model/problem.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';
import type { Annotations } from './service-annotations.ts';

/** Kubernetes: apimachinery validation, TotalAnnotationSizeLimitB. */
const largestAnnotations = 256 * 1024;

/** What leasehold adds at most. */
const added = 1024;

/** SERVICE_INVALID when the annotations that come out would be larger than the API server takes. */
export function annotationSizeProblems({ values }: Annotations, document: YamlDocument): Problem[] {
  const sizes = Object.entries(values).map(([key, value]) => byteLength(key) + byteLength(value));
  const size = sizes.reduce((sum, one) => sum + one, added);
  if (size <= largestAnnotations) return [];
  const message = `the annotations come to more than ${largestAnnotations} bytes`;
  return [{ code: 'SERVICE_INVALID', message, at: document.at(['metadata', 'annotations']) }];
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
