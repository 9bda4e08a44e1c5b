import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../api/api-error.ts'
import { askForStream } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Acts, Refused, useAttempt } from '../../components/form.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import styles from './export.module.css'
import { zipProgress } from './zip-progress.ts'

/** How far it has come: bytes that have arrived, and which share of the whole they hold. */
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

  const take = attempt.by(async () => {
    const stop = new AbortController()
    stopping.current = stop
    setSaved(undefined)
    setProgress({ bytes: 0, share: 0 })
    try {
      const file = await receive(stop.signal, setProgress)
      save(file)
      setSaved(`${file.name}, ${sizeOf(file.size)}, is among your downloads.`)
    } catch (error) {
      if (!stop.signal.aborted) throw error
    } finally {
      setProgress(undefined)
    }
  })

  return (
    <Section
      title="Everything you have written"
      lead="One file to keep: every piece as Markdown with its details, every revision, your listings, your pictures and your profile."
    >
      <Refused error={attempt.error} />
      {saved && <Notice kind="good">{saved}</Notice>}
      {progress ? (
        <>
          <label className={styles.progress}>
            Packing: {Math.round(progress.share * 100)} %, {sizeOf(progress.bytes)}
            <progress max={1} value={progress.share} />
          </label>
          <Acts>
            <Button onClick={() => stopping.current?.abort()}>Stop</Button>
          </Acts>
        </>
      ) : (
        <Button onClick={take}>Download everything</Button>
      )}
    </Section>
  )
}

async function receive(signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<File> {
  const response = await askForStream('/account/export', signal)
  const total = Number(response.headers.get('x-total-bytes') ?? 0)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const unpackedBy = zipProgress()
  let bytes = 0
  let shownAt = 0
  for (const reader = response.body!.getReader(); ; ) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) break
    chunks.push(value)
    bytes += value.length
    const unpacked = unpackedBy(value)
    if (performance.now() - shownAt < 100) continue
    shownAt = performance.now()
    onProgress({ bytes, share: total > 0 ? Math.min(unpacked / total, 1) : 0 })
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export.zip'
  return new File(chunks, name, { type: 'application/zip' })
}

function brokenOff(): never {
  throw new Refusal(0, 'unreachable', 'The line broke off before everything was here. Begin again.')
}

function save(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

const megabytes = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })
const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${megabytes.format(bytes / 1_000_000)} MB`
