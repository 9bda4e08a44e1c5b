import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { DeskPieceFound, OriginalFound } from '../../../server/features/pieces/desk-schema.ts'
import { callApi, errorMessage } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { useDebounced } from '../components/choices.tsx'
import { askAuthor, Consent, type Original } from '../components/consent.tsx'
import { Field } from '../components/field.tsx'
import { ErrorNotice } from '../components/form.tsx'
import { languageName } from '../components/language.ts'
import { Loading } from '../components/load-states.tsx'
import { showToast } from '../components/notice.tsx'
import { rich, t } from '../messages.ts'
import styles from './editor.module.css'
import type { Saver } from './saving/saver.ts'
import type { Session } from './session.ts'

interface OriginalFieldProps {
  readonly session: Session
  /** The id of the original; empty if the piece is no translation. */
  readonly value: string
  readonly onOriginal: (id: string) => void
}

/** The piece that this one is a translation of, and whether its author agrees. */
export const OriginalField = ({ session, value, onOriginal }: OriginalFieldProps) =>
  value === '' ? (
    <FindOriginal piece={session.saver.id()} onOriginal={onOriginal} />
  ) : (
    <ChosenOriginal session={session} id={value} onRemove={() => onOriginal('')} />
  )

/** By the URL of its page, or by its id. */
const findOriginal = async (url: string): Promise<Original> =>
  (await callApi<OriginalFound>('GET', `/translations/original?url=${encodeURIComponent(url)}`)).original

interface FindOriginalProps {
  readonly piece: string | null
  readonly onOriginal: (id: string) => void
}

function FindOriginal({ piece, onOriginal }: FindOriginalProps) {
  const [text, setText] = useState('')
  const address = useDebounced(text.trim())
  const { data, error } = useQuery({
    queryKey: ['original', address],
    queryFn: () => findOriginal(address),
    enabled: address !== '',
  })
  const isItself = data !== undefined && data.id === piece
  const unfinished = useRef('')
  unfinished.current = text.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each piece that is found.
  useEffect(() => {
    if (!data || isItself) return
    unfinished.current = ''
    onOriginal(data.id)
  }, [data, isItself])
  useEffect(
    () => () => {
      if (unfinished.current) showToast(t('desk.editor.translation.dropped', { address: unfinished.current }))
    },
    [],
  )
  const problem = isItself ? t('desk.editor.translation.itself') : error ? errorMessage(error) : undefined
  return (
    <Field
      label={t('desk.common.translation.of')}
      hint={t('desk.editor.translation.hint')}
      type="url"
      inputMode="url"
      placeholder="https://"
      value={text}
      problem={address === text.trim() ? problem : undefined}
      onText={setText}
    />
  )
}

interface ChosenOriginalProps {
  readonly session: Session
  readonly id: string
  readonly onRemove: () => void
}

function ChosenOriginal({ session, id, onRemove }: ChosenOriginalProps) {
  const label = useId()
  const { saver } = session
  const key = ['original', saver.id(), id] as const
  const known = session.piece()?.translation_of
  const { data: original, error } = useQuery({
    queryKey: key,
    queryFn: () => readOriginal(saver.id(), id),
    placeholderData: known?.id === id ? known : undefined,
    // The author may have answered meanwhile.
    staleTime: 0,
  })
  const ask = async (): Promise<string | undefined> => {
    const problem = await saveFirst(saver)
    if (problem) return problem
    const asked = await askAuthor(saver.id()!)
    if (asked) queries.setQueryData(['original', saver.id(), id], asked)
    return undefined
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more to disable.
    <div className={styles.original} role="group" aria-labelledby={label}>
      <p id={label}>{t('desk.common.translation.of')}</p>
      <ErrorNotice error={error} />
      {!original && !error && <Loading />}
      {original && (
        <>
          <OriginalName of={original} />
          <Consent original={original} onAsk={ask} />
        </>
      )}
      <Button kind="quiet" aria-label={t('desk.editor.translation.remove')} onClick={onRemove}>
        {t('desk.common.remove')}
      </Button>
    </div>
  )
}

/** Title, author and language; nothing once it is no longer public. */
const OriginalName = ({ of: { title, url, author, language } }: { readonly of: Original }) =>
  title !== null &&
  url !== null && (
    <p className={styles.originalName}>
      {rich('desk.common.translation.by', {
        title: <bdi>{title}</bdi>,
        author: <bdi>{author}</bdi>,
        link: (words) => (
          <a href={url} target="_blank" rel="noreferrer">
            {words}
          </a>
        ),
      })}
      {language && ` · ${languageName(language)}`}
    </p>
  )

/** As the saved piece names it, with consent; otherwise as it is in public. */
async function readOriginal(piece: string | null, id: string): Promise<Original> {
  const saved = piece && (await callApi<DeskPieceFound>('GET', `/pieces/${piece}`)).piece.translation_of
  return saved && saved.id === id ? saved : findOriginal(id)
}

/** Authors read what is saved. Returns why it is not. */
async function saveFirst(saver: Saver): Promise<string | undefined> {
  const status = await saver.flush()
  if (status.kind === 'textless') return t('desk.editor.translation.without_text')
  return status.kind === 'saved' && saver.id() ? undefined : t('desk.editor.translation.not_saved')
}
