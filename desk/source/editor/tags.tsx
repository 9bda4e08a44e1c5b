import { type KeyboardEvent, useState } from 'react'
import { Field } from '../components/field.tsx'
import styles from './details.module.css'
import { longest } from './saving/limits.ts'
import { withTags } from './tag-list.ts'

interface TagsProps {
  readonly tags: readonly string[]
  readonly problem: string | undefined
  readonly onTags: (tags: readonly string[]) => void
}

/** Up to eight words a piece is found by. Enter or a comma adds one; Backspace in the empty field takes the last away. */
export function Tags({ tags, problem, onTags }: TagsProps) {
  const [text, setText] = useState('')
  const [words, setWords] = useState<string>()
  const isFull = tags.length >= longest.tags
  const add = (given: string) => {
    const { tags: next, left, words } = withTags(tags, given)
    setText(left)
    setWords(words)
    if (next.length > tags.length) onTags(next)
  }
  const onKey = (event: KeyboardEvent) => {
    // Enter may only choose a word of an input method.
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
