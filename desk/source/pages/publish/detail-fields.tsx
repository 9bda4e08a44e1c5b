import { useQuery } from '@tanstack/react-query'
import type { TagSuggestions } from '../../../../server/features/pieces/desk-schema.ts'
import type { Category } from '../../../../server/features/pieces/schema.ts'
import { useAccount } from '../../api/account.ts'
import { callApi, errorMessage, problemOf } from '../../api/client.ts'
import { withTags } from '../../components/add-tags.ts'
import { Button } from '../../components/button.tsx'
import { RadioGroup } from '../../components/choices.tsx'
import { coverOf } from '../../components/cover.ts'
import { CoverField } from '../../components/cover-field.tsx'
import { Notice } from '../../components/notice.tsx'
import { categories } from '../../components/piece.ts'
import { Tags } from '../../components/tags.tsx'
import { uploadTo } from '../../components/upload-picture.ts'
import { t } from '../../messages.ts'
import type { Details } from './details.ts'
import styles from './sheet.module.css'

/** Cover, category and tags, as in the details of the editor. */
export function DetailFields({ details }: { readonly details: Details }) {
  const { piece, change, error, tryAgain } = details
  const { data: account } = useAccount()
  return (
    <div className={styles.fields}>
      <CoverField
        upload={uploadTo(piece.id, account?.writer?.id ?? '')}
        drawn={piece.drawn_cover}
        isReadOnly={false}
        cover={coverOf(piece)}
        text={piece.body_md}
        problem={problemOf(error, 'cover')}
        onCover={(cover) => change({ cover })}
      />
      <RadioGroup
        label={t('desk.common.piece.category')}
        options={categories.map((value) => ({ value, words: t(`desk.common.category.${value}`) }))}
        value={piece.is_category_chosen || piece.published_at !== null ? piece.category : ''}
        onValue={(category) => change({ category: category as Category })}
      />
      <Tags tags={piece.tags} problem={problemOf(error, 'tags')} onTags={(tags) => change({ tags: [...tags] })} />
      <TagsInText details={details} />
      {error !== undefined && (
        <Notice kind="bad">
          <p>{errorMessage(error)}</p>
          <Button onClick={tryAgain}>{t('desk.common.try_again')}</Button>
        </Notice>
      )}
    </div>
  )
}

/** Tags that are words of the text, to add with one press. */
function TagsInText({ details: { piece, change } }: { readonly details: Details }) {
  const { data } = useQuery({
    queryKey: ['pieces', piece.id, 'tags'],
    queryFn: async () => (await callApi<TagSuggestions>('GET', `/pieces/${piece.id}/tags`)).tags,
    retry: false,
  })
  const offered = (data ?? []).filter((tag) => withTags(piece.tags, tag).tags.length > piece.tags.length)
  if (offered.length === 0) return null
  return (
    <ul className={styles.offered} aria-label={t('desk.common.tag_suggestions')}>
      {offered.map((tag) => (
        <li key={tag}>
          <Button
            aria-label={t('desk.publish.tag_add', { tag })}
            onClick={() => change({ tags: [...withTags(piece.tags, tag).tags] })}
          >
            <span aria-hidden="true">+ </span>
            <bdi>{tag}</bdi>
          </Button>
        </li>
      ))}
    </ul>
  )
}
