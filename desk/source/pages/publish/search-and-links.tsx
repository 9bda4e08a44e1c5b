import { type ReactNode, useState } from 'react'
import type { Preview } from '../../../../server/features/pieces/desk-schema.ts'
import type { DraftMeta } from '../../../../server/features/pieces/draft-schema.ts'
import { longest } from '../../../../server/features/pieces/limits.ts'
import { type MetaMember, type WrittenMeta, withWritten } from '../../../../server/features/pieces/page-meta.ts'
import { normaliseLine } from '../../../../server/platform/text/normalise.ts'
import { problemOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { siteName } from '../../components/site.ts'
import { t } from '../../messages.ts'
import { useAddress } from './address.tsx'
import type { Details } from './details.ts'
import styles from './readers-view.module.css'
import { type Fit, fit, shownLength } from './text-fit.ts'

interface SearchAndLinksProps {
  readonly details: Details
  readonly preview: Preview
  readonly isReadOnly: boolean
}

const noTexts: DraftMeta = { title: null, description: null, social_title: null, social_description: null }

const writtenIn = (meta: DraftMeta): WrittenMeta =>
  Object.fromEntries(Object.entries(meta).filter(([, text]) => normaliseLine(text ?? '') !== ''))

/** A search result and a shared link as others will show them, each with the texts that can be written for it. */
export function SearchAndLinks({ details, preview, isReadOnly }: SearchAndLinksProps) {
  const { piece, change, error } = details
  const address = useAddress(piece, preview.slug)
  const meta = piece.meta ?? noTexts
  const written = writtenIn(meta)
  const said = withWritten(preview.meta, written)
  const fits: Readonly<Record<MetaMember, Fit>> = {
    title: fit(said.title, shownLength.title),
    description: fit(said.description, shownLength.description),
    social_title: fit(said.social_title, shownLength.title),
    social_description: fit(said.social_description, shownLength.description),
  }
  const textField = (member: MetaMember, otherwise: string) => (
    <MetaField
      member={member}
      value={meta[member] ?? ''}
      otherwise={otherwise}
      fit={fits[member]}
      problem={problemOf(error, `meta/${member}`)}
      onText={(text) => change({ meta: { ...meta, [member]: text === '' ? null : text } })}
    />
  )
  return (
    <div className={styles.links}>
      <figure>
        <figcaption>{t('desk.publish.view.search')}</figcaption>
        <div className={styles.result}>
          <p className={styles.site}>
            <bdi>{siteName}</bdi>
            <span dir="ltr">{address}</span>
          </p>
          <p className={styles.resultTitle} dir="auto">
            {fits.title.shown}
          </p>
          <p dir="auto">{fits.description.shown}</p>
        </div>
      </figure>
      {!isReadOnly && (
        <div className={styles.texts}>
          {textField('title', preview.meta.title)}
          {textField('description', preview.meta.description)}
        </div>
      )}
      <figure>
        <figcaption>{t('desk.publish.view.shared')}</figcaption>
        <div className={styles.card}>
          <img src={preview.link_picture} alt="" width={1200} height={630} />
          <div>
            <p className={styles.site} dir="ltr">
              {location.host}
            </p>
            <p className={styles.cardTitle} dir="auto">
              {fits.social_title.shown}
            </p>
            <p dir="auto">{fits.social_description.shown}</p>
          </div>
        </div>
      </figure>
      {!isReadOnly && (
        <SeparateTexts isWritten={(written.social_title ?? written.social_description) !== undefined}>
          {textField('social_title', said.title)}
          {textField('social_description', said.description)}
        </SeparateTexts>
      )}
      <p className={styles.hint}>{t('desk.publish.view.links_hint')}</p>
    </div>
  )
}

interface SeparateTextsProps {
  readonly isWritten: boolean
  readonly children: ReactNode
}

/** Few want other texts for shared links, so their fields are shown when they are asked for. */
function SeparateTexts({ isWritten, children }: SeparateTextsProps) {
  const [isOpen, setOpen] = useState(isWritten)
  // Emptied fields stay.
  if (isWritten && !isOpen) setOpen(true)
  return isOpen || isWritten ? (
    <div className={styles.texts}>{children}</div>
  ) : (
    <Button className={styles.separate} onClick={() => setOpen(true)}>
      {t('desk.publish.meta.separate')}
    </Button>
  )
}

interface MetaFieldProps {
  readonly member: MetaMember
  readonly value: string
  /** What is used if it is empty. */
  readonly otherwise: string
  readonly fit: Fit
  readonly problem: string | undefined
  readonly onText: (text: string) => void
}

function MetaField({ member, value, otherwise, fit: { count, most }, problem, onText }: MetaFieldProps) {
  const [typed, setTyped] = useState(value)
  const isTitle = member === 'title' || member === 'social_title'
  const field = {
    label: t(`desk.publish.meta.${member}`),
    hint: t(count > most ? 'desk.publish.meta.cut' : 'desk.publish.meta.room', { count, most }),
    limit: isTitle ? longest.metaTitle : longest.metaDescription,
    // A saved text has lost the space that the next word will need.
    value: normaliseLine(typed) === normaliseLine(value) ? typed : value,
    placeholder: otherwise,
    problem,
    dir: 'auto',
    autoComplete: 'off',
    onText: (text: string) => {
      const line = text.replace(/\s*\n\s*/g, ' ')
      setTyped(line)
      onText(line)
    },
  } as const
  return isTitle ? <Field {...field} /> : <TextArea rows={3} {...field} />
}
