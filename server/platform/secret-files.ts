import { readFileSync } from 'node:fs'

export type Environment = Readonly<Record<string, string | undefined>>

const fileOf = (name: string): string => `${name}_FILE`
const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

/** By its value or by a file. */
export const isGiven = (env: Environment, name: string): boolean =>
  Boolean(textOf(env, name) ?? textOf(env, fileOf(name)))

/**
 * Secrets whose `NAME_FILE` names a file, as containers and systemd hand them out, with its content in their place.
 * What cannot be read, or is given twice, is a problem of that secret; none repeats what the file has.
 */
export function readSecretFiles(env: Environment, names: readonly string[]) {
  const read: Record<string, string | undefined> = { ...env }
  const unread = new Map<string, string>()
  for (const name of names) {
    const file = textOf(env, fileOf(name))
    if (file === undefined) continue
    if (textOf(env, name) !== undefined) {
      unread.set(name, `${name} and ${fileOf(name)} are both set. Keep one of them`)
      continue
    }
    const content = contentOf(file)
    if ('fault' in content) unread.set(name, `${fileOf(name)} names ${file}, which ${content.fault}`)
    else read[name] = content.text
  }
  return { env: read as Environment, unread: unread as ReadonlyMap<string, string> }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'this process may not read',
  EISDIR: 'is a folder',
}

function contentOf(file: string): { text: string } | { fault: string } {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? { fault: 'is empty' } : { text }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { fault: faults[code] ?? `cannot be read: ${message}` }
  }
}
