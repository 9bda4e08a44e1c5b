import { type KeyboardEvent, type RefObject, useId, useLayoutEffect } from 'react'
import styles from './editor.module.css'
import { excess } from './saving/limits.ts'

interface LineProps {
  readonly name: string
  /** What it says while it is empty. */
  readonly hint?: string
  readonly value: string
  readonly limit: number
  readonly isReadOnly: boolean
  readonly className: string | undefined
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly locale: string
  readonly onText: (text: string) => void
  /** Enter, or the arrow down from its end. */
  readonly onNext: () => void
}

/** From this share of the limit on, the room that is left is shown. */
const close = 0.85

/** One line that grows with what it says; it has no line breaks, so Enter goes on to what follows. */
export function Line({
  name,
  hint = name,
  value,
  limit,
  isReadOnly,
  className,
  field,
  locale,
  onText,
  onNext,
}: LineProps) {
  const id = useId()
  const over = excess(value, limit)
  const isClose = over > -limit * (1 - close)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows its text.
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
        onKeyDown={goOn}
        onChange={(event) => onText(event.target.value.replace(/\s*[\r\n]+\s*/g, ' '))}
      />
      {isClose && (
        <span id={id} className={styles.left} data-over={over > 0 || undefined}>
          {over > 0 ? `${over} too long` : `${-over} left`}
        </span>
      )}
    </div>
  )
}
