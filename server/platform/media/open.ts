import type { MediaAddress } from './address.ts'
import { folderStore } from './folder.ts'
import { s3Store } from './s3.ts'
import type { MediaStore } from './store.ts'

export const openMediaStore = (address: MediaAddress): MediaStore =>
  address.kind === 'folder' ? folderStore(address.path) : s3Store(address)
