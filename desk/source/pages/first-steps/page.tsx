import { useQuery } from '@tanstack/react-query'
import type { DeskListItem } from '../../../../server/features/pieces/desk-schema.ts'
import type { Profile } from '../../../../server/features/profiles/schema.ts'
import { ask } from '../../api/client.ts'
import { LinkButton } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Acts, Refused } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { focusHeading, Page } from '../../components/page.tsx'
import { Introduction } from './introduction.tsx'
import styles from './page.module.css'
import { Step, Steps } from './steps.tsx'

const readProfile = async () => (await ask<{ readonly profile: Profile }>('GET', '/profile')).profile
const readPieces = async (query: string) =>
  (await ask<{ readonly pieces: readonly DeskListItem[] }>('GET', `/pieces?limit=1${query}`)).pieces

/** Three steps from a new account to a public piece. What is done is read from what is there, not remembered. */
export function Room() {
  const profile = useQuery({ queryKey: ['first-steps', 'profile'], queryFn: readProfile })
  const newest = useQuery({ queryKey: ['pieces', 'first-steps', 'newest'], queryFn: () => readPieces('') })
  const published = useQuery({
    queryKey: ['pieces', 'first-steps', 'published'],
    queryFn: () => readPieces('&status=approved'),
  })
  const error = profile.error ?? newest.error ?? published.error
  if (error) {
    return (
      <Page title="Welcome">
        <Refused error={error} />
        <Link to="/desk">To your pieces</Link>
      </Page>
    )
  }
  if (!profile.data || !newest.data || !published.data) return <Loading />

  const piece = newest.data[0]
  const live = published.data.find(({ url }) => url !== null)
  const isIntroduced = (profile.data.bio ?? '') !== ''
  const done = [isIntroduced, piece !== undefined, live !== undefined].filter(Boolean).length
  if (live?.url) return <Arrived headline={live.headline} url={live.url} />
  return (
    <Page
      title={`Welcome, ${profile.data.name}`}
      lead="Three steps to your first public piece. Take one now, or leave them for another day."
    >
      <Steps done={done}>
        <Step title="Introduce yourself" isDone={isIntroduced} isNext={!isIntroduced}>
          <Introduction profile={profile.data} onSaved={focusHeading} />
        </Step>
        <Step title="Write a first piece" isDone={piece !== undefined} isNext={isIntroduced && !piece}>
          <p>
            A headline, a standfirst, and a text of any length. It is yours alone until you publish it, and every word
            is kept as you type.
          </p>
          <LinkButton kind="main" to={piece ? `/desk/edit/pieces/${piece.id}` : '/desk/edit/pieces/new'}>
            {piece ? 'Go on writing' : 'Begin to write'}
          </LinkButton>
        </Step>
        <Step title="Publish it" isDone={false} isNext={piece !== undefined}>
          <p>You see the page exactly as readers will, then press one button.</p>
          {piece && (
            <LinkButton kind="main" to={`/desk/edit/pieces/${piece.id}/publish`}>
              See it and publish
            </LinkButton>
          )}
        </Step>
      </Steps>
      <p>
        <Link to="/desk">Skip this; take me to my pieces</Link>
      </p>
    </Page>
  )
}

const Arrived = ({ headline, url }: { readonly headline: string; readonly url: string }) => (
  <Page title="Your piece is public" lead={<cite dir="auto">{headline}</cite>}>
    <p className={styles.live}>
      <a href={url}>{url.replace(/^https?:\/\//, '')}</a>
    </p>
    <Acts>
      <Copy text={url} label="Copy the address" kind="main" />
      <LinkButton to="/desk/edit/online-presence">Show it elsewhere</LinkButton>
      <LinkButton to="/desk" kind="quiet">
        To my pieces
      </LinkButton>
    </Acts>
  </Page>
)
