import { useEffect, useRef, useState } from 'react'
import { ApiError, callApiForStream, fileNameOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import { saveFile } from '../../components/save-file.ts'
import { formats, t } from '../../messages.ts'
import styles from './account.module.css'
import { zipProgress } from './zip-progress.ts'

/** Bytes received, and the share of the uncompressed total. */
interface Progress {
  readonly bytes: number
  readonly share: number
}

export function Export() {
  const [progress, setProgress] = useState<Progress>()
  const [saved, setSaved] = useState<string>()
  const stopping = useRef<AbortController>(null)
  const attempt = useAttempt()
  useEffect(() => () => stopping.current?.abort(), [])

  const download = attempt.handler(async () => {
    const stop = new AbortController()
    stopping.current = stop
    setSaved(undefined)
    setProgress({ bytes: 0, share: 0 })
    try {
      const file = await receiveExport(stop.signal, setProgress)
      saveFile(file)
      setSaved(t('desk.account.export.saved', { name: file.name, size: sizeOf(file.size) }))
    } catch (error) {
      if (!stop.signal.aborted) throw error
    } finally {
      setProgress(undefined)
    }
  })

  return (
    <Section title={t('desk.account.export.title')} lead={t('desk.account.export.lead')}>
      <ErrorNotice error={attempt.error} />
      {saved && <Notice kind="good">{saved}</Notice>}
      {progress ? (
        <>
          <label className={styles.progress}>
            {t('desk.account.export.progress', { share: progress.share, size: sizeOf(progress.bytes) })}
            <progress max={1} value={progress.share} />
          </label>
          <FormActions>
            <Button onClick={() => stopping.current?.abort()}>{t('desk.common.cancel')}</Button>
          </FormActions>
        </>
      ) : (
        <Button onClick={download}>{t('desk.account.export.button')}</Button>
      )}
    </Section>
  )
}

async function receiveExport(signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<File> {
  const response = await callApiForStream('/account/export', signal)
  const total = Number(response.headers.get('x-total-bytes') ?? 0)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const unpackedBy = zipProgress()
  let bytes = 0
  let shownAt = 0
  for (const reader = response.body!.getReader(); ; ) {
    const { done, value } = await reader.read().catch(throwInterrupted)
    if (done) break
    chunks.push(value)
    bytes += value.length
    const unpacked = unpackedBy(value)
    if (performance.now() - shownAt < 100) continue
    shownAt = performance.now()
    onProgress({ bytes, share: total > 0 ? Math.min(unpacked / total, 1) : 0 })
  }
  return new File(chunks, fileNameOf(response), { type: 'application/zip' })
}

function throwInterrupted(): never {
  throw new ApiError(0, 'unreachable', t('desk.account.export.interrupted'))
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000
    ? formats.number(Math.ceil(bytes / 1000), { style: 'unit', unit: 'kilobyte' })
    : formats.number(bytes / 1_000_000, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
