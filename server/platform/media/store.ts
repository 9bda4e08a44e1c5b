import type { Readable } from 'node:stream'

/** Bytes by the hash of themselves: what is there under a hash never changes, and putting it twice is putting it once. */
export interface MediaStore {
  put(hash: string, bytes: Buffer, type: string): Promise<void>
  get(hash: string): Promise<Readable | undefined>
  delete(hash: string): Promise<void>
}
