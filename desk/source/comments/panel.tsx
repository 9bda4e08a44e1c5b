import type { EditorView } from '@codemirror/view'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Passage, passageAt, type Range } from '../../../server/platform/text/passages.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { showToast } from '../components/notice.tsx'
import { t } from '../messages.ts'
import styles from './comments.module.css'
import { stackCards } from './margin.ts'
import { activateMark, draftMark, goToMark, marksOf, openMarks, replaceMark, showMarks } from './marks.ts'
import { NewComment } from './new-comment.tsx'
import { ThreadView } from './thread.tsx'
import { isOpen, type Thread } from './threads.ts'

export interface PanelProps {
  readonly piece: string
  readonly view: EditorView
  readonly threads: readonly Thread[]
  readonly isReadOnly: boolean
  /** Beside the text; else in a sheet. */
  readonly isBeside: boolean
  readonly isShown: boolean
  /** What a new comment is about. */
  readonly composing: Range | 'whole' | undefined
  readonly active: string | undefined
  readonly onActive: (id: string | undefined) => void
  readonly onCompose: (about: 'whole' | undefined) => void
  readonly onClose: () => void
}

type Filter = 'open' | 'resolved'

/** How long after a change of the text passages that were not found are looked for again (milliseconds). */
const searchDelay = 700

/** The comments of the piece in the editor, and their marks in the text. */
export function CommentsPanel(props: PanelProps) {
  const { view, threads, composing, active, isShown, isBeside, onActive } = props
  const [filter, setFilter] = useState<Filter>('open')
  const [, setMoves] = useState(0)
  const [changes, setChanges] = useState(0)
  const open = useMemo(() => threads.filter(isOpen), [threads])
  const passages = useMemo(
    () => new Map(open.flatMap(({ id, passage }) => (passage ? [[id, passage] as [string, Passage]] : []))),
    [open],
  )
  const draft = typeof composing === 'object' ? composing : undefined
  const opener = useRef(onActive)
  opener.current = (id) => {
    setFilter('open')
    onActive(id)
  }

  useEffect(() => {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = openMarks(view, {
      onOpen: (id) => opener.current(id),
      onMove: (isText) => {
        cancelAnimationFrame(frame)
        frame = requestAnimationFrame(() => setMoves((count) => count + 1))
        if (!isText) return
        clearTimeout(timer)
        timer = setTimeout(() => setChanges((count) => count + 1), searchDelay)
      },
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [view])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was not found may be there after a change.
  useEffect(() => {
    showMarks(view, passages, draft)
    setMoves((count) => count + 1)
  }, [view, passages, draft, changes])
  useEffect(() => activateMark(view, draft ? draftMark : active), [view, active, draft])
  useEffect(
    () => () => {
      if (view.dom.isConnected) showMarks(view, new Map(), undefined)
    },
    [view],
  )

  if (!isShown) return null
  const ranges = marksOf(view)
  const shown = (filter === 'open' ? open : threads.filter((thread) => !isOpen(thread))).toSorted(
    (one, other) => placeOf(one, ranges) - placeOf(other, ranges),
  )
  const content = <Content {...props} {...{ filter, setFilter, shown, ranges }} open={open.length} />
  return isBeside ? (
    <aside className={styles.beside} aria-label={t('desk.comments.title')}>
      {content}
    </aside>
  ) : (
    <Dialog title={t('desk.comments.title')} close={t('desk.common.done')} onClose={props.onClose}>
      {content}
    </Dialog>
  )
}

/** In the order of the text; what is about the whole piece first, and what was removed last. */
const placeOf = ({ id, passage }: Thread, ranges: ReadonlyMap<string, Range>): number =>
  passage === null ? -1 : (ranges.get(id)?.from ?? Number.MAX_SAFE_INTEGER)

interface ContentProps extends PanelProps {
  readonly filter: Filter
  readonly setFilter: (filter: Filter) => void
  readonly shown: readonly Thread[]
  /** How many are open. */
  readonly open: number
  readonly ranges: ReadonlyMap<string, Range>
}

function Content(props: ContentProps) {
  const { piece, view, threads, filter, shown, ranges, composing, active, isReadOnly, isBeside, open } = props
  const cards = useRef(new Map<string, HTMLElement>())
  const head = useRef<HTMLDivElement>(null)
  const card = useCallback(
    (id: string) => (element: HTMLElement | null) => {
      if (element) cards.current.set(id, element)
      return () => {
        cards.current.delete(id)
      }
    },
    [],
  )
  const about = typeof composing === 'object' ? (ranges.get(draftMark) ?? composing).from : undefined
  const order = [
    ...(composing === undefined ? [] : [{ id: draftMark, from: about, place: about ?? -1 }]),
    ...shown.map((thread) => ({ id: thread.id, from: ranges.get(thread.id)?.from, place: placeOf(thread, ranges) })),
  ].toSorted((one, other) => one.place - other.place)

  useLayoutEffect(() => {
    if (isBeside) placeCards(view, order, cards.current, head.current)
  })
  useEffect(() => {
    const element = active === undefined ? undefined : cards.current.get(active)
    element?.scrollIntoView({ block: 'nearest' })
  }, [active])
  // Their heights change with what is typed in them.
  useEffect(() => {
    if (!isBeside) return
    const observer = new ResizeObserver(() => placeCards(view, order, cards.current, head.current))
    for (const element of cards.current.values()) observer.observe(element)
    return () => observer.disconnect()
  })

  const accept = (thread: Thread) => () => {
    if (replaceMark(view, thread.id, thread.replacement ?? '')) showToast(t('desk.comments.done.accepted'))
  }
  const quote =
    composing === 'whole' || composing === undefined ? null : view.state.sliceDoc(composing.from, composing.to)
  const composeRange = (): Passage | null => {
    if (composing === 'whole' || composing === undefined) return null
    const range = marksOf(view).get(draftMark) ?? composing
    return passageAt(view.state.doc.toString(), range) ?? null
  }
  return (
    <div>
      <div ref={head} className={styles.head}>
        <fieldset className={styles.filter}>
          <legend className="hidden">{t('desk.comments.filter')}</legend>
          {(['open', 'resolved'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={filter === one} onClick={() => props.setFilter(one)}>
              {t(`desk.comments.filter.${one}`, { count: one === 'open' ? open : threads.length - open })}
            </button>
          ))}
        </fieldset>
        <Button kind="quiet" onClick={() => props.onCompose('whole')}>
          {t('desk.comments.new.whole')}
        </Button>
        {shown.length === 0 && composing === undefined && (
          <div className={styles.empty}>
            <p>{t(`desk.comments.empty.${filter}`)}</p>
            {filter === 'open' && <p>{t('desk.comments.empty.open_next')}</p>}
          </div>
        )}
      </div>
      <ol className={styles.cards}>
        {order.map(({ id }) =>
          id === draftMark ? (
            <li key={id} ref={card(id)} className={styles.card} data-active>
              <p className={styles.by}>{t('desk.comments.new.title')}</p>
              {quote !== null && (
                <div className={styles.passage}>
                  <blockquote dir="auto">{quote.length > 140 ? `${quote.slice(0, 140)}…` : quote}</blockquote>
                </div>
              )}
              <NewComment
                piece={piece}
                passage={composeRange}
                quote={quote}
                isFocused
                onDone={() => props.onCompose(undefined)}
                onCancel={() => props.onCompose(undefined)}
              />
            </li>
          ) : (
            shown
              .filter((thread) => thread.id === id)
              .map((thread) => (
                <li
                  key={id}
                  ref={card(id)}
                  className={styles.card}
                  data-active={active === id || undefined}
                  onFocus={() => props.onActive(id)}
                >
                  <ThreadView
                    piece={piece}
                    thread={thread}
                    isRemoved={isOpen(thread) && thread.passage !== null && !ranges.has(id)}
                    onShow={
                      ranges.has(id)
                        ? () => {
                            if (isBeside) return goToMark(view, id)
                            props.onClose()
                            // The sheet gives the focus back first.
                            requestAnimationFrame(() => goToMark(view, id))
                          }
                        : undefined
                    }
                    onAccept={isReadOnly ? undefined : accept(thread)}
                  />
                </li>
              ))
          ),
        )}
      </ol>
    </div>
  )
}

/** Beside its passage, each below the one before. */
function placeCards(
  view: EditorView,
  order: readonly { readonly id: string; readonly from: number | undefined }[],
  cards: ReadonlyMap<string, HTMLElement>,
  head: HTMLElement | null,
): void {
  const [first] = cards.values()
  const around = first?.closest('aside')?.getBoundingClientRect()
  if (!around) return
  const shown = order.flatMap(({ id, from }) => {
    const element = cards.get(id)
    if (!element) return []
    const line =
      from === undefined || from > view.state.doc.length
        ? undefined
        : (view.coordsAtPos(from)?.top ?? blockTop(view, from))
    return [{ element, wanted: line === undefined ? 0 : line - around.top, height: element.offsetHeight }]
  })
  const tops = stackCards(shown, (head?.offsetHeight ?? 0) + 12)
  for (const [at, { element }] of shown.entries()) element.style.top = `${tops[at]}px`
}

const blockTop = (view: EditorView, from: number): number => view.documentTop + view.lineBlockAt(from).top
