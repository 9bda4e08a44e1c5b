import { type ExportFiles, filesIn, importLimits } from '../../../../server/sync/imports/export-files.ts'
import { problem } from '../../../../server/sync/imports/message-error.ts'
import type { Imported } from '../../../../server/sync/imports/post.ts'
import { readExport, type Service, serviceOf } from '../../../../server/sync/imports/read-export.ts'
import { t } from '../../messages.ts'

/** Reads an export in the browser; nothing of it is sent. */

export interface Found extends Imported {
  readonly service: Service
  readonly files: ExportFiles
  readonly file: File
}

export async function readFile(
  file: File,
  site: string | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<Found> {
  if (file.size > importLimits.unpacked) throw problem('import.bad_archive', { file: file.name, reason: 'too_large' })
  const files = filesIn(file.name, new Uint8Array(await file.arrayBuffer()))
  const service = await serviceOf(files)
  const imported = await readExport(service, files, {
    site,
    siteOption: t('desk.import.site'),
    progress: async (done, total) => {
      if (done % 10 !== 0) return
      onProgress(done, total)
      await new Promise((resolve) => setTimeout(resolve))
    },
  })
  return { ...imported, service, files, file }
}
