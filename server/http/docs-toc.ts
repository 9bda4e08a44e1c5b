/**
 * The pages under /developers in reading order. The pages, the index, docs/README.md, /llms.txt and the sitemap are
 * generated from it or compared with it (test/project/docs.test.ts). The guides are in English on every site, and so
 * are their titles.
 */
export interface DocsPage {
  /** The last part of its address. */
  readonly name: string
  /** The headline of the page. */
  readonly title: string
  /** Its purpose in one sentence. */
  readonly about: string
  /** Its Markdown file, relative to the repository root; undefined if the page is generated. */
  readonly file: string | undefined
}

export interface DocsGroup {
  readonly title: string
  readonly about: string
  /** Its pages are about the site that serves them. */
  readonly ofThisSite: boolean
  readonly pages: readonly DocsPage[]
}

type Line = readonly [name: string, title: string, about: string, file?: string | null]

const group = (title: string, about: string, ofThisSite: boolean, lines: readonly Line[]): DocsGroup => ({
  title,
  about,
  ofThisSite,
  pages: lines.map(([name, title, about, file]) => ({
    name,
    title,
    about,
    file: file === null ? undefined : (file ?? `docs/${name}.md`),
  })),
})

export const docsGroups: readonly DocsGroup[] = [
  group('Build with the API', 'Read, embed, follow and draft from your own software.', true, [
    ['quickstart', 'Quickstart', 'Read a piece and create a draft in five minutes.'],
    ['reading', 'Reading', 'Authors, pieces, search, the shop, pages and caching.'],
    ['feeds', 'Feeds', 'Follow a writer, a category or the whole site.'],
    [
      'fediverse',
      'Fediverse',
      'Authors and the site as accounts of ActivityPub: what other servers can read and send.',
    ],
    ['embedding', 'Embedding', 'Badges, widgets, iframes and oEmbed on your own site.'],
    ['embeds', 'Widget playground', 'Choose a widget, preview it and copy the code.', null],
    ['tools', 'Tools for AI clients', 'Connect Claude, Cursor, VS Code and others over MCP, or try the tools here.'],
    ['drafting', 'Drafting', 'Create drafts with an API key. Their writer publishes them.'],
    ['importing', 'Files and imports', 'Push a folder of Markdown as drafts, or import posts from another service.'],
    ['webhooks', 'Webhooks', 'Receive a signed request for each new piece, and verify it in four languages.'],
    ['sdk', '@standfirst/sdk', 'A typed client for JavaScript and TypeScript.', 'sdk/README.md'],
    ['errors', 'Errors', 'Status codes, error bodies and what to do about each.'],
    ['reference', 'API reference', 'Every call: parameters, responses and examples.', null],
    ['addresses', 'Endpoints', 'Every public address in one list.', null],
    ['discovery', 'Discovery', 'Machine-readable files: llms.txt, the sitemap, Markdown pages and more.'],
    ['security', 'Security', 'What we promise, and how to report a vulnerability.'],
  ]),
  group('Run your own site', 'Self-hosting, from one small machine to many.', false, [
    ['running', 'Deployment', 'From one process to several servers, in a few commands.'],
    ['configuration', 'Configuration', 'Every setting and its default.'],
    ['operations', 'Operations', 'Monitoring, backups, upgrades and rollbacks.'],
    ['managed-postgresql', 'Managed PostgreSQL', 'RDS, Cloud SQL, Azure, Neon, Supabase: permissions, TLS, backups.'],
    ['reviewing', 'Writing and reviewing', 'What writers can do, what moderators decide and what readers can report.'],
    ['limits', 'Limits', 'What it doesn’t do.'],
    ['performance', 'Performance', 'Benchmarks and how to repeat them.'],
    ['chaos', 'Failure tests', 'Which failures it survives, and how that is tested.'],
    ['scale', 'Capacity planning', 'What a hundred million pieces would need, what runs out first and what it costs.'],
    ['nightly', 'Nightly runs', 'Timed, random and long tests, and their latest results.'],
  ]),
  group('How it works', 'How it is built, and why.', false, [
    ['comparison', 'Comparison', 'Ghost, Forem, WriteFreely, Hashnode and headless CMSs, and when to choose them.'],
    [
      'architecture',
      'Architecture',
      'A diagram, where things are, and what happens in a search, a publication and a delivery.',
    ],
    ['protection', 'Security model', 'Entry points, stored data, keys, outgoing requests and logs.'],
    ['accounts', 'Accounts and recovery', 'Account states, who can change them, and what each change ends.'],
    ['search', 'Search', 'Exact substring search, and how it stays fast.'],
    ['decisions', 'Decisions', 'What was decided, when and why.', 'docs/adr/README.md'],
    ['debugging', 'Debugging', 'Restart on save, attach a debugger, run one test, see SQL, find a failing job.'],
    ['translating', 'Translating', 'Add a language: one file, its syntax, tone and checks.'],
    ['style', 'Style guide', 'Code, comments, tests and words.'],
    ['deprecations', 'Deprecations', 'What will be removed, and when.'],
  ]),
]

export const docsPages: readonly DocsPage[] = docsGroups.flatMap(({ pages }) => pages)

export const docsPath = ({ name }: DocsPage): string => `/developers/${name}`
