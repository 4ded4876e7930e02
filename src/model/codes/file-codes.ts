import type { CodeExplanation } from './code-explanation.ts';

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
} as const satisfies Record<string, CodeExplanation>;
