import * as z from 'zod';
import { labelKey, labelValue, objectName } from '../text/name-fields.ts';
import { type Refusal, refusing } from '../text/shape.ts';
import { closedDomains, domainOf } from './service/service-metadata.ts';
import { annotationKey } from './service/service-metadata-schema.ts';

/**
 * The `metadata` that editors and Kubernetes' tools expect of an object, of a kind that is none of Kubernetes'. It
 * names nothing, and none of it reaches a manifest. What would say something on a Service is refused: METADATA_REFUSED.
 * A namespace is unknown: no such object lies in one.
 */
export const editorMetadata = z
  .strictObject({
    name: objectName.describe('Any name; leasehold does not read it.'),
    labels: z.record(labelKey, labelValue).superRefine(refusing(unread)).optional(),
    annotations: z.record(annotationKey, z.string()).superRefine(refusing(unread)).optional(),
  })
  .optional()
  .describe('For editors and tools: it says nothing to leasehold and reaches no manifest.');

function unread(texts: Readonly<Record<string, string>>): Refusal[] {
  return Object.keys(texts)
    .filter((key) => closedDomains.includes(domainOf(key)))
    .map((key) => ({
      code: 'METADATA_REFUSED',
      message: `${key} says something on a Service only`,
      hint: 'say it in spec, or remove it',
      path: [key],
    }));
}
