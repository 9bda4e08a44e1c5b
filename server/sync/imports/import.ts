import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliTranslator } from '#messages/cli.ts'
import { slugFrom } from '#platform/text/slug.ts'
import { UnzipError } from '#platform/zip.ts'
import { writtenPage } from '../draft.ts'
import { lineOf, Stopped, type Terminal } from '../terminal.ts'
import { readDevto } from './devto.ts'
import { openExport } from './export-files.ts'
import { readGhost } from './ghost.ts'
import { readMedium } from './medium.ts'
import type { Imported, ImportOptions, Post } from './post.ts'
import { readSubstack } from './substack.ts'

const t = cliTranslator()

/**
 * `standfirst import`: converts an export of another service to files for `push`, with a report of everything left
 * behind.
 */

const readers = { ghost: readGhost, medium: readMedium, substack: readSubstack, devto: readDevto } as const
export type Service = keyof typeof readers
export const services = Object.keys(readers) as Service[]

/** Not Markdown, so that it is never pushed. */
const reportName = 'not-carried-over.txt'

export function importExport(
  service: Service,
  path: string,
  folder: string,
  options: ImportOptions,
  terminal: Terminal,
): string {
  const imported = readExport(service, path, options)
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

function readExport(service: Service, path: string, options: ImportOptions): Imported {
  try {
    return readers[service](openExport(path), options)
  } catch (error) {
    if (error instanceof UnzipError)
      throw new Stopped(t('cli.import.bad_archive', { file: path, reason: error.message }))
    throw error
  }
}

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

const listed = (lines: readonly string[]): string => lines.map((line) => `  - ${lineOf(line)}\n`).join('')

function say(
  terminal: Terminal,
  root: string,
  { written, unchanged, kept }: { written: number; unchanged: number; kept: readonly string[] },
  { posts, lost }: Imported,
): void {
  for (const line of lost) terminal.say(t('cli.import.lost', { what: lineOf(line) }))
  for (const name of kept) terminal.say(t('cli.import.kept', { file: name }))
  const things = posts.reduce((sum, post) => sum + post.lost.length, 0)
  terminal.say(t('cli.import.done', { count: posts.length, written, unchanged, kept: kept.length }))
  const report = join(root, reportName)
  terminal.say(t('cli.import.see_report', { count: things, file: report }))
}
