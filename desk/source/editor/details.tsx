import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { type Problem, problemIn } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { CategoryField } from '../components/category-field.tsx'
import { Select } from '../components/choices.tsx'
import { CoverField } from '../components/cover-field.tsx'
import { useModal } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { Loading } from '../components/load-states.tsx'
import { showToast } from '../components/notice.tsx'
import { Tags } from '../components/tags.tsx'
import { t } from '../messages.ts'
import styles from './editor.module.css'
import { OriginalField } from './original-field.tsx'
import { createUploader } from './picture-upload.tsx'
import type { Manuscript } from './saving/manuscript.ts'
import type { Session } from './session.ts'

const CoAuthorsField = lazy(async () => ({ default: (await import('./co-authors-field.tsx')).CoAuthorsField }))

interface DetailsProps {
  readonly session: Session
  readonly isReadOnly: boolean
  readonly manuscript: Manuscript
  readonly problems: readonly Problem[]
  readonly onChange: (changes: Partial<Manuscript>) => void
  readonly onClose: () => void
}

const frames = ['lesson', 'origin', 'contrarian', 'before_after'] as const

/** The metadata of a piece, in a drawer. */
export function Details({ session, isReadOnly, manuscript, problems, onChange, onClose }: DetailsProps) {
  const drawer = useModal()
  const title = useId()
  const problemOf = (member: string) => problemIn(problems, member)
  const field = (member: 'style' | 'locale') => ({
    value: manuscript[member],
    problem: problemOf(member),
    onText: (text: string) => onChange({ [member]: text }),
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, and the browser's own.
    <dialog
      ref={drawer}
      className={styles.drawer}
      aria-labelledby={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === drawer.current) onClose()
      }}
    >
      <div className={styles.details}>
        <header>
          <h2 id={title}>{t('desk.editor.details.title')}</h2>
          <Button kind="quiet" onClick={onClose}>
            {t('desk.common.done')}
          </Button>
        </header>
        <fieldset disabled={isReadOnly}>
          <CoverField
            upload={createUploader(session)}
            drawn={session.piece()?.drawn_cover}
            isReadOnly={isReadOnly}
            cover={manuscript.cover}
            text={manuscript.body_md}
            problem={problemOf('cover')}
            onCover={(cover) => onChange({ cover })}
          />
          <CategoryField value={manuscript.category} onCategory={(category) => onChange({ category })} />
          <Tags tags={manuscript.tags} problem={problemOf('tags')} onTags={(tags) => onChange({ tags })} />
          <Select<string>
            label={t('desk.editor.details.angle')}
            value={manuscript.frame}
            options={[
              ['', t('desk.editor.details.angle_none')],
              ...frames.map((one) => [one, t(`desk.editor.details.angle_${one}`)] as const),
            ]}
            onValue={(frame) => onChange({ frame })}
          />
          <Field
            label={t('desk.editor.details.format')}
            hint={t('desk.editor.details.format_hint')}
            limit={200}
            {...field('style')}
          />
          <Field
            label={t('desk.editor.details.language')}
            hint={t('desk.editor.details.language_hint')}
            limit={200}
            {...field('locale')}
          />
          <OriginalField
            session={session}
            value={manuscript.translation_of}
            onOriginal={(translation_of) => onChange({ translation_of })}
          />
          <Suspense fallback={<Loading />}>
            <CoAuthorsField saver={session.saver} />
          </Suspense>
          <ExternalUrlField
            value={manuscript.external_url}
            problem={problemOf('external_url')}
            onAddress={(external_url) => onChange({ external_url })}
          />
        </fieldset>
      </div>
    </dialog>
  )
}

interface ExternalUrlFieldProps {
  readonly value: string
  readonly problem: string | undefined
  readonly onAddress: (address: string) => void
}

const isWebUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && text.length <= 2048
}

/** Where the piece was first published. Applied only once it is a complete URL. */
function ExternalUrlField({ value, problem, onAddress }: ExternalUrlFieldProps) {
  const [text, setText] = useState(value)
  const [isTouched, setTouched] = useState(false)
  const isGood = text.trim() === '' || isWebUrl(text.trim())
  const words = isTouched && !isGood ? t('desk.editor.details.original_url_invalid') : problem
  const unfinished = useRef('')
  unfinished.current = isGood ? '' : text.trim()
  useEffect(
    () => () => {
      if (unfinished.current) showToast(t('desk.editor.details.original_url_dropped', { address: unfinished.current }))
    },
    [],
  )
  return (
    <Field
      label={t('desk.editor.details.original_url')}
      hint={t('desk.editor.details.original_url_hint')}
      type="url"
      inputMode="url"
      placeholder="https://"
      value={text}
      problem={words}
      onBlur={() => setTouched(true)}
      onText={(next) => {
        setText(next)
        if (next.trim() === '' || isWebUrl(next.trim())) onAddress(next.trim())
      }}
    />
  )
}
