import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import type { TagSuggestions } from '../../../server/features/pieces/desk-schema.ts'
import { callApi } from '../api/client.ts'
import { withQuery } from '../api/pages.ts'
import { t } from '../messages.ts'
import { useDebounced } from './choices.tsx'
import { Field, type FieldProps } from './field.tsx'
import styles from './tag-field.module.css'

interface TagFieldProps extends FieldProps {
  readonly value: string
  /** Not, for example, a tag that was added already. */
  readonly isOffered?: (tag: string) => boolean
  /** What was chosen from the list. */
  readonly onTag: (tag: string) => void
  readonly onOtherKey?: (event: KeyboardEvent) => void
}

/** A tag, completed from the writer's own and those of public pieces. Arrow keys choose, Enter takes, Escape closes. */
export function TagField({ value, isOffered = () => true, onTag, onOtherKey, onText, ...rest }: TagFieldProps) {
  const list = useId()
  const [isOpen, setOpen] = useState(false)
  /** -1: what was typed. */
  const [active, setActive] = useState(-1)
  const tags = useTagSuggestions(isOpen ? value.trim() : '').filter(isOffered)
  const isShown = isOpen && tags.length > 0
  const chosen = isShown ? tags[active] : undefined
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const take = (tag: string) => {
    close()
    onTag(tag)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition Enter selects a candidate.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && chosen === undefined) close()
    if (event.key === 'Enter' && chosen !== undefined) take(chosen)
    else if (event.key === 'Escape' && isShown) close()
    else if (step && isShown) setActive(((active + 1 + step + tags.length + 1) % (tags.length + 1)) - 1)
    else return onOtherKey?.(event)
    event.preventDefault()
  }
  return (
    <div className={styles.tag}>
      <Field
        {...rest}
        value={value}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? list : undefined}
        aria-activedescendant={chosen === undefined ? undefined : `${list}-${active}`}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          close()
          rest.onBlur?.(event)
        }}
        onText={(text) => {
          setOpen(true)
          setActive(-1)
          onText(text)
        }}
      />
      {isShown && (
        <div id={list} role="listbox" aria-label={t('desk.common.tag_suggestions')}>
          {tags.map((tag, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
            <div
              key={tag}
              id={`${list}-${at}`}
              role="option"
              aria-selected={at === active}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(tag)}
            >
              <bdi>{tag}</bdi>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

const none: readonly string[] = []

/** Without an answer, such as offline, there are none: any tag can be typed. */
function useTagSuggestions(text: string): readonly string[] {
  const q = useDebounced(text)
  const { data } = useQuery({
    queryKey: ['tags', q],
    queryFn: async ({ signal }) =>
      (await callApi<TagSuggestions>('GET', withQuery('/tags', { q }), undefined, { signal })).tags,
    enabled: q !== '',
    retry: false,
  })
  return q === text && data ? data : none
}
