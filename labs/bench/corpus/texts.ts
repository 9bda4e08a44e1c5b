import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Real texts from Debian packages, to count and to compare with. apt-get downloads them into .data/texts; they are never
 * committed, only what count.ts counted in them.
 */

const folder = fileURLToPath(new URL('../../../.data/texts', import.meta.url))

/** Unpacks a package without installing it. */
function unpack(name: string): string {
  const target = join(folder, name)
  if (existsSync(target)) return target
  mkdirSync(folder, { recursive: true })
  console.error(`fetching the Debian package ${name}`)
  try {
    execFileSync('apt-get', ['download', '-qq', name], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
  } catch {
    throw new Error(`Counting real English needs the Debian package ${name}: run \`apt-get update\` and try again.`)
  }
  const file = readdirSync(folder).find((one) => one.startsWith(`${name}_`) && one.endsWith('.deb'))!
  const part = `${target}.part`
  execFileSync('dpkg-deb', ['-x', join(folder, file), part])
  renameSync(part, target)
  return target
}

const filesIn = (path: string): string[] =>
  readdirSync(path)
    .sort()
    .map((name) => join(path, name))

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', mdash: '—' }

/** Paragraphs of an HTML page without markup, code and headings. */
function paragraphsOf(html: string): string[] {
  return html
    .replace(/<(script|style|pre|head|h[1-6]|table)\b[\s\S]*?<\/\1>/gi, '\n\n')
    .replace(/<(p|div|li|blockquote|br|hr|dt|dd|ul|ol)\b[^>]*>\s*/gi, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole)
    .split(/\n\s*\n/)
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one.length > 40)
}

function pages(name: string, path: string): string[] {
  const files = filesIn(join(unpack(name), path)).filter((file) => file.endsWith('.html'))
  return files.flatMap((file) => paragraphsOf(readFileSync(file, 'utf8')))
}

function fortunes(): string[] {
  return ['fortunes', 'fortunes-min'].flatMap((name) =>
    filesIn(join(unpack(name), 'usr/share/games/fortunes'))
      .filter((file) => !/\.(dat|u8)$/.test(file))
      .flatMap((file) => readFileSync(file, 'utf8').split('\n%\n'))
      .map((one) => one.replace(/\s+/g, ' ').trim())
      .filter((one) => one.length > 40),
  )
}

export interface Source {
  readonly name: string
  readonly paragraphs: readonly string[]
}

/** 1.8 million words of essays, 0.4 million of quotations and jokes, 0.3 million of a manual. */
export const english = (): Source[] => [
  { name: 'essays', paragraphs: pages('anarchism', 'usr/share/doc/anarchism/html') },
  { name: 'quotations', paragraphs: fortunes() },
  { name: 'manual', paragraphs: handbook('en-US') },
]

/** The Debian handbook in some language. */
export const handbook = (locale: string): string[] =>
  pages('debian-handbook', `usr/share/doc/debian-handbook/html/${locale}`)
