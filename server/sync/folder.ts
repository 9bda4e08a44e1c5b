import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { largestTextBody } from '#platform/http/caching.ts'
import { Problem, Stopped } from './terminal.ts'

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
    throw new Stopped(`There is no ${given}.`)
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
  if (!isFile) return 'is a link; push what it leads to'
  if (/\.mdx$/i.test(name)) return 'is MDX, which is a program and not Markdown'
  return papers.test(name) ? 'is a paper of the folder; give it by name to push it all the same' : undefined
}

export function readText(path: string): string {
  try {
    if (statSync(path).size > largestTextBody) throw new Problem(`is larger than ${largestTextBody} bytes.`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(
      error instanceof TypeError
        ? 'is not text in UTF-8. Save it as UTF-8.'
        : `cannot be read (${(error as { code?: string }).code}).`,
    )
  }
}

/** Atomic: rename is one operation. */
export function writeText(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  } catch (error) {
    throw new Problem(`cannot be written (${(error as { code?: string }).code}).`)
  }
}
