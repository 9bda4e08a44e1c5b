import { useEffect, useId, useRef } from 'react'
import type { Problem } from '../api/api-error.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Address } from './address.tsx'
import styles from './details.module.css'
import type { Manuscript } from './saving/manuscript.ts'
import { Tags } from './tags.tsx'

interface DetailsProps {
  readonly isOpen: boolean
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

/** Everything about a piece but its words, in a drawer at the side. */
export function Details({ isOpen, isReadOnly, manuscript, problems, onChange, onClose }: DetailsProps) {
  const drawer = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => {
    if (isOpen && !drawer.current?.open) drawer.current?.showModal()
    if (!isOpen && drawer.current?.open) drawer.current.close()
  }, [isOpen])
  const problemOf = (member: string) => problems.find(({ pointer }) => pointer.startsWith(`/${member}`))?.detail
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
      {isOpen && (
        <div className={styles.sheet}>
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
            <Field
              label="Kind"
              hint="Such as essay, note, review or interview."
              limit={200}
              value={manuscript.style}
              problem={problemOf('style')}
              onText={(style) => onChange({ style })}
            />
            <Field
              label="Language"
              hint="As in en, de or pt-BR. It sets hyphens, quotation marks and reading aloud."
              limit={200}
              value={manuscript.locale}
              problem={problemOf('locale')}
              onText={(locale) => onChange({ locale })}
            />
            <Address
              value={manuscript.external_url}
              problem={problemOf('external_url')}
              onAddress={(external_url) => onChange({ external_url })}
            />
          </fieldset>
        </div>
      )}
    </dialog>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
  readonly onValue: (value: string) => void
}

function Select({ label, value, options, onValue }: SelectProps) {
  const id = useId()
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.target.value)}>
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
