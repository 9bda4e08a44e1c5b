import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { rich, t } from '../../messages.ts'
import { filterPath, type PieceFilter } from './queries.ts'

/** The empty states of the list. */
export function NoPieces({ filter, hasAny }: { readonly filter: PieceFilter; readonly hasAny: boolean }) {
  const { q, status, isByKey } = filter
  if (hasAny && q) {
    return (
      <Empty title={t('desk.pieces.none.no_results', { q })}>
        <p>{t('desk.pieces.none.no_results_text')}</p>
        <p>
          <Link to={filterPath({ ...filter, q: '', status: undefined, isByKey: false, isScheduled: false })} replace>
            {t('desk.pieces.none.show_all')}
          </Link>
        </p>
      </Empty>
    )
  }
  if (hasAny && isByKey) {
    return (
      <Empty title={t('desk.pieces.none.api_title')}>
        <p>{t('desk.pieces.none.api_text')}</p>
        <p>
          <Link to="/desk/edit/online-presence#api-keys">{t('desk.pieces.none.create_key')}</Link>
        </p>
      </Empty>
    )
  }
  if (hasAny && status) {
    return (
      <Empty title={t(`desk.pieces.none.${status}_title`)}>
        <p>{t(`desk.pieces.none.${status}_text`)}</p>
        <LinkButton to="/desk/edit/pieces/new">{t('desk.pieces.new')}</LinkButton>
      </Empty>
    )
  }
  return (
    <Empty title={t('desk.pieces.none.title')}>
      <p>{t('desk.pieces.none.text')}</p>
      <LinkButton to="/desk/edit/pieces/new" kind="main">
        {t('desk.pieces.none.write')}
      </LinkButton>
      <p>{rich('desk.pieces.none.import', { link: (content) => <Link to="/desk/import">{content}</Link> })}</p>
      <p>{rich('desk.pieces.none.trash', { link: (content) => <Link to="/desk/trash">{content}</Link> })}</p>
    </Empty>
  )
}
