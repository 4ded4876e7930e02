/** Problems of files under `leases/`: the file, its YAML, its fields, and the SDL that it names. */
export const declarationCodes = {
  // Files
  FILE_UNEXPECTED: {
    title: 'A file or folder in leases/ or dist/ is not one that leasehold knows.',
    fix: 'Move it elsewhere. Declarations end in .yaml, and dist/ has only files that leasehold wrote.',
  },
  FILE_NOT_REGULAR: {
    title: 'A file in leases/ or dist/ is a symbolic link, a socket or a device.',
    fix: 'Commit the file itself. The target of a link can change without a review.',
  },
  FILE_TOO_LARGE: {
    title: 'A file is larger than 256 KiB, the most that leasehold reads.',
    fix: 'Split the declaration, or remove what is not needed from the SDL.',
  },
  FILE_UNREAD: {
    title:
      'A file of more than 4 KiB was skipped, because 4 MiB of such files already had problems.',
    fix: 'Fix the files with other problems first. The skipped files are read on the next run.',
  },
  FILE_ENCODING: {
    title: 'A file is not UTF-8 text, or has characters that are not allowed.',
    fix: 'Save it as UTF-8 without control characters. A byte order mark is allowed only at the start of the file.',
  },
  MANIFEST_HIDDEN: {
    title:
      'A pattern in .sourceignore hides a manifest from Flux, one in .gitattributes gives it another encoding in the checkout of an engine, or one in .gitignore keeps a new manifest out of the commit.',
    fix: 'Remove the pattern from .sourceignore or .gitattributes: Flux deletes the objects of a manifest that it cannot see. In .gitignore, add the line !/dist/** at the end. A repository that ignores all of dist/ is not checked.',
  },
  FILE_LOST: {
    title: 'Git tracks a file under leases/ that is missing from the working tree.',
    fix: 'Finish the checkout (`git sparse-checkout disable`, `git restore leases`). To delete the file, such as the declaration of a lease that ends, use `git rm`: a plain rm looks the same as an incomplete checkout.',
  },
  FILE_MISSING: {
    title: 'A file that leasehold needs does not exist.',
    fix: 'Create it, or correct the path that refers to it.',
  },
  FILE_UNMERGED: {
    title: 'A merge left a conflict in a file that leasehold cannot resolve.',
    fix: 'Run `leasehold resolve`: it resolves a record, and says of any other file what each side has changed. Resolve that by hand and `git add` it, or `git rm` it to delete it. Then run `leasehold resolve` again.',
  },
  // Commits
  TREE_MALFORMED: {
    title:
      'A folder of a commit has an entry that git does not make: its name is a path or empty, is . or .. or .git, is there twice, or is out of order.',
    fix: 'Run `git fsck`, which names the object. Git checks such an entry out in another folder, or leaves it out. Make the commit again with git, and set receive.fsckObjects on the server.',
  },
  TREE_TOO_LARGE: {
    title:
      'A commit has more than 2,000,000 files and folders in the folders that leasehold reads, or more than 2 GiB in their files.',
    fix: 'Remove the files. A lease needs three files, so 100,000 leases stay far below this bound.',
  },
  // YAML
  YAML_SYNTAX: {
    title: 'A file is not well-formed YAML.',
    fix: 'Correct the line: put a value with a colon or a bracket in quotes, close what is open above it, and indent with spaces. An editor with YAML support shows the error in place.',
  },
  YAML_CONFLICT: {
    title: 'A file has merge conflict markers.',
    fix: 'Keep the lines that are right, remove the markers, and `git add` the file; for a record or a manifest run `leasehold resolve` instead.',
  },
  YAML_DUPLICATE_KEY: {
    title: 'A mapping has the same key twice.',
    fix: 'Keep one of the two.',
  },
  YAML_DOCUMENTS: {
    title: 'A file has no document, or more than one.',
    fix: 'Write exactly one document in each file.',
  },
  YAML_ALIAS: {
    title: 'A file uses anchors, aliases or merge keys that are not allowed, or too many aliases.',
    fix: 'Write the value out. Only an SDL may use aliases, at most 100.',
  },
  YAML_TAG: {
    title: 'A file uses a YAML tag such as !!binary or !custom.',
    fix: 'Use plain strings, numbers, lists and mappings.',
  },
  YAML_DEPTH: {
    title: 'A file is nested deeper than 32 levels, the most that leasehold reads.',
    fix: 'Look for an extra bracket or indent. No declaration needs that depth.',
  },
  // Imported files
  CSV_SYNTAX: {
    title: 'A file to import is not well-formed CSV.',
    fix: 'Export it again. A field that contains a quote must be quoted, with the quote doubled, and every line must have as many fields as the first.',
  },
  // Fields
  KIND_UNKNOWN: {
    title: 'A declaration has an unknown apiVersion or kind.',
    fix: 'Write the kind that is expected there, or move a file that is not a declaration out of leases/. Declarations have apiVersion: leasehold.dev/v1 with kind: Lease, Reservation, Promise, Hostname or Rename, or apiVersion: v1 with kind: Service.',
  },
  FIELD_UNKNOWN: {
    title: 'A file has a field that its kind does not have.',
    fix: 'Correct the spelling or remove the field. An editor with the settings that `leasehold init` writes lists all fields.',
  },
  FIELD_MISSING: {
    title: 'A required field is missing.',
    fix: 'Add the field.',
  },
  FIELD_TYPE: {
    title: 'A field has a value of the wrong type.',
    fix: 'Write the type that is expected. YAML reads unquoted digits as a number, and true as a boolean.',
  },
  FIELD_VALUE: {
    title: 'A field has a value that is not allowed.',
    fix: 'Write what the message expects, then run `leasehold check`.',
  },
  // Identity
  OWNER_INVALID: {
    title: 'An owner or provider is not a bech32 address of the Akash network.',
    fix: 'Copy the address again. It starts with akash1 and ends in a checksum.',
  },
  DSEQ_INVALID: {
    title: 'A dseq, gseq or oseq is not a number that Akash assigns, or has lost digits.',
    fix: "Copy the number of the lease again, and write a dseq as a quoted string: dseq: '12345678901234567890'.",
  },
  PROVIDER_MISSING: {
    title: 'A lease has no provider, and pools.yaml sets none for its cluster.',
    fix: 'Set provider in leases/pools.yaml. If it has emit: { providerLeasedIP: false }, remove that too: Akash learns its leases from these objects.',
  },
  CLUSTER_UNKNOWN: {
    title: 'A declaration names a cluster that is not declared.',
    fix: 'Use a cluster from leases/pools.yaml.',
  },
  CLUSTER_MISSING: {
    title: 'Several clusters are declared, without a default.',
    fix: 'Set defaultCluster in leases/pools.yaml.',
  },
  CLUSTER_DUPLICATE: {
    title: 'Two clusters have the same name or id.',
    fix: 'Rename one of them. The name of a cluster must also differ from the ids of the others.',
  },
  CLUSTER_HOLDS: {
    title: 'A cluster was removed from the pool file while addresses or hostnames are held in it.',
    fix: 'Add it to leases/pools.yaml again and remove its declarations with `leasehold release --cluster NAME`. Remove it after Argo CD or Flux has applied that.',
  },
  LEASE_DUPLICATE: {
    title: 'Two files declare the same lease.',
    fix: 'Put all endpoints of a lease in one file.',
  },
  ENDPOINT_DUPLICATE: {
    title: 'A lease declares the same endpoint twice.',
    fix: 'Remove one of the two.',
  },
  // Promises
  PROMISE_DUPLICATE: {
    title: 'Two files promise an address for the same endpoint of an owner.',
    fix: 'Keep one of the two promises.',
  },
  PROMISE_TOO_LONG: {
    title: 'The last day of a promise is more than 30 days ahead.',
    fix: "Use an earlier day. A promise can be renewed: write a later day in a new commit. If the day is right, correct the machine's clock.",
  },
  // DNS names
  DNS_INVALID: {
    title: 'A DNS name is not valid, or not in canonical form.',
    fix: 'Write lower case, punycode (xn--…) for other scripts and no dot at the end: at most 253 characters, and at most 63 in a label. Only the first label may be *.',
  },
  DNS_TAKEN: {
    title: 'A DNS name belongs to another holder, or is in the domain of its wildcard.',
    fix: 'Remove it from one of them. To have the name on several Services, give them one address.',
  },
  HOSTNAME_TAKEN: {
    title: 'A hostname is declared twice, or overlaps a hostname or DNS name of another holder.',
    fix: 'Remove one of the two. A hostname that another namespace has is free after its release and its retention. The DNS names of the Service that routes hostnames may be those of hostnames: name it in routes.service of the cluster.',
  },
  HOSTNAME_UNPROVEN: {
    title:
      'The pool file requires a proof for a hostname, and its holder has not proven the domain.',
    fix: 'Publish the TXT record in the message, run `leasehold prove`, and commit the proof. To give names of a domain without a proof, add it to hostnames.exempt in leases/pools.yaml.',
  },
  ROUTES_MISSING: {
    title: 'A hostname is declared in a cluster that has no routes.',
    fix: 'Set routes of the cluster in leases/pools.yaml, with a Gateway for HTTPRoutes or an IngressClass for Ingresses.',
  },
  HTTP_OPTION_REFUSED: {
    title:
      'A hostname of a lease has an HTTP option other than the default of Akash that its routes cannot have.',
    fix: 'Set controller of the routes in leases/pools.yaml, or remove the option. NGINX Gateway Fabric has only maxBodySize, readTimeout and sendTimeout.',
  },
  DNS_REFUSED: {
    title: 'A DNS name is in a blocked domain, a wildcard above one, or outside the allowed ones.',
    fix: 'Use a name in a domain that dns in leases/pools.yaml allows.',
  },
  // Services and Reservations
  SERVICE_DUPLICATE: {
    title: 'Two files declare the same Service, or reserve an address for it.',
    fix: 'Keep one declaration of each Service.',
  },
  SERVICE_INVALID: {
    title: 'The API server would reject a declared Service, or drop a part of it.',
    fix: 'Correct the field in the message. While one object is rejected, Flux applies nothing of a commit.',
  },
  SERVICE_FIELD_REFUSED: {
    title:
      'A Service has a field that the cluster sets, or that would give it another address than the leased one.',
    fix: 'Remove the field. Declare a Service without an address outside of leases/.',
  },
  METADATA_REFUSED: {
    title:
      'A declaration has a label or annotation that is not allowed there: it controls Argo CD, Flux, kubectl, Helm or kustomize, is set by another program, was renamed, or applies to Services only.',
    fix: 'Remove it. Settings of Argo CD or Flux belong to the operators of the cluster. A Lease or a Reservation has fields in its spec for what annotations do on a Service.',
  },
  ANNOTATION_UNKNOWN: {
    title:
      'A Service has an unknown annotation of ipam.vitistack.io, leasehold.dev, MetalLB or Cilium.',
    fix: 'Correct the spelling or remove it. leasehold reads these: ipam.vitistack.io/addresses, allow-local-shared-ip, deny-external-cleanup, ip-family, retention-period-days, secret and zone; leasehold.dev/advertisement, cluster, dns, live-sharing-key, pool and signature; metallb.io/loadBalancerIPs, address-pool and allow-shared-ip; lbipam.cilium.io/ips, sharing-key and sharing-cross-namespace.',
  },
  ANNOTATION_CONFLICT: {
    title: 'An annotation of a Service repeats or contradicts another annotation or the spec.',
    fix: 'Set the value in one place. Leasehold writes the annotations of MetalLB and Cilium itself.',
  },
  SUBSTITUTION: {
    title: 'A declaration contains ${, which Flux would substitute when it applies the manifest.',
    fix: 'Write the value itself, so that the reviewed text is what gets applied.',
  },
  // SDLs
  SDL_INVALID: {
    title: 'An SDL does not have the structure that Akash reads.',
    fix: 'Correct the field in the message. Akash would reject the deployment or drop the endpoint.',
  },
  SDL_VERSION: {
    title: 'An SDL has a version other than 2.0 and 2.1.',
    fix: "Write version: '2.0' or version: '2.1'.",
  },
  SDL_ENDPOINT_NAME: {
    title: 'An IP endpoint of an SDL has a name that Akash rejects.',
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
    fix: 'Use it or remove it. Akash rejects the deployment otherwise.',
  },
  SDL_NOT_GLOBAL: {
    title: 'An expose names an IP endpoint without being global.',
    fix: 'Write global: true beside ip.',
  },
  SDL_HOST: {
    title: 'A host under accept is not a host name that Akash accepts.',
    fix: 'Use at most 253 lower-case letters, digits, - and . without a wildcard. Akash rejects the deployment otherwise.',
  },
  SDL_HOST_TAKEN: {
    title: 'An SDL uses the same host twice.',
    fix: 'Use a host once, under an expose with one entry under to, of a service that is deployed to one placement. Akash counts the host once for each of these, and rejects the deployment.',
  },
  SDL_HTTP_OPTION: {
    title: 'An expose has an HTTP option that Akash rejects.',
    fix: 'Stay within the limits: max_body_size 104857600, proxy_buffer_size 1048576, read_timeout and send_timeout 60000; next_cases of error, timeout, 500, 502, 503, 504, 403, 404 and 429, or off alone.',
  },
  SDL_GROUP_UNKNOWN: {
    title: "The SDL has no placement for the lease's gseq.",
    fix: 'Correct gseq. Placements count from 1, in the order of their names.',
  },
  SDL_NO_ENDPOINT: {
    title: "No service in the lease's placement uses a leased address.",
    fix: 'Remove the declaration. Such a lease needs no address.',
  },
  SDL_PLACEHOLDER: {
    title: 'A placeholder in an SDL cannot be replaced with an address.',
    fix: 'Write $(leased.NAME), or $(leased.NAME.ipv4) or $(leased.NAME.ipv6), with the name of an IP endpoint that the SDL requests and that holds such an address. With .inside after NAME it is the address inside of the NAT.',
  },
  SDL_NOT_EDITED: {
    title:
      "A command would add or remove a claim of a lease whose endpoints come from the tenant's SDL.",
    fix: 'Change the SDL in a commit of your own, or replace spec.sdl with the endpoints themselves. A whole lease can be purged.',
  },
} as const;
