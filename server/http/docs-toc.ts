/**
 * The pages under /developers in reading order. The pages, the index, docs/README.md, /llms.txt and the sitemap are
 * generated from it or compared with it (test/project/docs.test.ts).
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
  group('Build on it', 'Read, show, follow and draft, from a program of yours.', true, [
    ['quickstart', 'Quickstart', 'Read a piece and make a draft, in five minutes.'],
    ['reading', 'Reading', 'Authors, pieces, search, the shop, pages and caches.'],
    ['feeds', 'Feeds', 'Follow a writer, a category or everything.'],
    ['embedding', 'Embedding', 'Badges, widgets, frames and oEmbed on your own site.'],
    ['embeds', 'Widget playground', 'Choose a widget, see it, copy it.', null],
    ['tools', 'Tools for AI clients', 'Connect Claude, Cursor, VS Code or any other, or try them here.'],
    ['drafting', 'Drafting', 'Make drafts with a key; their writer publishes.'],
    ['importing', 'Files and imports', 'Push a folder of Markdown as drafts; bring posts along.'],
    ['webhooks', 'Webhooks', 'Be told of each new piece, signed; verify it in four languages.'],
    ['sdk', '@standfirst/sdk', 'The same from JavaScript and TypeScript, typed.', 'sdk/README.md'],
    ['errors', 'Errors', 'What an answer says when something is wrong.'],
    ['reference', 'API reference', 'Every call, with a form to try it.', null],
    ['addresses', 'Every address', 'All there is to ask, in one list.', null],
    ['discovery', 'Discovery', 'How programs find their way: llms.txt, sitemap, Markdown.'],
    ['security', 'Security', 'What we promise, and how to report a weakness.'],
  ]),
  group('Run it', 'A site of your own, from one small machine to many.', false, [
    ['running', 'Running it', 'From one process to several servers, in a few commands.'],
    ['configuration', 'Configuration', 'Every setting, with its default.'],
    ['operations', 'Operations', 'Watch it, back it up, upgrade it, go back.'],
    ['managed-postgresql', 'Managed PostgreSQL', 'RDS, Cloud SQL, Azure, Neon, Supabase: rights, TLS, backups.'],
    ['reviewing', 'Writing and reviewing', 'What writers may do, what moderators decide, what readers report.'],
    ['limits', 'Limits', 'What it does not do, said openly.'],
    ['performance', 'Performance', 'How fast it is, measured.'],
    ['chaos', 'Chaos', 'What it survives, tried.'],
    ['scale', 'Growth on paper', 'What a hundred million pieces would take, what ends first, and what it costs.'],
    ['nightly', 'Nightly runs', 'What is timed, random or long, and how its last run ended.'],
  ]),
  group('Understand it', 'How it is built, and why so.', false, [
    [
      'comparison',
      'How it compares',
      'With Ghost, Forem, WriteFreely, Hashnode and headless systems, and when to choose them.',
    ],
    [
      'architecture',
      'Architecture',
      'One picture, where things are, and the way of a search, a publication and a delivery.',
    ],
    ['protection', 'What is protected, and how', 'Ways in, what is kept, keys, calls out and the log.'],
    ['accounts', 'Accounts and recovery', 'What an account can be, who changes it, and what each change ends.'],
    ['search', 'Search', 'Exact substrings, and how they are found in time.'],
    ['decisions', 'Decisions', 'What was decided, when, and why.', 'docs/adr/README.md'],
    ['debugging', 'Debugging', 'Restart on save, attach a debugger, run one test, see SQL, find a failing job.'],
    ['style', 'How we write', 'Code, comments, tests and words.'],
    ['deprecations', 'Deprecations', 'What will go away, and how long before.'],
  ]),
]

export const docsPages: readonly DocsPage[] = docsGroups.flatMap(({ pages }) => pages)

/** The path of a page; the reference keeps its slash, since its assets are relative. */
export const docsPath = ({ name }: DocsPage): string =>
  name === 'reference' ? '/developers/reference/' : `/developers/${name}`
