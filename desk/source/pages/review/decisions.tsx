import { Empty } from '../../components/empty.tsx'
import { Refused } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { More } from './more.tsx'
import { type Deed, useDeeds } from './queries.ts'
import styles from './review.module.css'

const words: Readonly<Record<string, string>> = {
  approve: 'approved',
  request_changes: 'asked for changes to',
  reject: 'rejected',
  take_down: 'took down',
  dismiss_reports: 'dismissed the reports of',
  withhold: 'took out of the shop',
  uphold: 'upheld the decision about',
  reinstate: 'reversed the decision about',
  verify_identity: 'verified the identity of',
  withdraw_identity: 'took back the verification of',
  suspend: 'suspended',
  restore: 'restored',
}

/** What moderators did, newest first. It is written as it happens, and nobody can change it. */
export function Decisions() {
  const list = useDeeds()
  const deeds = list.data?.pages.flatMap((page) => page.deeds)
  return (
    <Page title="Decisions" lead="Everything moderators did, newest first. It cannot be changed.">
      <Refused error={list.error} />
      {!deeds && !list.error && <Loading />}
      {deeds?.length === 0 && (
        <Empty title="Nothing was decided yet">
          <p>The first decision of a moderator will stand here, with its note.</p>
        </Empty>
      )}
      {deeds && deeds.length > 0 && (
        <ol className={styles.deeds} aria-label="Decisions, the newest first">
          {deeds.map((deed) => (
            <li key={`${deed.at} ${deed.act} ${deed.piece?.id ?? deed.listing ?? deed.writer?.slug}`}>
              <p>
                <bdi>{deed.moderator ?? 'The operator, or a moderator who has left,'}</bdi>{' '}
                {words[deed.act] ?? deed.act} <About deed={deed} />
              </p>
              {deed.note && (
                <p className={styles.note} dir="auto">
                  “{deed.note}”
                </p>
              )}
              <p className={styles.facts}>
                <Time at={deed.at} isPast />
              </p>
            </li>
          ))}
        </ol>
      )}
      <More list={list} />
    </Page>
  )
}

/** Whom or what it was about. A piece readers never had has no headline here. */
function About({ deed: { piece, listing, writer } }: { readonly deed: Deed }) {
  const name = writer ? <bdi>{writer.name}</bdi> : 'a writer who has left'
  if (listing)
    return (
      <>
        the listing <a href={`/shop/${listing}`}>{listing}</a>, by {name}
      </>
    )
  if (!piece) return name
  return (
    <>
      <Headline piece={piece} />, by {name}
    </>
  )
}

function Headline({ piece: { id, headline, is_public } }: { readonly piece: NonNullable<Deed['piece']> }) {
  if (headline === null) return 'a piece that is not public'
  if (is_public) return <a href={`/p/${id}`}>{headline}</a>
  return (
    <>
      “<bdi>{headline}</bdi>”, which is not public now
    </>
  )
}
