import type { EditorView } from '@codemirror/view'
import { type ReactNode, type RefObject, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { CommentsPanel } from '../comments/load.ts'
import { isOpen, useThreads } from '../comments/threads.ts'
import { showToast } from '../components/notice.tsx'
import { t } from '../messages.ts'
import type { MarkdownEditor } from './codemirror/codemirror.ts'
import { type Session, useSession } from './session.ts'

/** Wide enough for comments beside the text. */
const wide = '(min-width: 76rem)'

function useWide(): boolean {
  return useSyncExternalStore(onWidth, () => matchMedia(wide).matches)
}

function onWidth(listener: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

interface Range {
  readonly from: number
  readonly to: number
}

/** The lines around this place that no blank line separates. */
function paragraphAt({ state: { doc } }: EditorView, at: number): Range {
  const isBlank = (number: number) => number < 1 || number > doc.lines || doc.line(number).text.trim() === ''
  let first = doc.lineAt(at).number
  let last = first
  while (!isBlank(first) && !isBlank(first - 1)) first -= 1
  while (!isBlank(last) && !isBlank(last + 1)) last += 1
  return { from: doc.line(first).from, to: doc.line(last).to }
}

export interface Commenting {
  /** How many are open. */
  readonly count: number
  readonly hasAny: boolean
  readonly isShown: boolean
  readonly toggle: () => void
  /** A comment on what is selected. */
  readonly begin: (view: EditorView) => void
  readonly panel: ReactNode
}

/** Comments on the piece in the editor. */
export function useCommenting(
  session: Session,
  editor: RefObject<MarkdownEditor | null>,
  isReadOnly: boolean,
): Commenting {
  useSession(session)
  const piece = session.piece()?.id ?? null
  const { data: threads = [] } = useThreads(piece)
  const isBeside = useWide()
  /** Until the writer says otherwise, they stand beside the text if there are any. */
  const [isWanted, setWanted] = useState<boolean>()
  const [composing, setComposing] = useState<Range | 'whole'>()
  const [active, setActive] = useState<string>()
  // The editor's view is there after the first effects.
  const [, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const count = threads.filter(isOpen).length
  const isShown = composing !== undefined || (isWanted ?? (isBeside && count > 0))

  const begin = async (view: EditorView) => {
    if (!session.saver.id()) await session.saver.flush()
    if (!session.saver.id()) return showToast(t('desk.editor.comment_unsaved'))
    const { main } = view.state.selection
    const { from, to } = main.empty ? paragraphAt(view, main.head) : main
    setComposing(view.state.sliceDoc(from, to).trim() === '' ? 'whole' : { from, to })
    setWanted(true)
  }

  const view = editor.current?.view
  const panel = piece !== null && view && (isShown || count > 0) && (
    <Suspense fallback={null}>
      <CommentsPanel
        {...{ piece, view, threads, isReadOnly, isBeside, isShown, composing, active }}
        onActive={(id) => {
          setActive(id)
          if (id !== undefined) setWanted(true)
        }}
        onCompose={setComposing}
        onClose={() => {
          setComposing(undefined)
          setWanted(false)
        }}
      />
    </Suspense>
  )
  return {
    count,
    hasAny: threads.length > 0,
    isShown,
    toggle: () => {
      setComposing(undefined)
      setWanted(!isShown)
    },
    begin: (view) => void begin(view),
    panel,
  }
}
