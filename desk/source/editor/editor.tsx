import { type ReactNode, useEffect, useRef, useState } from 'react'
import { tell } from '../components/notice.tsx'
import { usePageHeading } from '../components/page.tsx'
import { modifier, type Shortcut, useNamedShortcuts } from '../components/shortcuts.ts'
import { Bar } from './bar.tsx'
import { openSurface, type Surface } from './codemirror/codemirror.ts'
import { Choosing } from './conflict.tsx'
import { Count } from './count.tsx'
import { Details } from './details.tsx'
import { KeyNotice } from './key-notice.tsx'
import { PicturesQuestion, usePicturesWaiting } from './pictures-waiting.tsx'
import { longest } from './saving/limits.ts'
import type { Manuscript } from './saving/manuscript.ts'
import type { Session } from './session.ts'
import { useOnline, useSession } from './status.tsx'
import { Line } from './title-fields.tsx'
import { sendingFor } from './upload.ts'
import './codemirror/panels.css'
import './codemirror/pictures.css'
import './codemirror/codemirror.css'
import styles from './editor.module.css'
import { Notices } from './notices.tsx'

interface WritingProps {
  readonly session: Session
  /** Its text is that of a piece which was deleted elsewhere. */
  readonly wasDeleted: boolean
  readonly onInsist: () => void
  readonly notice: ReactNode
}

const shortcuts: readonly Shortcut[] = [
  { keys: `${modifier}S`, does: 'Save now' },
  { keys: `${modifier}Enter`, does: 'Preview and publish' },
  { keys: `${modifier}B`, does: 'Bold' },
  { keys: `${modifier}I`, does: 'Italic' },
  { keys: `${modifier}K`, does: 'Link' },
  { keys: `${modifier}F`, does: 'Find in the text' },
  { keys: 'Shift+Enter', does: 'A new line in the same paragraph' },
  { keys: '/', does: 'At the start of a line: headings, lists, pictures' },
  { keys: `${modifier}Shift+V`, does: 'Paste as plain text' },
  { keys: 'Escape, then Tab', does: 'Leave the text' },
]

const editable = ['draft', 'approved', 'changes_requested']

/** The sheet of paper: headline, standfirst, text. */
export function Writing({ session, wasDeleted, onInsist, notice }: WritingProps) {
  useSession(session)
  useNamedShortcuts(shortcuts)
  const { saver } = session
  const manuscript = saver.manuscript()
  const piece = session.piece()
  const [isChoosing, setChoosing] = useState(false)
  const isReadOnly = isChoosing || !session.isWriting || !editable.includes(piece?.status ?? 'draft')
  const heading = usePageHeading(manuscript.headline.trim() || 'New piece')
  const [isDetailed, setDetailed] = useState(false)
  const headline = useRef<HTMLTextAreaElement>(null)
  const standfirst = useRef<HTMLTextAreaElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const surface = useRef<Surface>(null)
  const [, setCount] = useState(0)
  const [waiting, setWaiting] = useState(0)
  const { way, stay, publishAt } = usePicturesWaiting(waiting)
  /** For what React draws: the lines and the details. */
  const change = (changes: Partial<Manuscript>) => {
    saver.change(changes)
    setCount((count) => count + 1)
  }

  const publish = async () => {
    if (session.isWriting) {
      const came = await saver.flush()
      if (came.kind === 'textless' || !saver.id()) {
        return tell('There is nothing to publish yet. Write a few words of text first.')
      }
      if (came.kind !== 'saved')
        return tell('This is not on the server yet, so readers cannot be shown it. See the line above.')
    }
    publishAt(`/desk/edit/pieces/${saver.id()}/publish`)
  }

  // The writing surface is made once for each session; what React draws stands around it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whether it may be changed, and its language, are told below.
  useEffect(() => {
    const made = openSurface({
      parent: sheet.current!,
      text: saver.manuscript().body_md,
      isReadOnly,
      locale: manuscript.locale,
      onText: (body_md) => saver.change({ body_md }),
      onWaiting: setWaiting,
      send: sendingFor(session),
    })
    surface.current = made
    const stop = saver.listen((event) => {
      if (event === 'taken' && made.text() !== saver.manuscript().body_md) made.replace(saver.manuscript().body_md)
    })
    return () => {
      stop()
      made.destroy()
      setWaiting(0)
    }
  }, [session])
  useEffect(() => surface.current?.setReadOnly(isReadOnly), [isReadOnly])
  useEffect(() => surface.current?.setLanguage(manuscript.locale), [manuscript.locale])
  useEffect(() => {
    if (saver.id() === null) headline.current?.focus()
  }, [saver])

  const online = useOnline()
  useEffect(() => {
    if (online) saver.tryAgain()
  }, [online, saver])
  const latest = useRef(publish)
  latest.current = publish
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      if (event.key.toLowerCase() === 's') void saver.flush()
      else if (event.key === 'Enter') void latest.current()
      else return
      event.preventDefault()
    }
    // Whoever goes to another tab may not come back: what is written goes out now.
    const onHide = () => {
      if (document.visibilityState === 'hidden') void saver.flush()
    }
    addEventListener('keydown', onKey)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      removeEventListener('keydown', onKey)
      document.removeEventListener('visibilitychange', onHide)
    }
  }, [saver])

  const standing = saver.standing()
  return (
    <>
      <Bar session={session} onDetails={() => setDetailed(true)} onPublish={() => void publish()} />
      <article className={styles.sheet}>
        <h1 ref={heading} tabIndex={-1} className="hidden">
          {manuscript.headline.trim() || 'New piece'}
        </h1>
        {notice}
        <Notices session={session} wasDeleted={wasDeleted} onInsist={onInsist} />
        {standing.kind === 'contested' && (
          <Choosing saver={saver} theirs={standing.theirs} isBusy={isChoosing} onBusy={setChoosing} />
        )}
        <Line
          name="Headline"
          className={styles.headline}
          field={headline}
          value={manuscript.headline}
          limit={longest.headline}
          isReadOnly={isReadOnly}
          locale={manuscript.locale}
          onText={(text) => change({ headline: text })}
          onNext={() => standfirst.current?.focus()}
        />
        <Line
          name="Standfirst"
          hint="Standfirst: a sentence or two that makes a reader go on"
          className={styles.standfirst}
          field={standfirst}
          value={manuscript.sub}
          limit={longest.sub}
          isReadOnly={isReadOnly}
          locale={manuscript.locale}
          onText={(text) => change({ sub: text })}
          onNext={() => surface.current?.focus()}
        />
        <div ref={sheet} className={styles.text} />
        <Count saver={saver} />
        <KeyNotice session={session} />
      </article>
      <Details
        isOpen={isDetailed}
        isReadOnly={isReadOnly}
        manuscript={manuscript}
        problems={standing.kind === 'refused' ? standing.problems : []}
        onChange={change}
        onClose={() => setDetailed(false)}
      />
      <PicturesQuestion
        way={way}
        onBack={() => {
          stay()
          // The dialogue gives the focus back first.
          requestAnimationFrame(() => surface.current?.focusPicture())
        }}
      />
    </>
  )
}
