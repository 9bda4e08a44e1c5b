import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Problem } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { Select } from '../components/choices.tsx'
import { useModal } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { showToast } from '../components/notice.tsx'
import styles from './editor.module.css'
import { type Manuscript, maxLength, withTags } from './saving/manuscript.ts'

interface DetailsProps {
  readonly isReadOnly: boolean
  readonly manuscript: Manuscript
  readonly problems: readonly Problem[]
  readonly onChange: (changes: Partial<Manuscript>) => void
  readonly onClose: () => void
}

const categories = ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society']
const frames = {
  lesson: 'A lesson: what I learned',
  origin: 'An origin: how it began',
  contrarian: 'Against the grain: why I see it otherwise',
  before_after: 'Before and after: what changed',
}
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The metadata of a piece, in a drawer. */
export function Details({ isReadOnly, manuscript, problems, onChange, onClose }: DetailsProps) {
  const drawer = useModal()
  const title = useId()
  const problemOf = (member: string) => problems.find(({ pointer }) => pointer.startsWith(`/${member}`))?.detail
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
          <h2 id={title}>Details</h2>
          <Button kind="quiet" onClick={onClose}>
            Done
          </Button>
        </header>
        <fieldset disabled={isReadOnly}>
          <Select
            label="Category"
            value={manuscript.category}
            options={categories.map((one) => [one, capital(one)] as const)}
            onValue={(category) => onChange({ category })}
          />
          <Tags tags={manuscript.tags} problem={problemOf('tags')} onTags={(tags) => onChange({ tags })} />
          <Select
            label="How it is told"
            value={manuscript.frame}
            options={Object.entries(frames)}
            onValue={(frame) => onChange({ frame })}
          />
          <Field label="Kind" hint="Such as essay, note, review or interview." limit={200} {...field('style')} />
          <Field
            label="Language"
            hint="As in en, de or pt-BR. It sets hyphens, quotation marks and reading aloud."
            limit={200}
            {...field('locale')}
          />
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
  const words = isTouched && !isGood ? 'This is not a whole address yet. It begins with https://.' : problem
  const unfinished = useRef('')
  unfinished.current = isGood ? '' : text.trim()
  useEffect(
    () => () => {
      if (unfinished.current) showToast(`“${unfinished.current}” is not a whole address, so it was not taken.`)
    },
    [],
  )
  return (
    <Field
      label="First published at"
      hint="If it appeared elsewhere before: readers and search engines are pointed there."
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

interface TagsProps {
  readonly tags: readonly string[]
  readonly problem: string | undefined
  readonly onTags: (tags: readonly string[]) => void
}

/** Up to eight tags. Enter or a comma adds one; Backspace in the empty field removes the last. */
function Tags({ tags, problem, onTags }: TagsProps) {
  const [text, setText] = useState('')
  const [words, setWords] = useState<string>()
  const isFull = tags.length >= maxLength.tags
  const add = (given: string) => {
    const { tags: next, left, words } = withTags(tags, given)
    setText(left)
    setWords(words)
    if (next.length > tags.length) onTags(next)
  }
  const onKey = (event: KeyboardEvent) => {
    // During IME composition Enter selects a candidate.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && tags.length > 0) onTags(tags.slice(0, -1))
  }
  return (
    <div className={styles.tags}>
      <Field
        label="Tags"
        hint={isFull ? 'That is eight, which is all there is room for.' : 'Up to eight. Enter adds one.'}
        value={text}
        problem={words ?? problem}
        disabled={isFull}
        onKeyDown={onKey}
        onBlur={() => add(text)}
        onText={(next) => (next.includes(',') ? add(next) : setText(next))}
      />
      {tags.length > 0 && (
        <ul aria-label="Tags of this piece">
          {tags.map((tag) => (
            <li key={tag}>
              {tag}
              <button
                type="button"
                aria-label={`Remove ${tag}`}
                onClick={() => onTags(tags.filter((one) => one !== tag))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
