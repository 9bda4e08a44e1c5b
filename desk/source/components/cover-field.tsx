import { type KeyboardEvent, type PointerEvent, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import { FieldGroup, GroupProblem } from './choices.tsx'
import { type Cover, longestInCover } from './cover.ts'
import styles from './cover-field.module.css'
import { Field } from './field.tsx'
import { findPictures } from './find-pictures.ts'
import { usePictureInput } from './picture-input.tsx'
import type { UploadPicture } from './upload-picture.ts'

interface CoverFieldProps {
  readonly upload: UploadPicture
  /** The address of the cover that is drawn without one. */
  readonly drawn: string | undefined
  readonly isReadOnly: boolean
  readonly cover: Cover | null
  /** Whose pictures can be chosen. */
  readonly text: string
  readonly problem: string | undefined
  readonly onCover: (cover: Cover | null) => void
}

/** A writer's pictures are private until the piece is public; the desk serves them under its own path. */
const deskMediaUrl = (address: string): string => `/desk${address}`

const newCover = (image: string, alt = ''): Cover => ({ image, alt, caption: '', credit: '', focus: { x: 50, y: 50 } })

/** The picture for lists, the page and links; without one, the cover that is drawn for the piece. */
export function CoverField({ upload, drawn, isReadOnly, cover, text, problem, onCover }: CoverFieldProps) {
  const [progress, setProgress] = useState<string>()
  const [removed, setRemoved] = useState<Cover>()
  const point = useRef<HTMLSpanElement>(null)
  const choose = (next: Cover | null) => {
    setRemoved(cover && !next ? cover : undefined)
    onCover(next)
  }
  const picture = usePictureInput(t('desk.common.cover.file'), async (file) => {
    try {
      choose(newCover(await upload(file, setProgress)))
    } finally {
      setProgress(undefined)
    }
  })
  return (
    <FieldGroup label={t('desk.common.cover.title')}>
      <div className={styles.drop} {...(!isReadOnly && picture.dropTarget)}>
        {cover ? (
          <Focus
            point={point}
            cover={cover}
            isReadOnly={isReadOnly}
            onFocus={(focus) => onCover({ ...cover, focus })}
          />
        ) : (
          <>
            {drawn && <img className={styles.crop} src={drawn} alt="" />}
            <p className={styles.hint}>{t('desk.common.cover.drawn')}</p>
          </>
        )}
        <div className={styles.acts}>
          <Button isBusy={picture.isBusy} onClick={picture.choose}>
            {t(cover ? 'desk.common.cover.replace' : 'desk.common.cover.choose')}
          </Button>
          {/* One button for both, which keeps the focus. */}
          {(cover || removed) && (
            <Button
              kind="quiet"
              aria-label={t(cover ? 'desk.common.cover.remove' : 'desk.common.cover.undo')}
              onClick={() => choose(cover ? null : (removed ?? null))}
            >
              {t(cover ? 'desk.common.remove' : 'desk.common.undo')}
            </Button>
          )}
        </div>
        {picture.input}
        {progress && (
          <p className={styles.hint} role="status">
            {progress}
          </p>
        )}
        <GroupProblem words={picture.problem ?? problem} />
      </div>
      <FromText
        text={text}
        current={cover?.image}
        onChoose={(image, alt) => {
          flushSync(() => choose(newCover(image, alt)))
          // The pressed button is gone, with the picture that is the cover now.
          point.current?.focus()
        }}
      />
      {cover && <CoverWords cover={cover} onCover={onCover} />}
    </FieldGroup>
  )
}

interface FromTextProps {
  readonly text: string
  readonly current: string | undefined
  readonly onChoose: (image: string, alt: string) => void
}

/** The pictures of this site that the text shows. */
function FromText({ text, current, onChoose }: FromTextProps) {
  const found = new Map<string, string>()
  for (const { address, words } of findPictures(text))
    if (/^\/media\/[0-9a-f]{64}$/.test(address) && !found.has(address))
      found.set(address, words.replace(/\\(.)/g, '$1').slice(0, longestInCover.alt))
  const others = [...found].filter(([address]) => address !== current)
  const label = useId()
  if (others.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more to disable.
    <div className={styles.fromText} role="group" aria-labelledby={label}>
      <p id={label}>{t('desk.common.cover.from_text')}</p>
      <ul>
        {others.map(([address, alt], at) => (
          <li key={address}>
            <button
              type="button"
              aria-label={t('desk.common.cover.use', { number: at + 1, alt: alt || 'none' })}
              onClick={() => onChoose(address, alt)}
            >
              <img className={styles.crop} src={deskMediaUrl(address)} alt="" loading="lazy" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface CoverWordsProps {
  readonly cover: Cover
  readonly onCover: (cover: Cover) => void
}

function CoverWords({ cover, onCover }: CoverWordsProps) {
  /** Inputs stop at the limits: a cover that the server refuses would keep the rest from being saved. */
  const field = (name: 'alt' | 'caption' | 'credit') => ({
    value: cover[name],
    limit: longestInCover[name],
    maxLength: longestInCover[name],
    autoComplete: 'off',
    onText: (text: string) => onCover({ ...cover, [name]: text }),
  })
  return (
    <>
      <Field label={t('desk.common.picture.alt_text')} hint={t('desk.common.cover.alt_hint')} {...field('alt')} />
      <Field label={t('desk.common.cover.caption')} {...field('caption')} />
      <Field label={t('desk.common.cover.credit')} hint={t('desk.common.cover.credit_hint')} {...field('credit')} />
    </>
  )
}

interface FocusProps {
  readonly point: RefObject<HTMLSpanElement | null>
  readonly cover: Cover
  readonly isReadOnly: boolean
  readonly onFocus: (focus: Cover['focus']) => void
}

const step = 2
const largeStep = 10
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const percent = (given: number): number => Math.round(Math.min(100, Math.max(0, given)))

/** What a crop keeps, by pointer or by arrow keys, and the crop itself. */
function Focus({ point, cover: { image, focus }, isReadOnly, onFocus }: FocusProps) {
  const frame = useRef<HTMLDivElement>(null)
  const hint = useId()
  const pointAt = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = frame.current!.getBoundingClientRect()
    onFocus({ x: percent(((clientX - left) / width) * 100), y: percent(((clientY - top) / height) * 100) })
  }
  const onKey = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (!arrow || isReadOnly) return
    event.preventDefault()
    const length = event.shiftKey ? largeStep : step
    onFocus({ x: percent(focus.x + arrow[0] * length), y: percent(focus.y + arrow[1] * length) })
  }
  const position = { x: `${focus.x}%`, y: `${focus.y}%` }
  return (
    <>
      <div
        ref={frame}
        className={styles.frame}
        onPointerDown={(event) => {
          if (isReadOnly || event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          pointAt(event)
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) pointAt(event)
        }}
      >
        <img src={deskMediaUrl(image)} alt="" draggable={false} />
        <span
          ref={point}
          className={styles.point}
          style={{ left: position.x, top: position.y }}
          role="slider"
          tabIndex={0}
          aria-label={t('desk.common.cover.focus')}
          aria-describedby={hint}
          aria-disabled={isReadOnly || undefined}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={focus.x}
          aria-valuetext={t('desk.common.cover.focus_value', { x: focus.x / 100, y: focus.y / 100 })}
          onKeyDown={onKey}
        />
      </div>
      <p className={styles.hint} id={hint}>
        {t('desk.common.cover.focus_hint')}
      </p>
      <figure className={styles.example}>
        <img
          className={styles.crop}
          style={{ objectPosition: `${position.x} ${position.y}` }}
          src={deskMediaUrl(image)}
          alt=""
        />
        <figcaption>{t('desk.common.cover.cropped')}</figcaption>
      </figure>
    </>
  )
}
