import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '../../components/link.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { navigate } from '../../components/router.ts'
import { Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import { formats, rich, t } from '../../messages.ts'
import { copyLink, duplicatePiece } from './actions.ts'
import styles from './pieces.module.css'
import { type DeskListItem, excerptOf } from './queries.ts'
import { SelectBox, type Selection } from './selection.tsx'

interface PieceEntryProps {
  readonly piece: DeskListItem
  readonly selection: Selection<DeskListItem>
  readonly takesFocus: boolean
  readonly onTranslate: () => void
  readonly onDelete: () => void
}

/** One piece in the list. The headline is the link; shortcuts find it by `data-entry`. */
export function PieceEntry({ piece, selection, takesFocus, onTranslate, onDelete }: PieceEntryProps) {
  const headline = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) headline.current?.querySelector('a')?.focus()
  }, [takesFocus])
  const path = `/desk/edit/pieces/${piece.id}`
  return (
    <li className={styles.entry}>
      <div className={styles.select}>
        <SelectBox piece={piece} selection={selection} />
      </div>
      <p className={`facts ${styles.standing}`}>
        <Status of={piece.status} isTakenDown={piece.is_taken_down} schedule={piece.schedule} />
        {piece.has_unpublished_changes && <span>{t('desk.pieces.unpublished_changes')}</span>}
        {piece.key && <span>{rich('desk.pieces.drafted_by', { key: <bdi>{piece.key}</bdi> })}</span>}
      </p>
      <h2 ref={headline} dir="auto">
        <Link to={path} data-entry="">
          {piece.headline}
        </Link>
      </h2>
      <p className={`excerpt ${styles.opening}`} dir="auto">
        {piece.sub ?? excerptOf(piece.opening)}
      </p>
      <p className={`facts ${styles.known}`}>
        {piece.reads !== null && (
          <Fact name={t('desk.pieces.reads')} className={styles.reads}>
            <Link to={`/desk/stats/${piece.id}`}>{formats.number(piece.reads)}</Link>
          </Fact>
        )}
        {piece.published_at && (
          <Fact name={t('desk.pieces.published')} className={styles.published}>
            <Time at={piece.published_at} isPast />
          </Fact>
        )}
        <Fact name={t('desk.pieces.edited')} className={styles.edited}>
          <Time at={piece.updated_at} isPast />
        </Fact>
        <span className={styles.words}>{t('desk.pieces.words', { count: piece.words })}</span>
        {piece.url && (
          <a className={styles.view} href={piece.url}>
            {t('desk.pieces.view')}
          </a>
        )}
      </p>
      <div className={styles.acts}>
        <Menu
          label="⋯"
          name={t('desk.pieces.menu', { headline: piece.headline })}
          items={menuItems(piece, path, onTranslate, onDelete)}
        />
      </div>
    </li>
  )
}

interface FactProps {
  /** Seen on phones, where no heading above the column says it. */
  readonly name: string
  readonly className: string | undefined
  readonly children: ReactNode
}

const Fact = ({ name, className, children }: FactProps) => (
  <span className={className}>
    <span className={styles.name}>{name} </span>
    {children}
  </span>
)

const menuItems = (
  piece: DeskListItem,
  path: string,
  onTranslate: () => void,
  onDelete: () => void,
): readonly MenuItem[] => [
  { label: t('desk.pieces.open'), onSelect: () => navigate(path) },
  { label: t('desk.pieces.preview_and_publish'), onSelect: () => navigate(`${path}/publish`) },
  { label: t('desk.pieces.history'), onSelect: () => navigate(`${path}/history`) },
  ...publicItems(piece, onTranslate),
  { label: t('desk.pieces.duplicate'), onSelect: () => void duplicatePiece(piece) },
  ...(piece.status === 'draft' ? [{ label: t('desk.pieces.move_to_trash'), onSelect: onDelete, isGrave: true }] : []),
]

const publicItems = ({ id, url }: DeskListItem, onTranslate: () => void): readonly MenuItem[] =>
  url
    ? [
        { label: t('desk.common.nav.stats'), onSelect: () => navigate(`/desk/stats/${id}`) },
        { label: t('desk.common.copy_link'), onSelect: () => void copyLink(url) },
        { label: t('desk.pieces.translate'), onSelect: onTranslate },
      ]
    : []
