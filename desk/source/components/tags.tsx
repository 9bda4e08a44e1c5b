import { type KeyboardEvent, useState } from 'react'
import { t } from '../messages.ts'
import { withTags } from './add-tags.ts'
import { longestTag, mostTags } from './piece.ts'
import { TagField } from './tag-field.tsx'
import styles from './tags.module.css'

interface TagsProps {
  readonly tags: readonly string[]
  readonly problem: string | undefined
  readonly onTags: (tags: readonly string[]) => void
}

/** Up to eight tags. Enter or a comma adds one; Backspace in the empty field removes the last. */
export function Tags({ tags, problem, onTags }: TagsProps) {
  const [text, setText] = useState('')
  const [rejected, setRejected] = useState<ReturnType<typeof withTags>['problem']>()
  const isFull = tags.length >= mostTags
  const add = (given: string) => {
    const { tags: next, left, problem } = withTags(tags, given)
    setText(left)
    setRejected(problem)
    if (next.length > tags.length) onTags(next)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && tags.length > 0) onTags(tags.slice(0, -1))
  }
  return (
    <div className={styles.tags}>
      <TagField
        label={t('desk.common.piece.tags')}
        hint={t(isFull ? 'desk.common.tags_full' : 'desk.common.tags_hint', { limit: mostTags })}
        value={text}
        problem={rejected ? tagProblem(rejected) : problem}
        disabled={isFull}
        isOffered={(tag) => withTags(tags, tag).tags.length > tags.length}
        onTag={add}
        onOtherKey={onKey}
        onBlur={() => add(text)}
        onText={(next) => (next.includes(',') ? add(next) : setText(next))}
      />
      {tags.length > 0 && (
        <ul aria-label={t('desk.common.tags_added')}>
          {tags.map((tag) => (
            <li key={tag}>
              <bdi>{tag}</bdi>
              <button
                type="button"
                aria-label={t('desk.common.tags_remove', { tag })}
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

const tagProblem = (problem: 'too_long' | 'too_many'): string =>
  problem === 'too_long'
    ? t('desk.common.tag_too_long', { limit: longestTag })
    : t('desk.common.tags_too_many', { limit: mostTags })
