import { useEffect, useState } from 'react'
import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import { useAccount } from '../../api/account.ts'
import { wordsOf } from '../../api/api-error.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { modifier, type Shortcut, useNamedShortcuts } from '../../components/shortcuts.ts'
import type { Act } from './actions.ts'
import { Told } from './notification-info.tsx'
import styles from './publishing.module.css'

interface DecidingProps {
  readonly piece: DeskPiece
  readonly acts: readonly Act[]
  readonly onDecided: (act: Act) => Promise<void>
}

const shortcuts: readonly Shortcut[] = [{ keys: `${modifier}Enter`, does: 'The button of this page, after a question' }]

const languages = new Intl.DisplayNames('en-GB', { type: 'language' })

/** Where it will stand, what happens then, and the button; nothing happens before the question is answered. */
export function Deciding({ piece, acts, onDecided }: DecidingProps) {
  useNamedShortcuts(shortcuts)
  const { data: account } = useAccount()
  const [asked, setAsked] = useState<Act>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [main, ...others] = acts

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !main) return
      event.preventDefault()
      setAsked(main)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [main])

  const decide = async (act: Act) => {
    setBusy(true)
    setError(undefined)
    try {
      await onDecided(act)
    } catch (error) {
      setError(error)
    }
    setAsked(undefined)
    setBusy(false)
  }
  const isOpen = piece.status !== 'pending' && piece.status !== 'rejected'
  const shelf = account?.writer ? `${location.host}/author/${account.writer.slug}/` : ''
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>Address</dt>
          <dd>
            {piece.url ? (
              <a href={piece.url}>{piece.url.replace(/^https?:\/\//, '')}</a>
            ) : piece.published_at ? (
              `The one it had before, in ${shelf}`
            ) : (
              `${shelf}… with the words of the headline. Once public, it never moves.`
            )}
          </dd>
        </div>
        <div>
          <dt>Filed under</dt>
          <dd>
            <span className={styles.category}>{piece.category}</span>
            {piece.tags.length > 0 && ` · ${piece.tags.join(', ')}`} · {languages.of(piece.locale)}
            {isOpen && (
              <>
                {' '}
                · <Link to={`/desk/edit/pieces/${piece.id}`}>Change</Link>
              </>
            )}
          </dd>
        </div>
        {main && (
          <div>
            <dt>“{main.button}” means</dt>
            <dd>{main.before}</dd>
          </div>
        )}
        {main && <Told piece={piece} act={main} />}
      </dl>
      {error !== undefined && <Notice kind="bad">{wordsOf(error)}</Notice>}
      <div className={styles.choices}>
        {main && (
          <Button kind={main.isGrave ? 'plain' : 'main'} onClick={() => setAsked(main)}>
            {main.button}
          </Button>
        )}
        {others.map((act) => (
          <Button key={act.name} kind="quiet" onClick={() => setAsked(act)}>
            {act.button}
          </Button>
        ))}
      </div>
      {others.map(
        ({ name, button, instead }) =>
          instead && (
            <p key={name} className={styles.instead}>
              “{button}” {instead}
            </p>
          ),
      )}
      <Dialog title={asked?.question ?? ''} isOpen={asked !== undefined} onClose={() => setAsked(undefined)}>
        {asked && (
          <>
            <p>{asked.before}</p>
            <Choices>
              <Button kind="quiet" onClick={() => setAsked(undefined)}>
                Not yet
              </Button>
              <Button kind={asked.isGrave ? 'grave' : 'main'} isBusy={isBusy} onClick={() => void decide(asked)}>
                {asked.button}
              </Button>
            </Choices>
          </>
        )}
      </Dialog>
    </>
  )
}
