import { type KeyboardEvent, type RefObject, useId, useLayoutEffect } from 'react'
import { t } from '../messages.ts'
import styles from './editor.module.css'
import { excess } from './saving/manuscript.ts'

interface TitleFieldProps {
  readonly name: string
  /** The placeholder. */
  readonly hint?: string
  readonly value: string
  readonly limit: number
  readonly isReadOnly: boolean
  readonly className: string | undefined
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly locale: string
  readonly onText: (text: string) => void
  readonly onFocus: () => void
  /** Enter, or arrow down at the end. */
  readonly onNext: () => void
}

/** The characters left are shown from this share of the limit on. */
const warnFrom = 0.85

/** A one-line field that grows with its text. It has no line breaks, so Enter moves on. */
export function TitleField({
  name,
  hint = name,
  value,
  limit,
  isReadOnly,
  className,
  field,
  locale,
  onText,
  onFocus,
  onNext,
}: TitleFieldProps) {
  const id = useId()
  const over = excess(value, limit)
  const isClose = over > -limit * (1 - warnFrom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text.
  useLayoutEffect(() => {
    const area = field.current
    if (!area || CSS.supports('field-sizing', 'content')) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }, [value, field])
  const goOn = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart, value: text } = event.currentTarget
    const isNext = event.key === 'Enter' || (event.key === 'ArrowDown' && selectionStart === text.length)
    if (!isNext || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onNext()
  }
  return (
    <div className={styles.line}>
      <textarea
        ref={field}
        className={className}
        aria-label={name}
        aria-describedby={isClose ? id : undefined}
        aria-invalid={over > 0 || undefined}
        placeholder={hint}
        rows={1}
        lang={locale}
        dir="auto"
        readOnly={isReadOnly}
        value={value}
        onFocus={onFocus}
        onKeyDown={goOn}
        onChange={(event) => onText(event.target.value.replace(/\s*[\r\n]+\s*/g, ' '))}
      />
      {isClose && (
        <span id={id} className={styles.left} data-over={over > 0 || undefined}>
          {over > 0 ? t('desk.editor.length.over', { count: over }) : t('desk.editor.length.left', { count: -over })}
        </span>
      )}
    </div>
  )
}
