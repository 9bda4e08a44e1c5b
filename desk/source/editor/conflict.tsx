import { Button } from '../components/button.tsx'
import { showToast } from '../components/notice.tsx'
import { DiffView } from '../diff/view.tsx'
import { type PlainMessageId, t } from '../messages.ts'
import styles from './editor.module.css'
import { changedMembers, type Manuscript } from './saving/manuscript.ts'
import type { SaveStatus } from './saving/save-status.ts'
import type { Saver } from './saving/saver.ts'

interface ConflictProps {
  readonly saver: Saver
  readonly theirs: Manuscript
  /** Typing is blocked while the choice is applied: it would belong to neither text. */
  readonly isBusy: boolean
  readonly onBusy: (isBusy: boolean) => void
}

const fieldNames = { headline: 'desk.common.piece.headline', sub: 'desk.common.piece.standfirst' } as const

/** The section's id. */
export const conflictAnchor = 'conflict'

/** Shows a conflicting edit and three ways to resolve it, none of which loses text. */
export function Conflict({ saver, theirs, isBusy, onBusy }: ConflictProps) {
  const mine = saver.manuscript()
  const differing = changedMembers(theirs, mine)
  const choose = (act: () => Promise<SaveStatus>, done: PlainMessageId) => async () => {
    onBusy(true)
    const came = await act().finally(() => onBusy(false))
    if (came.kind === 'saved') showToast(t(done))
  }
  return (
    <section className={styles.choosing} id={conflictAnchor} tabIndex={-1} aria-labelledby="conflict-title">
      <h2 id="conflict-title">{t('desk.editor.conflict.title')}</h2>
      <p aria-live="polite">{t('desk.editor.conflict.lead')}</p>
      <div className={styles.resolutions}>
        <Button kind="main" isBusy={isBusy} onClick={choose(saver.keepMine, 'desk.editor.conflict.kept_this')}>
          {t('desk.common.conflict.keep_this')}
        </Button>
        <Button isBusy={isBusy} onClick={choose(saver.takeTheirs, 'desk.editor.conflict.used_other')}>
          {t('desk.common.conflict.use_other')}
        </Button>
        {differing.includes('body_md') && (
          <Button isBusy={isBusy} onClick={choose(saver.takeBoth, 'desk.editor.conflict.kept_both')}>
            {t('desk.editor.conflict.keep_both')}
          </Button>
        )}
      </div>
      <h3>{t('desk.editor.conflict.diff')}</h3>
      {(['headline', 'sub'] as const)
        .filter((member) => differing.includes(member))
        .map((member) => (
          <div key={member} className={styles.member}>
            <h4>{t(fieldNames[member])}</h4>
            <DiffView before={theirs[member]} after={mine[member]} />
          </div>
        ))}
      {differing.includes('body_md') && <DiffView before={theirs.body_md} after={mine.body_md} />}
    </section>
  )
}
