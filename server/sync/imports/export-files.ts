import { UnzipError, unzip } from '#platform/unzip.ts'
import { problem } from './message-error.ts'

/** An export of a service: a zip, the folder it was unpacked into, or a single file. */
export interface ExportFiles {
  readonly names: readonly string[]
  bytes(name: string): Promise<Uint8Array<ArrayBuffer>>
}

/** Larger than any export, and small enough for the memory of a browser tab. */
export const importLimits = { files: 100_000, posts: 10_000, file: 2 ** 27, unpacked: 2 ** 29 } as const

export function filesIn(file: string, bytes: Uint8Array<ArrayBuffer>): ExportFiles {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return { names: [file], bytes: async () => bytes }
  let left: number = importLimits.unpacked
  const refused = (error: unknown): never => {
    throw error instanceof UnzipError ? problem('import.bad_archive', { file, reason: error.reason }) : error
  }
  try {
    const files = new Map(unzip(bytes).map((one) => [one.name, one]))
    if (files.size > importLimits.files) throw new UnzipError('too_large')
    return {
      // macOS adds its own copy of every name.
      names: [...files.keys()].filter((name) => !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name)).sort(),
      bytes: async (name) => {
        const content = await files.get(name)!.read(Math.min(importLimits.file, left)).catch(refused)
        left -= content.length
        return content
      },
    }
  } catch (error) {
    return refused(error)
  }
}

/** Services write UTF-8. Anything else was saved by another program, and would arrive garbled. */
export async function textIn(files: ExportFiles, name: string): Promise<string> {
  const bytes = await files.bytes(name)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw problem('import.not_utf8', { file: name })
  }
}

export async function jsonIn(files: ExportFiles, name: string): Promise<unknown> {
  const text = await textIn(files, name)
  try {
    return JSON.parse(text)
  } catch {
    throw problem('import.not_json', { file: name })
  }
}
