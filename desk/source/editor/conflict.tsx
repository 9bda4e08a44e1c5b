import { Button } from '../components/button.tsx'
import { tell } from '../components/notice.tsx'
import { both } from '../diff/both.ts'
import { ShownDifference } from '../diff/view.tsx'
import styles from './conflict.module.css'
import { changed, type Manuscript } from './saving/manuscript.ts'
import type { Saver } from './saving/saver.ts'
import type { Standing } from './saving/status.ts'

interface ChoosingProps {
  readonly saver: Saver
  readonly theirs: Manuscript
  /** While it is being done nothing can be typed: it would belong to neither text. */
  readonly isBusy: boolean
  readonly onBusy: (isBusy: boolean) => void
}

const lines = { headline: 'Headline', sub: 'Standfirst' } as const

/** Two texts, one piece: what differs, and three ways on, none of which loses anything. */
export function Choosing({ saver, theirs, isBusy, onBusy }: ChoosingProps) {
  const mine = saver.manuscript()
  const differing = changed(theirs, mine)
  const choose = (act: () => Promise<Standing>, words: string) => async () => {
    onBusy(true)
    const came = await act().finally(() => onBusy(false))
    if (came.kind === 'saved') tell(words)
  }
  /** What is drawn here may be older than the text. */
  const takeBoth = () => {
    const now = saver.manuscript()
    return saver.takeBoth({ ...now, body_md: both(now.body_md, theirs.body_md) })
  }
  return (
    <section className={styles.choosing} aria-labelledby="choosing">
      <h2 id="choosing">This piece was changed elsewhere, too</h2>
      <p aria-live="polite">
        While you wrote here, it was saved from another device or by a key. Nothing is overwritten: choose how to go on.
        Whatever you choose, the other text stays in the history.
      </p>
      <div className={styles.choices}>
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
            <h4>{lines[member]}</h4>
            <ShownDifference before={theirs[member]} after={mine[member]} />
          </div>
        ))}
      {differing.includes('body_md') && <ShownDifference before={theirs.body_md} after={mine.body_md} />}
    </section>
  )
}
