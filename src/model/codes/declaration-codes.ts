/** What is wrong with a file under leases/ before anything is read out of it: the file itself, and its YAML. */
export const fileCodes = {
  // Files under leases/
  FILE_UNEXPECTED: {
    title: 'A file or folder stands where leasehold reads or writes, and is none that it knows.',
    fix: 'Move it elsewhere. Declarations end in .yaml; dist/ holds only what leasehold wrote.',
  },
  FILE_NOT_REGULAR: {
    title: 'A symbolic link, socket or device stands under leases/ or dist/.',
    fix: 'Commit the file itself: what a link points at can change without a review.',
  },
  FILE_TOO_LARGE: {
    title: 'A file is larger than leasehold reads: 256 KiB.',
    fix: 'Split the declaration, or remove what is not needed from the SDL.',
  },
  FILE_UNREAD: {
    title:
      'A file of more than 4 KiB was not read, since 4 MiB of such files had problems already.',
    fix: 'Mend the files that are named with other codes first: the others are read then.',
  },
  FILE_ENCODING: {
    title: 'A file is not UTF-8 text, or holds characters that YAML does not allow.',
    fix: 'Save it as UTF-8 without control characters. A byte order mark may stand at its beginning only.',
  },
  MANIFEST_HIDDEN: {
    title:
      'A pattern of .sourceignore hides a manifest from Flux, or one of .gitignore keeps a new manifest out of the commit.',
    fix: 'Remove the pattern from .sourceignore: Flux deletes the objects of a manifest that it does not see. In .gitignore, add the line !/dist/** at the end. A repository that ignores all of dist/ is left alone.',
  },
  FILE_LOST: {
    title: 'Git knows a file under leases/ that the working tree lacks.',
    fix: 'Finish the checkout (git sparse-checkout disable, git restore leases), or git rm the file if it is meant to go, such as the declaration of a lease that ends. A plain rm is not enough: it looks like half a checkout.',
  },
  FILE_MISSING: {
    title: 'A file that leasehold needs is not there.',
    fix: 'Create it, or correct the path that names it.',
  },
  FILE_UNMERGED: {
    title: 'A merge has left a file that people write with more than one version.',
    fix: 'Write what it should say and git add it, or git rm it if it should go; then run leasehold resolve again.',
  },
  // YAML
  YAML_SYNTAX: {
    title: 'A file is not well-formed YAML.',
    fix: 'Correct the line that is named; an editor with YAML support shows the place.',
  },
  YAML_CONFLICT: {
    title: 'A file holds merge conflict markers.',
    fix: 'In a declaration or the pool file, write what it should say and git add it. For allocations and manifests, run leasehold resolve.',
  },
  YAML_DUPLICATE_KEY: {
    title: 'A mapping has one key twice.',
    fix: 'Keep one of the two.',
  },
  YAML_DOCUMENTS: {
    title: 'A file holds no document, or more than one.',
    fix: 'Write exactly one document in each file.',
  },
  YAML_ALIAS: {
    title:
      'A file uses anchors, aliases or merge keys where they are not allowed, or too many of them.',
    fix: 'Write the value out. Only an SDL may use aliases, up to 100.',
  },
  YAML_TAG: {
    title: 'A file uses a YAML tag such as !!binary or !custom.',
    fix: 'Write plain strings, numbers, lists and mappings.',
  },
  YAML_DEPTH: {
    title: 'A file is nested deeper than leasehold reads: 32 levels.',
    fix: 'No declaration needs that depth; look for a bracket or an indent too many.',
  },
  // What is imported
  CSV_SYNTAX: {
    title: 'A file to import is not well-formed CSV.',
    fix: 'Export it again: a field with a quote stands in quotes, with its own doubled, and every line has as many fields as the first.',
  },
  IMPORT_TRUNCATED: {
    title: 'A file to import is one page of an answer that has more.',
    fix: 'Ask for all of it at once, such as with ?limit=0, or name the files of all pages. Half of what has addresses is worse than nothing: the other half would seem free.',
  },
} as const;

/** What a declaration may not say, whatever it declares: its shape, and who it speaks of. */
export const declarationCodes = {
  // Shape
  KIND_UNKNOWN: {
    title: 'A declaration has an apiVersion or kind that leasehold does not know.',
    fix: 'Write apiVersion: leasehold.dev/v1 with kind: Lease or Reservation, or apiVersion: v1 with kind: Service. Move a file that is no declaration out of leases/.',
  },
  FIELD_UNKNOWN: {
    title: 'A declaration has a field that its kind does not have.',
    fix: 'Correct the spelling or remove the field; docs/schemas/ lists all fields.',
  },
  FIELD_MISSING: {
    title: 'A declaration lacks a field that its kind needs.',
    fix: 'Add the field.',
  },
  FIELD_TYPE: {
    title: 'A field has a value of the wrong type.',
    fix: 'Write the type that the message names. YAML reads unquoted digits as a number and true as a boolean.',
  },
  FIELD_VALUE: {
    title: 'A field has a value that is not allowed.',
    fix: 'Write one of the values that the message names.',
  },
  // Identity
  OWNER_INVALID: {
    title: 'An owner or provider is not a bech32 address of the Akash network.',
    fix: 'Copy the address again: it starts with akash1 and ends in a checksum.',
  },
  DSEQ_INVALID: {
    title:
      'A dseq, gseq or oseq is not a number that Akash could have given, or lost digits on the way.',
    fix: "Write dseq as a quoted string: dseq: '12345678901234567890'.",
  },
  PROVIDER_MISSING: {
    title: 'A lease has no provider, and neither pools.yaml nor its cluster names one.',
    fix: 'Set provider in leases/pools.yaml.',
  },
  CLUSTER_UNKNOWN: {
    title: 'A declaration names a cluster that is not declared.',
    fix: 'Name a cluster from leases/pools.yaml.',
  },
  CLUSTER_MISSING: {
    title: 'There is more than one cluster and no default.',
    fix: 'Set defaultCluster in leases/pools.yaml.',
  },
  CLUSTER_DUPLICATE: {
    title: 'Two clusters have one name or id.',
    fix: 'Rename one of them. A name may not be the id of another either.',
  },
  CLUSTER_HOLDS: {
    title: 'A cluster is no longer declared, and addresses are held in it.',
    fix: 'Put it back into leases/pools.yaml, end its leases with leasehold cleanup --cluster NAME, and remove it once the engine has applied that.',
  },
  LEASE_DUPLICATE: {
    title: 'Two files declare one lease.',
    fix: 'Put all endpoints of a lease in one file.',
  },
  ENDPOINT_DUPLICATE: {
    title: 'A lease declares one endpoint twice.',
    fix: 'Remove one of the two.',
  },
} as const;

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
} as const;

/** What an SDL cannot be leased for. */
export const sdlCodes = {
  SDL_INVALID: {
    title: 'An SDL does not have the shape that Akash reads.',
    fix: 'Correct the place that is named; Akash itself would refuse the deployment or drop the endpoint.',
  },
  SDL_VERSION: {
    title: 'An SDL has a version other than 2.0 and 2.1.',
    fix: "Write version: '2.0' or version: '2.1'.",
  },
  SDL_ENDPOINT_NAME: {
    title: 'An IP endpoint of an SDL has a name that Akash refuses.',
    fix: 'Use at least two characters: a lower-case letter, then lower-case letters, digits, - and _.',
  },
  SDL_ENDPOINT_KIND: {
    title: 'An endpoint of an SDL has no kind, or one other than ip.',
    fix: 'Write kind: ip.',
  },
  SDL_ENDPOINT_UNKNOWN: {
    title: 'An expose names an IP endpoint that the SDL does not declare.',
    fix: 'Declare it under endpoints.',
  },
  SDL_ENDPOINT_UNUSED: {
    title: 'An SDL declares an IP endpoint that no deployed service uses.',
    fix: 'Use it or remove it: Akash refuses the deployment.',
  },
  SDL_NOT_GLOBAL: {
    title: 'An expose asks for an IP endpoint without being global.',
    fix: 'Write global: true beside ip.',
  },
  SDL_HOST: {
    title: 'A host under accept is no name that Akash takes.',
    fix: 'Use lower-case letters, digits, - and . in at most 253 characters. Akash takes no wildcard, and refuses the deployment.',
  },
  SDL_HOST_TAKEN: {
    title: 'An SDL asks for one host twice.',
    fix: 'Name it once, under an expose with one entry under to, of a service that is deployed to one placement. Akash reads it once for each of these, and refuses the deployment.',
  },
  SDL_HTTP_OPTION: {
    title: 'An HTTP option of an expose is one that Akash refuses.',
    fix: 'Stay within the limits: max_body_size 104857600, proxy_buffer_size 1048576, read_timeout and send_timeout 60000; next_cases of error, timeout, 500, 502, 503, 504, 403, 404 and 429, or off alone.',
  },
  SDL_GROUP_UNKNOWN: {
    title: "The SDL has no placement for the lease's gseq.",
    fix: 'Correct gseq: placements count from 1 in name order.',
  },
  SDL_NO_ENDPOINT: {
    title: "No service of the lease's placement asks for a leased address.",
    fix: 'Remove the declaration: such a lease needs no address.',
  },
  SDL_NOT_EDITED: {
    title:
      "A claim would be added to a lease, or taken from one, whose endpoints stand in the tenant's SDL.",
    fix: 'Change the SDL in a commit of your own, or write the endpoints into the declaration in place of spec.sdl. A lease as a whole can be purged.',
  },
} as const;
