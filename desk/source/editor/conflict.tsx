import { Button } from '../components/button.tsx'
import { showToast } from '../components/notice.tsx'
import { keepBoth } from '../diff/diff.ts'
import { DiffView } from '../diff/view.tsx'
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

const fieldNames = { headline: 'Headline', sub: 'Standfirst' } as const

/** Shows a conflicting edit and three ways to resolve it, none of which loses text. */
export function Conflict({ saver, theirs, isBusy, onBusy }: ConflictProps) {
  const mine = saver.manuscript()
  const differing = changedMembers(theirs, mine)
  const choose = (act: () => Promise<SaveStatus>, words: string) => async () => {
    onBusy(true)
    const came = await act().finally(() => onBusy(false))
    if (came.kind === 'saved') showToast(words)
  }
  /** The rendered text may be older than the saver's. */
  const takeBoth = () => {
    const now = saver.manuscript()
    return saver.takeBoth({ ...now, body_md: keepBoth(now.body_md, theirs.body_md) })
  }
  return (
    <section className={styles.choosing} aria-labelledby="choosing">
      <h2 id="choosing">This piece was changed elsewhere, too</h2>
      <p aria-live="polite">
        While you wrote here, it was saved from another device or by a key. Nothing is overwritten: choose how to go on.
        Whatever you choose, the other text stays in the history.
      </p>
      <div className={styles.resolutions}>
        <Button
          kind="main"
          isBusy={isBusy}
          onClick={choose(saver.keepMine, 'Yours is the text now. The other one is in the history.')}
        >
          Keep mine
        </Button>
        <Button
          isBusy={isBusy}
          onClick={choose(saver.takeTheirs, 'The other one is the text now. Yours is in the history.')}
        >
          Take theirs
        </Button>
        {differing.includes('body_md') && (
          <Button
            isBusy={isBusy}
            onClick={choose(takeBoth, 'Both are in the text, one after the other where they differ.')}
          >
            Put both in the text
          </Button>
        )}
      </div>
      <h3>From theirs to yours</h3>
      {(['headline', 'sub'] as const)
        .filter((member) => differing.includes(member))
        .map((member) => (
          <div key={member} className={styles.member}>
            <h4>{fieldNames[member]}</h4>
            <DiffView before={theirs[member]} after={mine[member]} />
          </div>
        ))}
      {differing.includes('body_md') && <DiffView before={theirs.body_md} after={mine.body_md} />}
    </section>
  )
}
