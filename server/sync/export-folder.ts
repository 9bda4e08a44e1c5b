import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { cliTranslator } from '#messages/cli.ts'
import { type ExportFiles, filesIn } from './imports/export-files.ts'
import { MessageError } from './imports/message-error.ts'
import { Stopped } from './terminal.ts'

const t = cliTranslator()

/** An export on this machine: a file, or the folder it was unpacked into. */
export function openExport(path: string): ExportFiles {
  try {
    if (statSync(path).isDirectory()) return inFolder(path)
    return filesIn(basename(path), new Uint8Array(readFileSync(path)))
  } catch (error) {
    if (error instanceof MessageError) throw error
    throw new Stopped(
      t('cli.file_unreadable', { file: path, reason: String((error as { code?: string }).code ?? error) }),
    )
  }
}

function inFolder(folder: string): ExportFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  return { names: names.sort(), bytes: async (name) => new Uint8Array(readFileSync(join(folder, name))) }
}
