import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { typographic } from '../../../server/platform/text/typography.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { t } from '../messages.ts'
import type { MarkdownEditor } from './codemirror/codemirror.ts'
import { goToHeading, type Heading, headingAt, headingsOf, onMove } from './codemirror/headings.ts'
import styles from './outline.module.css'

/** The headings of the text: a panel beside it, or a sheet above it in a narrow window. */

interface OutlineProps {
  readonly editor: RefObject<MarkdownEditor | null>
  readonly locale: string
  readonly onClose: () => void
}

/** Listing the headings of a long text takes milliseconds, so it waits for a pause in typing (milliseconds). */
const listDelay = 150

const wide = matchMedia('(min-width: 72rem)')
function onWidth(listener: () => void): () => void {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

export function Outline(props: OutlineProps) {
  const isBeside = useSyncExternalStore(onWidth, () => wide.matches)
  return isBeside ? <Panel {...props} /> : <Sheet {...props} />
}

/** Stays open while its reader writes. */
function Panel({ editor, onClose, ...rest }: OutlineProps) {
  const title = useId()
  const panel = useRef<HTMLElement>(null)
  const close = () => {
    onClose()
    editor.current?.focus()
  }
  // After the list, which has nothing to focus if there are no headings.
  useEffect(() => {
    if (!panel.current?.contains(document.activeElement)) panel.current?.querySelector('button')?.focus()
  }, [])
  return (
    <nav
      ref={panel}
      className={styles.panel}
      aria-labelledby={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id={title}>{t('desk.editor.outline.title')}</h2>
        <Button kind="quiet" onClick={close}>
          {t('desk.common.close')}
        </Button>
      </header>
      <List {...rest} editor={editor} />
    </nav>
  )
}

/** Closes with what is chosen. */
const Sheet = ({ onClose, ...rest }: OutlineProps) => (
  <Dialog title={t('desk.editor.outline.title')} close={t('desk.common.close')} onClose={onClose}>
    <List {...rest} onGo={onClose} />
  </Dialog>
)

interface ListProps extends Omit<OutlineProps, 'onClose'> {
  readonly onGo?: () => void
}

interface Listed {
  readonly headings: readonly Heading[]
  readonly current: number
}

function List({ editor, locale, onGo }: ListProps) {
  const { headings, current } = useHeadings(editor)
  const list = useRef<HTMLOListElement>(null)
  const least = Math.min(...headings.map(({ level }) => level))
  // Where the writer is.
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]') ?? list.current?.querySelector('button')
    here?.focus()
  }, [])
  const move = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    buttons.at(to % buttons.length)?.focus()
  }
  const go = (heading: Heading) => {
    onGo?.()
    // A sheet that closes restores the focus first.
    requestAnimationFrame(() => {
      const view = editor.current?.view
      if (view) goToHeading(view, heading)
    })
  }
  return headings.length === 0 ? (
    <div className={styles.empty}>
      <p>{t('desk.editor.outline.empty')}</p>
      <p>{t('desk.editor.outline.empty_next')}</p>
    </div>
  ) : (
    <ol ref={list} className={styles.list} onKeyDown={move}>
      {headings.map((heading, at) => (
        <li key={heading.from}>
          <button
            type="button"
            lang={locale}
            dir="auto"
            data-depth={Math.min(heading.level - least, 3)}
            aria-current={at === current ? 'location' : undefined}
            onClick={() => go(heading)}
          >
            {typographic(heading.words, locale)}
          </button>
        </li>
      ))}
    </ol>
  )
}

function useHeadings(editor: RefObject<MarkdownEditor | null>): Listed {
  const listed = (): Listed => {
    const state = editor.current?.view.state
    if (!state) return { headings: [], current: -1 }
    const headings = headingsOf(state)
    return { headings, current: headingAt(headings, state) }
  }
  const [found, setFound] = useState(listed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the editor that there is then.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const shown = editor.current
    shown?.use(
      'outline',
      onMove(() => {
        clearTimeout(timer)
        timer = setTimeout(() => setFound(listed()), listDelay)
      }),
    )
    return () => {
      clearTimeout(timer)
      shown?.use('outline', [])
    }
  }, [editor])
  return found
}
