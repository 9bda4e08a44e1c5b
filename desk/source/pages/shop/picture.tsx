import { type DragEvent, useRef, useState } from 'react'
import type { MediaAdded } from '../../../../server/features/media/schema.ts'
import { problemOf, wordsOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { pictureRefusal, pictureTypes } from '../../components/picture-file.ts'
import { limits, type Said } from './form-values.ts'
import styles from './listing.module.css'

interface PictureProps {
  readonly said: Said
  readonly error: unknown
  readonly onPicture: (change: Partial<Said>) => void
}

/** One picture: chosen or dropped, and said in words. It is at the server at once, and readers see it with the listing. */
export function Picture({ said, error, onPicture }: PictureProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    const refusal = pictureRefusal(file)
    setRefused(refusal)
    if (refusal) return
    setBusy(true)
    try {
      const { media } = await ask<MediaAdded>('POST', '/media', file)
      onPicture({ image: media.hash })
    } catch (error) {
      setRefused(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  const problem = refused ?? problemOf(error, 'image')
  return (
    <fieldset className={styles.picture}>
      <legend>Picture</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button in it does the same. */}
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {said.image && <img src={`/desk/media/${said.image}`} alt={said.image_alt} />}
        <div className={styles.choosing}>
          <Button isBusy={isBusy} onClick={() => chooser.current?.click()}>
            {isBusy ? 'One moment …' : said.image ? 'Another picture' : 'Choose a picture'}
          </Button>
          {said.image ? (
            <Button kind="quiet" onClick={() => onPicture({ image: '', image_alt: '' })}>
              Remove
            </Button>
          ) : (
            <span>or drop one here</span>
          )}
        </div>
        <input
          ref={chooser}
          type="file"
          className="hidden"
          tabIndex={-1}
          aria-label="Picture file"
          accept={pictureTypes.join(',')}
          onChange={(event) => {
            void take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {said.image && (
        <Field
          label="What does it show?"
          hint="In a few words, for those who cannot see it."
          value={said.image_alt}
          onText={(image_alt) => onPicture({ image_alt })}
          problem={problemOf(error, 'image_alt')}
          limit={limits.imageAlt}
          autoComplete="off"
        />
      )}
    </fieldset>
  )
}
