import { AddBySearch } from '../../components/add-by-search.tsx'
import { Button } from '../../components/button.tsx'
import { useSearch } from '../../components/choices.tsx'
import { fromLocal, toLocal } from '../../components/local-time.ts'
import { SortableRow, useReorder } from '../../components/reorder.tsx'
import { t } from '../../messages.ts'
import { earliestEnd, latestEnd, maxPins, type Pin, pinOf, usePiecesToPin } from './choices.ts'
import styles from './front-page.module.css'

interface PinsProps {
  readonly pins: readonly Pin[]
  readonly onPins: (pins: readonly Pin[]) => void
}

const titleOf = ({ title }: { readonly title: string }): string => title

/** The pinned pieces in their order, each with its end, and a search for more by headline or address. */
export function Pins({ pins, onPins }: PinsProps) {
  const search = useSearch(500)
  const query = usePiecesToPin(search.q)
  const { list, rowOf, announcement, add, remove } = useReorder({ items: pins, nameOf: titleOf, onItems: onPins })
  return (
    <>
      {pins.length > 0 && (
        <ol className="entries" ref={list} aria-label={t('desk.front-page.pins')}>
          {pins.map((pin, at) => (
            <SortableRow
              key={pin.id}
              {...rowOf(at)}
              className={styles.pin}
              actions={
                <Button
                  kind="quiet"
                  aria-label={t('desk.front-page.unpin_one', { title: pin.title })}
                  onClick={() => remove(at, search.focus)}
                >
                  {t('desk.front-page.unpin')}
                </Button>
              }
            >
              <PinDetails pin={pin} at={at} onEnd={(ends_at) => onPins(pins.with(at, { ...pin, ends_at }))} />
            </SortableRow>
          ))}
        </ol>
      )}
      {announcement}
      <div className={styles.find}>
        <AddBySearch
          search={search}
          query={query}
          label={t('desk.front-page.find')}
          hint={t('desk.front-page.find_hint')}
          results={t('desk.front-page.results')}
          add={t('desk.front-page.pin')}
          addOne={(title) => t('desk.front-page.pin_one', { title })}
          nameOf={titleOf}
          aboutOf={({ author }) => author}
          isOffered={({ id }) => !pins.some((pin) => pin.id === id)}
          full={pins.length >= maxPins && t('desk.front-page.full', { count: maxPins })}
          empty={emptyText}
          onAdd={(piece) => add(pinOf(piece))}
        />
      </div>
    </>
  )
}

function emptyText(query: string, hasFound: boolean): string {
  if (hasFound) return t('desk.front-page.all_pinned')
  return query ? t('desk.front-page.no_results', { query }) : t('desk.front-page.none')
}

/** How large a place is on the page. */
const sizeOf = (at: number) => (at === 0 ? 'lead' : at < 3 ? 'beside' : 'row')

interface PinDetailsProps {
  readonly pin: Pin
  readonly at: number
  readonly onEnd: (ends_at: string) => void
}

const PinDetails = ({ pin, at, onEnd }: PinDetailsProps) => (
  <div className={styles.about}>
    <p className={styles.place}>{t(`desk.front-page.place.${sizeOf(at)}`)}</p>
    <h3 dir="auto">
      <a href={pin.url}>{pin.title}</a>
    </h3>
    <p className="facts">
      <bdi>{pin.author}</bdi>
    </p>
    <label className={styles.end}>
      <span>{t('desk.front-page.until')}</span>
      <input
        type="datetime-local"
        required
        aria-label={t('desk.front-page.until_of', { title: pin.title })}
        min={earliestEnd()}
        max={latestEnd()}
        value={toLocal(pin.ends_at)}
        onChange={({ target }) => {
          const end = fromLocal(target.value)
          if (end) onEnd(end)
        }}
      />
    </label>
  </div>
)
