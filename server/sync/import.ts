import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliTranslator } from '#messages/cli.ts'
import { type Message, message } from '#messages/message.ts'
import { slugFrom } from '#platform/text/slug.ts'
import { writtenPage } from './draft.ts'
import { openExport } from './export-folder.ts'
import { MessageError } from './imports/message-error.ts'
import type { Imported, Post } from './imports/post.ts'
import { readExport, type Service } from './imports/read-export.ts'
import { lineOf, Stopped, type Terminal } from './terminal.ts'

const t = cliTranslator()

/**
 * `standfirst import`: converts an export of another service to files for `push`, with a report of everything left
 * behind.
 */

/** Not Markdown, so that it is never pushed. */
const reportName = 'not-carried-over.txt'

export async function importExport(
  service: Service,
  path: string,
  folder: string,
  site: string | undefined,
  terminal: Terminal,
): Promise<string> {
  const imported = await read(service, path, site)
  mkdirSync(folder, { recursive: true })
  const root = realpathSync(folder)
  const done = { written: 0, unchanged: 0, kept: [] as string[] }
  const named = namesFor(imported.posts)
  for (const [at, { name, post }] of named.entries()) {
    terminal.step(at + 1, named.length, name)
    const file = join(root, name)
    const text = writtenPage(post.draft, post.date ? { date: post.date } : {})
    if (!existsSync(file)) {
      writeFileSync(file, text)
      done.written += 1
    } else if (readFileSync(file, 'utf8') === text) done.unchanged += 1
    else done.kept.push(name)
  }
  writeFileSync(join(root, reportName), reportOf(service, imported, named))
  say(terminal, root, done, imported)
  return root
}

async function read(service: Service, path: string, site: string | undefined): Promise<Imported> {
  try {
    const imported = await readExport(service, openExport(path), { site, siteOption: '--site https://…' })
    return { ...imported, posts: imported.posts.map(withPictureNotes) }
  } catch (error) {
    throw error instanceof MessageError ? new Stopped(t.say(error.said)) : error
  }
}

/** Pictures stay where they are. */
const withPictureNotes = (post: Post): Post => ({
  ...post,
  lost: [
    ...post.lost,
    ...(post.cover === undefined ? [] : [message('import.lost_cover', { address: post.cover })]),
    ...post.pictures.map((address) =>
      // The site only shows https images.
      message(address.startsWith('http:') ? 'import.remote_image_http' : 'import.remote_image', { address }),
    ),
  ],
})

interface Named {
  readonly name: string
  readonly post: Post
}

/** Date and slug, with a number for duplicates. The same export gives the same names. */
function namesFor(posts: readonly Post[]): Named[] {
  const used = new Set<string>()
  return posts.map((post) => {
    const day = post.date ? `${post.date.slice(0, 10)}-` : ''
    const name = `${day}${slugFrom(post.slug || post.draft.headline, 80, 'post')}`
    let free = name
    for (let number = 2; used.has(free); number += 1) free = `${name}-${number}`
    used.add(free)
    return { name: `${free}.md`, post }
  })
}

function reportOf(service: Service, { lost }: Imported, named: readonly Named[]): string {
  const parts = [
    `${t('cli.import.report', { service })}\n`,
    `${t('cli.import.report_category', { member: 'category:' })}\n`,
    ...(lost.length > 0 ? [`${t('cli.import.report_export')}\n${listed(lost)}`] : []),
    ...named.filter(({ post }) => post.lost.length > 0).map(({ name, post }) => `${name}\n${listed(post.lost)}`),
  ]
  return parts.join('\n')
}

const listed = (notes: readonly Message[]): string => notes.map((note) => `  - ${lineOf(t.say(note))}\n`).join('')

function say(
  terminal: Terminal,
  root: string,
  { written, unchanged, kept }: { written: number; unchanged: number; kept: readonly string[] },
  { posts, lost }: Imported,
): void {
  for (const note of lost) terminal.say(t('cli.import.lost', { what: lineOf(t.say(note)) }))
  for (const name of kept) terminal.say(t('cli.import.kept', { file: name }))
  const things = posts.reduce((sum, post) => sum + post.lost.length, 0)
  terminal.say(t('cli.import.done', { count: posts.length, written, unchanged, kept: kept.length }))
  const report = join(root, reportName)
  terminal.say(t('cli.import.see_report', { count: things, file: report }))
}
