import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { cliTranslator } from '#messages/cli.ts'
import { UnzipError, unzip } from '#platform/zip.ts'
import { Stopped } from '../terminal.ts'

const t = cliTranslator()

/** An export of a service: a zip, the folder it was unpacked into, or a single file. */
export interface ExportFiles {
  readonly names: readonly string[]
  text(name: string): string
}

export function openExport(path: string): ExportFiles {
  try {
    if (statSync(path).isDirectory()) return inFolder(path)
    const bytes = readFileSync(path)
    if (bytes.subarray(0, 2).toString('latin1') !== 'PK') {
      return { names: [basename(path)], text: (name) => textOf(bytes, name) }
    }
    const files = new Map(unzip(bytes).map((file) => [file.name, file]))
    return { names: [...files.keys()].sort(), text: (name) => textOf(files.get(name)!.read(), name) }
  } catch (error) {
    if (error instanceof UnzipError)
      throw new Stopped(t('cli.import.bad_archive', { file: path, reason: error.message }))
    throw new Stopped(
      t('cli.file_unreadable', { file: path, reason: String((error as { code?: string }).code ?? error) }),
    )
  }
}

/** Services write UTF-8. Anything else was saved by another program, and would arrive garbled. */
function textOf(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Stopped(t('cli.import.not_utf8', { file: name }))
  }
}

function inFolder(folder: string): ExportFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  return { names: names.sort(), text: (name) => textOf(readFileSync(join(folder, name)), name) }
}

/** The parsed JSON of a file; throws a readable error. */
export function jsonIn(files: ExportFiles, name: string): unknown {
  try {
    return JSON.parse(files.text(name))
  } catch (error) {
    if (error instanceof UnzipError)
      throw new Stopped(t('cli.import.bad_archive', { file: name, reason: error.message }))
    if (error instanceof Stopped) throw error
    throw new Stopped(t('cli.not_json', { file: name }))
  }
}
