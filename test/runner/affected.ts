import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * The test files that these changed files can affect, those with the fewest imports in between first. Any string that
 * names a file counts as an import, also the path of a started program or of a document.
 */
export function affectedTests(root: string, tests: readonly string[], changed: readonly string[]): string[] {
  if (changed.some((file) => forEverything.test(file))) return [...tests]
  const users = usersOf(root, changed)
  const distances = new Map(changed.map((file) => [file, 0]))
  for (const [file, distance] of distances)
    for (const place of [file, ...foldersAbove(file)])
      for (const user of users.get(place) ?? []) if (!distances.has(user)) distances.set(user, distance + 1)
  return tests
    .filter((file) => distances.has(file))
    .toSorted((one, other) => distances.get(one)! - distances.get(other)! || (one < other ? -1 : 1))
}

/** Files that no module imports but every test depends on. */
const forEverything = /(^|\/)(package\.json|package-lock\.json|tsconfig\.json)$/
const isModule = /\.(ts|tsx|js)$/
const stringLiteral = /(['"`])((?:(?!\1)[^\\\n])+)\1/g

/** For each file, or folder with a trailing slash, the modules that name it. */
function usersOf(root: string, changed: readonly string[]): Map<string, string[]> {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const files = new Set([...list.split('\n').filter(Boolean), ...changed])
  const folders = new Set([...files].flatMap(foldersAbove))
  const users = new Map<string, string[]>()
  for (const file of files) {
    if (!isModule.test(file) || !existsSync(join(root, file))) continue
    for (const [, , text] of readFileSync(join(root, file), 'utf8').matchAll(stringLiteral)) {
      const path = pathNamedBy(text!, file)
      // A word alone, such as 'test', is seldom a folder.
      const isFolder = /[./]/.test(text!) && folders.has(`${path}/`)
      const found = files.has(path) ? path : isFolder ? `${path}/` : undefined
      if (!found || found === file) continue
      const known = users.get(found)
      if (known) known.push(file)
      else users.set(found, [file])
    }
  }
  return users
}

function pathNamedBy(text: string, from: string): string {
  if (text.startsWith('#')) return normalize(join('server', text.slice(1)))
  if (text === '@standfirst/sdk') return 'sdk/source/index.ts'
  const path = text.startsWith('.') ? join(dirname(from), text) : text
  return normalize(path).replace(/\/$/, '')
}

/** The folders of a file, nearest first, each with a trailing slash. */
function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, at) => `${parts.slice(0, parts.length - at).join('/')}/`)
}
