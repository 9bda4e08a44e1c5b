import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { modifier } from '../components/modifier.ts'
import { showToast } from '../components/notice.tsx'
import { usePageHeading } from '../components/page.tsx'
import { replaceUrl } from '../components/router.ts'
import { type Shortcut, useShortcuts } from '../components/shortcuts.tsx'
import { t } from '../messages.ts'
import { Bar, useOnline } from './bar.tsx'
import { acts, shownKey } from './codemirror/acts.ts'
import { createMarkdownEditor, type MarkdownEditor } from './codemirror/codemirror.ts'
import { useCommenting } from './commenting.tsx'
import { Conflict } from './conflict.tsx'
import { Details } from './details.tsx'
import { EditorNotices, KeyNotice } from './notices.tsx'
import { createUploader, PendingPicturesDialog, usePendingPictures } from './picture-upload.tsx'
import { type EditorField, keepPlace, placeIn } from './place.ts'
import { RemotePictures } from './remote-pictures.tsx'
import { type Manuscript, maxLength } from './saving/manuscript.ts'
import { type Session, useSession } from './session.ts'
import { SignsToggle, showsSigns } from './signs.tsx'
import { TitleField } from './title-fields.tsx'
import { useFocusMode } from './use-focus-mode.ts'
import { WordCount } from './word-count.tsx'
import './codemirror/codemirror.css'
import './codemirror/bars.css'
import './codemirror/pictures.css'
import './codemirror/tables.css'
import styles from './editor.module.css'

const Outline = lazy(() => import('./outline.tsx').then((loaded) => ({ default: loaded.Outline })))

interface EditorProps {
  readonly session: Session
  /** The text comes from a piece that was deleted elsewhere. */
  readonly wasDeleted: boolean
  readonly onTakeOver: () => void
  readonly notice: ReactNode
}

const shortcutList = (): readonly Shortcut[] => [
  { keys: `${modifier}S`, does: t('desk.editor.shortcut.save') },
  { keys: `${modifier}Enter`, does: t('desk.editor.shortcut.publish') },
  ...acts.flatMap(({ name, key }) => (key ? [{ keys: shownKey(key), does: t(`desk.editor.act.${name}`) }] : [])),
  { keys: 'Alt+F10', does: t('desk.editor.shortcut.toolbar') },
  { keys: `${modifier}F, ${modifier}H`, does: t('desk.editor.shortcut.find') },
  { keys: `${modifier}Shift+O`, does: t('desk.editor.outline.title') },
  { keys: `${modifier}Shift+F`, does: t('desk.editor.focus.enter') },
  { keys: 'Shift+Enter', does: t('desk.editor.shortcut.line_break') },
  { keys: '/', does: t('desk.editor.shortcut.slash') },
  { keys: 'Tab, Shift+Tab', does: t('desk.editor.shortcut.cell') },
  { keys: 'Alt+↑, Alt+↓', does: t('desk.editor.shortcut.move_picture') },
  { keys: `${modifier}Shift+V`, does: t('desk.editor.shortcut.paste_plain') },
  { keys: t('desk.editor.shortcut.leave_keys'), does: t('desk.editor.shortcut.leave') },
]

/** How often a visible, idle editor asks whether another device has saved (milliseconds). */
const checkEvery = 30_000

const editableStatuses = ['draft', 'approved', 'changes_requested']

/** The editor: headline, standfirst and text. */
export function Editor({ session, wasDeleted, onTakeOver, notice }: EditorProps) {
  useSession(session)
  const { saver } = session
  const manuscript = saver.manuscript()
  const piece = session.piece()
  const [isChoosing, setChoosing] = useState(false)
  const isReadOnly = isChoosing || !session.isWriting || !editableStatuses.includes(piece?.status ?? 'draft')
  const title = manuscript.headline.trim() || t('desk.editor.new_piece')
  const heading = usePageHeading(title)
  const [openFirst] = useState(() => new URLSearchParams(location.search).get('open'))
  const [isDetailed, setDetailed] = useState(openFirst === 'details')
  const [isOutlined, setOutlined] = useState(false)
  const [isAskingGoal, setAskingGoal] = useState(false)
  const headline = useRef<HTMLTextAreaElement>(null)
  const standfirst = useRef<HTMLTextAreaElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const focused = useRef<EditorField>(undefined)
  const markdownEditor = useRef<MarkdownEditor>(null)
  const { isFocused, toggleFocus } = useFocusMode(markdownEditor)
  const commenting = useCommenting(session, markdownEditor, isReadOnly)
  const beginComment = useRef(commenting.begin)
  beginComment.current = commenting.begin
  const [, setCount] = useState(0)
  const [waiting, setWaiting] = useState(0)
  const { pendingLeave, stay, goToPublish } = usePendingPictures(waiting)
  /** For changes rendered by React: title fields and details. */
  const change = (changes: Partial<Manuscript>) => {
    saver.change(changes)
    setCount((count) => count + 1)
  }

  const publish = async () => {
    if (session.isWriting) {
      const came = await saver.flush()
      if (came.kind === 'textless' || !saver.id()) {
        return showToast(t('desk.editor.publish_without_text'))
      }
      if (came.kind !== 'saved') return showToast(t('desk.editor.publish_not_saved'))
    }
    goToPublish(`/desk/edit/pieces/${saver.id()}/publish`)
  }

  // The CodeMirror editor is created once per session.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read-only state and language are updated below.
  useEffect(() => {
    const before = placeIn(saver.id())
    const made = createMarkdownEditor({
      parent: sheet.current!,
      text: saver.manuscript().body_md,
      place: before?.text,
      isReadOnly,
      locale: manuscript.locale,
      isHidingSigns: !showsSigns.get(),
      onText: (body_md) => saver.change({ body_md }),
      onFocus: () => {
        focused.current = 'text'
      },
      onWaiting: setWaiting,
      onRefused: (file, problem) => showToast(t('desk.editor.image.not_added', { file: file.name, problem })),
      upload: createUploader(session),
      loadFind: () => import('./codemirror/find.ts'),
      loadPanels: () => import('./codemirror/panels.ts'),
      onComment: (view) => beginComment.current(view),
    })
    markdownEditor.current = made
    if (before?.field === 'text') made.focus()
    else if (before?.field) (before.field === 'sub' ? standfirst : headline).current?.focus()
    const stop = saver.listen((event) => {
      if (event !== 'replaced' && event !== 'merged') return
      if (made.text() !== saver.manuscript().body_md) made.replace(saver.manuscript().body_md)
      if (event === 'merged') showToast(t('desk.editor.merged'))
    })
    return () => {
      stop()
      const id = saver.id()
      if (id) keepPlace({ id, text: made.place(), field: focused.current })
      made.destroy()
      setWaiting(0)
    }
  }, [session])
  useEffect(() => markdownEditor.current?.setReadOnly(isReadOnly), [isReadOnly])
  const areSignsShown = showsSigns.use()
  useEffect(() => markdownEditor.current?.setHidesSigns(!areSignsShown), [areSignsShown])
  useEffect(() => markdownEditor.current?.setLanguage(manuscript.locale), [manuscript.locale])
  useEffect(() => {
    if (saver.id() === null || openFirst === 'headline') headline.current?.focus()
    if (openFirst) replaceUrl(location.pathname)
  }, [saver, openFirst])

  const online = useOnline()
  useEffect(() => {
    if (online) saver.tryAgain()
  }, [online, saver])
  const shortcuts = useMemo(shortcutList, [])
  useShortcuts(shortcuts, (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (event.shiftKey && key === 'o') setOutlined((before) => !before && !isFocused)
    else if (event.shiftKey && key === 'f') {
      setOutlined(false)
      toggleFocus()
    } else if (key === 's') void saver.flush()
    else if (event.key === 'Enter') void publish()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const check = () => {
      if (document.visibilityState === 'visible') void saver.check()
    }
    // A user who switches tabs may not come back: save now.
    const onVisibility = () => (document.visibilityState === 'hidden' ? void saver.flush() : check())
    const timer = setInterval(check, checkEvery)
    document.addEventListener('visibilitychange', onVisibility)
    addEventListener('focus', check)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('focus', check)
    }
  }, [saver])

  useEffect(() => onFilesBeside((files, point) => markdownEditor.current?.dropFiles(files, point)), [])

  const titleProps = (member: 'headline' | 'sub') => ({
    value: manuscript[member],
    limit: maxLength[member],
    isReadOnly,
    locale: manuscript.locale,
    onText: (text: string) => change({ [member]: text }),
    onFocus: () => {
      focused.current = member
    },
  })
  const saveStatus = saver.status()
  return (
    <>
      <Bar
        session={session}
        isFocused={isFocused}
        comments={commenting}
        onFind={() => markdownEditor.current?.find()}
        onOutline={() => setOutlined(true)}
        onFocus={() => {
          setOutlined(false)
          toggleFocus()
        }}
        onGoal={() => setAskingGoal(true)}
        onDetails={() => setDetailed(true)}
        onPublish={() => void publish()}
      />
      <article className={styles.sheet} data-focused={isFocused || undefined}>
        <h1 ref={heading} tabIndex={-1} className="hidden">
          {title}
        </h1>
        {notice}
        <EditorNotices session={session} wasDeleted={wasDeleted} onTakeOver={onTakeOver} />
        {!isReadOnly && <RemotePictures session={session} editor={markdownEditor} />}
        {saveStatus.kind === 'contested' && (
          <Conflict saver={saver} theirs={saveStatus.theirs} isBusy={isChoosing} onBusy={setChoosing} />
        )}
        <TitleField
          name={t('desk.common.piece.headline')}
          className={styles.headline}
          field={headline}
          {...titleProps('headline')}
          onNext={() => standfirst.current?.focus()}
        />
        <TitleField
          name={t('desk.common.piece.standfirst')}
          hint={t('desk.editor.standfirst_hint')}
          className={styles.standfirst}
          field={standfirst}
          {...titleProps('sub')}
          onNext={() => markdownEditor.current?.focus()}
        />
        <div ref={sheet} className={styles.text} />
        <WordCount saver={saver} piece={session.key} isAsking={isAskingGoal} onAsking={setAskingGoal} />
        {!isReadOnly && <SignsToggle />}
        <KeyNotice session={session} />
        {!isFocused && commenting.panel}
      </article>
      {isOutlined && (
        <Suspense>
          <Outline editor={markdownEditor} locale={manuscript.locale} onClose={() => setOutlined(false)} />
        </Suspense>
      )}
      {isDetailed && (
        <Details
          session={session}
          isReadOnly={isReadOnly}
          manuscript={manuscript}
          problems={saveStatus.kind === 'refused' ? saveStatus.problems : []}
          onChange={change}
          onClose={() => setDetailed(false)}
        />
      )}
      {pendingLeave && (
        <PendingPicturesDialog
          pendingLeave={pendingLeave}
          onBack={() => {
            stay()
            // The dialog restores the focus first.
            requestAnimationFrame(() => markdownEditor.current?.focusPicture())
          }}
        />
      )}
    </>
  )
}

/** Files dropped beside the text: without this, the browser opens them and leaves the page. */
function onFilesBeside(take: (files: FileList, point: { readonly x: number; readonly y: number }) => void): () => void {
  const onDragOver = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  }
  const onDrop = (event: DragEvent) => {
    const files = event.dataTransfer?.files
    if (!files?.length || event.defaultPrevented) return
    event.preventDefault()
    // A dialog covers the text.
    if (!document.querySelector('dialog[open]')) take(files, { x: event.clientX, y: event.clientY })
  }
  addEventListener('dragover', onDragOver)
  addEventListener('drop', onDrop)
  return () => {
    removeEventListener('dragover', onDragOver)
    removeEventListener('drop', onDrop)
  }
}
