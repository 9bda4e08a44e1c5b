import { useState } from 'react'
import type { DeskPiece, PieceSlug } from '../../../../server/features/pieces/desk-schema.ts'
import { useAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { shownAddress } from '../../components/link.tsx'
import { t } from '../../messages.ts'
import styles from './publishing.module.css'

interface AddressProps {
  readonly piece: DeskPiece
  /** The last part; null if the piece has no headline to make it of. */
  readonly slug: string | null
  readonly isEditable: boolean
  readonly onSlug: (slug: string | null) => void
}

/** Where the writer's pieces are, without the protocol; empty until the account is loaded. */
function usePath(): string {
  const { data: account } = useAccount()
  return account?.writer ? `${location.host}/author/${account.writer.slug}/` : ''
}

/** Without the protocol. */
export function useAddress({ url }: DeskPiece, slug: string | null): string {
  const path = usePath()
  return url ? shownAddress(url) : `${path}${slug ?? '…'}`
}

/** The address that the piece has, or will have. It can be chosen until the first publication. */
export function Address({ piece, slug, isEditable, onSlug }: AddressProps) {
  const path = usePath()
  const [isEditing, setEditing] = useState(false)
  const [taken, setTaken] = useState<string>()
  if (piece.url) {
    return (
      <a href={piece.url} dir="ltr">
        {shownAddress(piece.url)}
      </a>
    )
  }
  const choose = async ({ slug: given }: { readonly slug: string }) => {
    const body = { slug: given.trim() === '' ? null : given }
    const { slug: kept, asked } = await callApi<PieceSlug>('PUT', `/pieces/${piece.id}/slug`, body)
    setTaken(asked !== null && asked !== kept ? asked : undefined)
    onSlug(kept)
    setEditing(false)
  }
  return (
    <>
      {slug === null ? (
        t('desk.publish.address_new', { path })
      ) : (
        <span dir="ltr">
          {path}
          <bdi>{slug}</bdi>
        </span>
      )}
      {isEditable && piece.published_at === null && (
        <>
          {' '}
          <Button kind="quiet" className={styles.edit} onClick={() => setEditing(true)}>
            {t('desk.publish.address_edit')}
          </Button>
        </>
      )}
      <p role="status" className={styles.hint}>
        {taken !== undefined && slug !== null && t('desk.publish.address_taken', { taken, slug })}
      </p>
      {isEditing && (
        <FormDialog
          title={t('desk.publish.address_edit')}
          about={t('desk.publish.address_about')}
          initial={{ slug: slug ?? '' }}
          onSubmit={choose}
          submit={t('desk.common.save')}
          onClose={() => setEditing(false)}
        >
          {({ field }) => (
            <Field
              label={t('desk.publish.address_end')}
              hint={<span dir="ltr">{path}…</span>}
              limit={80}
              spellCheck={false}
              autoCapitalize="none"
              dir="auto"
              {...field('slug')}
            />
          )}
        </FormDialog>
      )}
    </>
  )
}
