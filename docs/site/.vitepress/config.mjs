// The site of the docs: `npm run site` builds it into build/site. The pages are those of the repository, as a forge shows them.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig } from 'vitepress';

const repository = resolve(import.meta.dirname, '../../..');
const out = join(repository, 'build/site');
/** Copies of the pages, beside the packages that the site is built with. */
const copies = resolve(import.meta.dirname, '../pages');
const isPage = (path) => /^(README|CHANGELOG|SECURITY)\.md$|^docs\/[^/]+\.md$/.test(path);
/** Files and folders of the repository that pages link to, and that are no pages. */
const linked = new Set();
/** The anchors of each page. */
const anchors = new Map();
/** The links to anchors, as texts to say where they are. */
const anchorLinks = new Map();

rmSync(copies, { recursive: true, force: true });
const docs = readdirSync(join(repository, 'docs')).filter((name) => name !== 'site');
for (const name of [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...docs.map((name) => `docs/${name}`),
]) {
  cpSync(join(repository, name), join(copies, name.replace('README', 'index')), {
    recursive: true,
  });
}

/** The front page is the README below a title with buttons. */
const front = `---
layout: home
hero:
  name: leasehold
  text: Static IP addresses handed out through git
  actions:
    - { theme: brand, text: The first week, link: /docs/week }
    - { theme: alt, text: Akash, link: /docs/akash }
    - { theme: alt, text: MetalLB, link: /docs/metallb }
---
`;
const readme = join(copies, 'index.md');
writeFileSync(readme, readFileSync(readme, 'utf8').replace(/^# .*\n/, front));

const page = (text, name) => ({ text, link: `/docs/${name}` });
const chapter = (text, ...items) => ({ text, collapsed: true, items });

export default defineConfig({
  title: 'leasehold',
  description: 'Static IP addresses handed out through git',
  srcDir: copies,
  outDir: out,
  // No page has HTML of its own: what looks like a tag is text, such as <name>.
  markdown: {
    html: false,
    anchor: { slugify: forgeAnchor },
    config: (markdown) => markdown.core.ruler.push('repository', publishLinks),
  },
  buildEnd() {
    const dead = [...anchorLinks].filter(([, { page, anchor }]) => !anchors.get(page)?.has(anchor));
    if (dead.length > 0) throw new Error(`dead anchors:\n${dead.map(([link]) => link).join('\n')}`);
    linked.forEach(publish);
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      chapter(
        'Start',
        { text: 'What it is', link: '/' },
        page('Install', 'install'),
        page('Create your repository', 'init'),
        page('The first week', 'week'),
        page('Glossary', 'glossary'),
      ),
      chapter(
        'Your cluster',
        page('Akash', 'akash'),
        page('MetalLB', 'metallb'),
        page('Cilium', 'cilium'),
        page('vitistack', 'vitistack'),
        page('NetBox', 'netbox'),
        page('Import', 'import'),
        page('Set up a cluster', 'bootstrap'),
        page('Check a cluster', 'doctor'),
        page('Upgrade MetalLB', 'metallb-upgrade'),
      ),
      chapter(
        'Declare',
        page('Leases', 'leases'),
        page('Services', 'services'),
        page('Helm charts', 'charts'),
        page('cdk8s apps', 'cdk8s'),
        page('Pools', 'pools'),
        page('Several clusters', 'clusters'),
        page('DNS names', 'dns'),
        page('Hostnames', 'hostnames'),
        page('GPUs and storage', 'inventory'),
      ),
      chapter(
        'Review',
        page('Pull requests', 'pull-requests'),
        page('The plan', 'plan'),
        page('Concurrent leases', 'together'),
        page('Policy', 'policy'),
        page('Ownership', 'ownership'),
        page('Bots', 'bots'),
      ),
      chapter(
        'Deploy',
        page('Argo CD', 'argocd'),
        page('Flux', 'flux'),
        page('What both share', 'gitops'),
        page('A branch of manifests', 'publish'),
        page('Compare a cluster', 'verify'),
      ),
      chapter(
        'Operate',
        page('Troubleshooting', 'troubleshooting'),
        page('Incidents and changes', 'day-two'),
        page('Operate the addresses', 'operations'),
        page('Rename', 'rename'),
        page('Monitoring', 'monitoring'),
        page('Security', 'security'),
        page('Upgrade', 'upgrade'),
        page('Versions', 'versions'),
      ),
      chapter(
        'Ask',
        page('Queries', 'asking'),
        page('Capacity', 'capacity'),
        page('Over HTTP', 'serve'),
        page('The page', 'report'),
      ),
      chapter(
        'Reference',
        page('Commands', 'commands'),
        page('Problems', 'problems'),
        page('Allocations', 'allocations'),
        page('Manifests', 'manifests'),
        page('Differences', 'differences'),
        page('Tested with', 'tested-with'),
        page('Speed', 'speed'),
        { text: 'Changes', link: '/CHANGELOG' },
      ),
    ],
  },
});

/** The anchor of a heading as a forge makes it: links work there and on the site. */
function forgeAnchor(heading) {
  const text = heading.trim().toLowerCase();
  return text.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-');
}

/** Notes the anchors of a page, and leads its links to where they are on the site. */
function publishLinks({ tokens, env }) {
  const ids = tokens.flatMap((token) => (token.type === 'heading_open' ? token.attrGet('id') : []));
  anchors.set(env.relativePath, new Set(ids));
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.type === 'link_open' ? token.attrGet('href') : 'none:';
    if (!/^\w+:/.test(href)) publishLink(token, href, env);
  }
}

/**
 * Leads a link to a file that is no page to its copy on the site. A missing file fails the build, and
 * at its end a missing anchor.
 */
function publishLink(token, href, env) {
  const [path, anchor] = href.split('#');
  const target = path === '' ? undefined : relative(copies, resolve(dirname(env.path), path));
  if (target !== undefined && !existsSync(join(repository, target)))
    throw new Error(`${env.relativePath}: dead link ${href}`);
  if (target === undefined || isPage(target)) {
    const page = target?.replace('README', 'index') ?? env.relativePath;
    if (anchor) anchorLinks.set(`${env.relativePath}: ${href}`, { page, anchor });
    if (target !== undefined) token.attrSet('href', anchor ? `/${page}#${anchor}` : `/${page}`);
  } else {
    linked.add(target);
    token.attrSet('href', `/${target}`);
    token.attrSet('target', '_blank');
  }
}

/** Copies a file to the site. A folder gets a list of its files. */
function publish(path) {
  const source = join(repository, path);
  const copy = join(out, path);
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(source, copy, { recursive: true });
  if (!statSync(source).isDirectory()) return;
  const items = readdirSync(source).map(
    (name) => `<li><a href="/${path}/${name}">${name}</a></li>`,
  );
  writeFileSync(
    join(copy, 'index.html'),
    `<!doctype html><title>${path}</title><ul>${items.join('')}</ul>\n`,
  );
}
