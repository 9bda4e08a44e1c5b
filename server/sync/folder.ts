import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cliTranslator } from '#messages/cli.ts'
import { largestTextBody } from '#platform/http/caching.ts'
import { type Page, readPage } from './front-matter.ts'
import { MessageError } from './imports/message-error.ts'
import { Problem, Stopped } from './terminal.ts'

const t = cliTranslator()

/** The files to push. */
export interface Found {
  /** The given folder, or that of the given file. */
  readonly root: string
  readonly files: readonly string[]
  /** Markdown files that were skipped, and why. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
}

/** Repository files that nobody means to publish. */
const papers = /^(?:readme|changelog|contributing|code_of_conduct|license|security)\./i

export function findFiles(given: string): Found {
  let target: string
  try {
    target = realpathSync(given)
  } catch {
    throw new Stopped(t('cli.sync.no_folder', { path: given }))
  }
  if (!statSync(target).isDirectory()) return { root: dirname(target), files: [target], leftOut: [] }
  const found = { root: target, files: [] as string[], leftOut: [] as { path: string; why: string }[] }
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      if (entry.isDirectory()) walk(path)
      else if (/\.(?:md|markdown|mdx)$/i.test(entry.name)) {
        const why = reasonAgainst(entry.name, entry.isFile())
        if (why) found.leftOut.push({ path: relative(target, path), why })
        else found.files.push(path)
      }
    }
  }
  walk(target)
  return found
}

function reasonAgainst(name: string, isFile: boolean): string | undefined {
  if (!isFile) return t('cli.sync.skipped_link')
  if (/\.mdx$/i.test(name)) return t('cli.sync.skipped_mdx')
  return papers.test(name) ? t('cli.sync.skipped_readme') : undefined
}

function readText(path: string): string {
  try {
    if (statSync(path).size > largestTextBody)
      throw new Problem(t('cli.sync.file_too_large', { most: largestTextBody }))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(
      error instanceof TypeError
        ? t('cli.sync.not_utf8')
        : t('cli.sync.unreadable', { code: String((error as { code?: string }).code) }),
    )
  }
}

/** A Markdown file; what is wrong with its front matter is a problem of that file. */
export function readFile(path: string): Page {
  const text = readText(path)
  try {
    return readPage(text)
  } catch (error) {
    throw error instanceof MessageError ? new Problem(t.say(error.said)) : error
  }
}

/** Atomic: rename is one operation. */
export function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  } catch (error) {
    throw new Problem(t('cli.sync.unwritable', { code: String((error as { code?: string }).code) }))
  }
}
