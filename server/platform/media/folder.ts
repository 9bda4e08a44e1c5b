import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MediaStore } from './store.ts'

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** A folder of this machine, as `ab/cd/abcd…`: no folder of it grows large. */
export function folderStore(folder: string): MediaStore {
  const placeOf = (hash: string): string => {
    // It becomes a path: nothing else may.
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('not the hash of anything')
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash)
  }
  return {
    /** Whole or not at all, also when the machine loses power: written beside its place, then moved there. */
    async put(hash, bytes) {
      const place = placeOf(hash)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      const unfinished = `${place}.${randomUUID()}`
      try {
        const file = await open(unfinished, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, place)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    async get(hash) {
      try {
        const file = await open(placeOf(hash))
        return file.createReadStream()
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },

    async delete(hash) {
      await rm(placeOf(hash), { force: true })
    },
  }
}
