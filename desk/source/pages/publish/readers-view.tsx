import { useEffect, useId, useRef, useState } from 'react'
import type { Preview } from '../../../../server/features/pieces/desk-schema.ts'
import { t } from '../../messages.ts'
import type { Details } from './details.ts'
import styles from './readers-view.module.css'
import { SearchAndLinks } from './search-and-links.tsx'

const views = ['desktop', 'phone', 'links'] as const
type View = (typeof views)[number]

/** CSS pixels: a phone, and the narrowest desktop. */
const widths = { phone: 390, desktop: 1280 } as const

interface ReadersViewProps {
  readonly details: Details
  readonly preview: Preview
  readonly isReadOnly: boolean
}

/** What readers will see: the page on a phone and on a desktop, a search result and a shared link. */
export function ReadersView({ preview, ...rest }: ReadersViewProps) {
  const [view, setView] = useState<View>(() => (matchMedia('(max-width: 40rem)').matches ? 'phone' : 'desktop'))
  const name = useId()
  return (
    <section className={styles.view} aria-label={t('desk.publish.preview')}>
      <fieldset className={styles.switch}>
        <legend className="hidden">{t('desk.publish.view.title')}</legend>
        {views.map((one) => (
          <label key={one}>
            <input type="radio" name={name} checked={one === view} onChange={() => setView(one)} />
            <span>{t(`desk.publish.view.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      {view === 'links' ? (
        <SearchAndLinks preview={preview} {...rest} />
      ) : (
        <Page preview={preview} width={widths[view]} />
      )}
    </section>
  )
}

interface PageProps {
  readonly preview: Preview
  readonly width: number
}

/** The page at its own width, made smaller where the column is narrower. */
function Page({ preview, width }: PageProps) {
  const column = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>()
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setSize(entry!.contentRect))
    watcher.observe(column.current!)
    return () => watcher.disconnect()
  }, [])
  const shown = size && (width === widths.phone ? width : Math.max(width, size.width))
  const scale = size && shown ? Math.min(1, size.width / shown) : 1
  return (
    <div ref={column} className={styles.column}>
      {size && shown && (
        <div className={styles.sized} style={{ width: shown * scale }}>
          <iframe
            key={`${preview.page} ${preview.slug}`}
            className={styles.frame}
            style={{ width: shown, height: size.height / scale, scale: String(scale) }}
            title={t('desk.publish.preview_page')}
            src={preview.page}
            sandbox=""
            tabIndex={-1}
          />
        </div>
      )}
    </div>
  )
}
