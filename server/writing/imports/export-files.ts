import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { UnzipError, unzip } from '#platform/unzip.ts'
import { Stopped } from '../problem.ts'

/** What a service handed out: a zip, the folder it was unpacked into, or a single file. */
export interface ExportFiles {
  readonly names: readonly string[]
  text(name: string): string
}

export function openExport(path: string): ExportFiles {
  try {
    if (statSync(path).isDirectory()) return inFolder(path)
    const bytes = readFileSync(path)
    if (bytes.subarray(0, 2).toString('latin1') !== 'PK') {
      return { names: [basename(path)], text: () => textOf(bytes) }
    }
    const files = new Map(unzip(bytes).map((file) => [file.name, file]))
    return { names: [...files.keys()].sort(), text: (name) => textOf(files.get(name)!.read()) }
  } catch (error) {
    if (error instanceof UnzipError)
      throw new Stopped(`${path} ${error.message}. Download it again, or unpack it and give the folder.`)
    throw new Stopped(`${path} cannot be read (${(error as { code?: string }).code ?? error}).`)
  }
}

const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\uFEFF/, '')

function inFolder(folder: string): ExportFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  return { names: names.sort(), text: (name) => textOf(readFileSync(join(folder, name))) }
}

/** The JSON in a file, or a sentence. */
export function jsonIn(files: ExportFiles, name: string): unknown {
  try {
    return JSON.parse(files.text(name))
  } catch (error) {
    if (error instanceof UnzipError) throw new Stopped(`The archive ${error.message}.`)
    throw new Stopped(`${name} is not JSON. Is this the whole export?`)
  }
}
