import type { CodeExplanation } from './code-explanation.ts';

/** What a declared Service or a Reservation may not say. */
export const serviceCodes = {
  SERVICE_DUPLICATE: {
    title: 'Two files declare one Service, or reserve an address for it.',
    fix: 'Keep one declaration of each Service.',
  },
  SERVICE_INVALID: {
    title: 'The API server would refuse a declared Service, or drop a part of it.',
    fix: 'Correct the place that is named. While one object is refused, Flux applies nothing of a commit.',
  },
  SERVICE_FIELD_REFUSED: {
    title:
      'A Service has a field that the cluster sets, or that takes it away from its leased address.',
    fix: 'Remove the field. A Service without an address may be declared outside of leases/.',
  },
  METADATA_REFUSED: {
    title:
      'A Service has a label or annotation that steers Argo CD, Flux, kubectl, Helm or kustomize, that somebody else sets, or that has a new name; or another declaration has one that says something on a Service only.',
    fix: 'Remove it. What steers an engine belongs to whoever runs it, not to a declaration; what a Lease or a Reservation asks for stands in its spec.',
  },
  ANNOTATION_UNKNOWN: {
    title:
      'A Service has an annotation of ipam.vitistack.io, leasehold.dev or MetalLB that does not exist.',
    fix: 'Correct the spelling or remove it; docs/services.md lists them all.',
  },
  ANNOTATION_CONFLICT: {
    title: 'An annotation of a Service says something that another one, or its spec, says too.',
    fix: 'Say it in one place. What MetalLB reads, leasehold writes by itself.',
  },
  SUBSTITUTION: {
    title: 'A declaration holds ${, which Flux replaces when it applies what comes out.',
    fix: 'Write the value itself: what is applied is what was reviewed.',
  },
} as const satisfies Record<string, CodeExplanation>;
