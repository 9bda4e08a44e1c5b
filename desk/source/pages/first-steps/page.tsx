import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { Profile, ProfileFound } from '../../../../server/features/profiles/schema.ts'
import { invalidateAccount, profileLimits as limits } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { CopyButton, LinkButton } from '../../components/button.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, FormActions, SubmitButton } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { focusHeading, Page } from '../../components/page.tsx'
import styles from './first-steps.module.css'

const readProfile = async () => (await callApi<ProfileFound>('GET', '/profile')).profile
const readPieces = async (query: string) => (await callApi<DeskPage>('GET', `/pieces?limit=1${query}`)).pieces

/** Three steps from a new account to a public piece. Progress is derived from the data, not stored. */
export function FirstStepsPage() {
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
        <ErrorNotice error={error} />
        <Link to="/desk">To your pieces</Link>
      </Page>
    )
  }
  if (!profile.data || !newest.data || !published.data) return <Loading />

  const piece = newest.data[0]
  const live = published.data.find(({ url }) => url !== null)
  const isIntroduced = (profile.data.bio ?? '') !== ''
  const done = [isIntroduced, piece !== undefined, live !== undefined].filter(Boolean).length
  if (live?.url) return <Published headline={live.headline} url={live.url} />
  return (
    <Page
      title={`Welcome, ${profile.data.name}`}
      lead="Three steps to your first public piece. Take one now, or leave them for another day."
    >
      <Steps done={done}>
        <Step title="Introduce yourself" isDone={isIntroduced} isNext={!isIntroduced}>
          <Introduction profile={profile.data} />
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

const Published = ({ headline, url }: { readonly headline: string; readonly url: string }) => (
  <Page title="Your piece is public" lead={<cite dir="auto">{headline}</cite>}>
    <p className={styles.live}>
      <a href={url}>{url.replace(/^https?:\/\//, '')}</a>
    </p>
    <FormActions>
      <CopyButton text={url} label="Copy the address" kind="main" />
      <LinkButton to="/desk/edit/online-presence">Show it elsewhere</LinkButton>
      <LinkButton to="/desk" kind="quiet">
        To my pieces
      </LinkButton>
    </FormActions>
  </Page>
)

interface StepsProps {
  readonly done: number
  readonly children: ReactNode
}

const Steps = ({ done, children }: StepsProps) => (
  <>
    <label className={styles.progress}>
      {done === 0 ? 'Three steps' : `${done} of 3 done`}
      <progress max={3} value={done} />
    </label>
    <ol className={styles.steps}>{children}</ol>
  </>
)

interface StepProps {
  readonly title: string
  readonly isDone: boolean
  /** The current step, shown open. */
  readonly isNext: boolean
  readonly children: ReactNode
}

const Step = ({ title, isDone, isNext, children }: StepProps) => (
  <li className={styles.step} data-done={isDone || undefined}>
    <details open={isNext} key={String(isNext)}>
      <summary>
        <h2>{title}</h2>
        {isDone && <span className={styles.done}>✓ done</span>}
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  </li>
)

/** The writer's name and bio. */
function Introduction({ profile: { name, bio } }: { readonly profile: Profile }) {
  return (
    <Form
      initial={{ name, bio: bio ?? '' }}
      onSubmit={async (given) => {
        await callApi('PATCH', '/profile', given)
        await Promise.all([invalidate('first-steps', 'profile'), invalidateAccount()])
        focusHeading()
      }}
    >
      {({ field }) => (
        <>
          <Field label="Your name" autoComplete="name" {...field('name')} limit={limits.name} required />
          <TextArea
            label="A line about you"
            hint="Who you are, what you write about. It stands below your pieces."
            {...field('bio')}
            limit={limits.bio}
            required
          />
          <SubmitButton>Save it</SubmitButton>
        </>
      )}
    </Form>
  )
}
