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
import { t } from '../../messages.ts'
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
      <Page title={t('desk.first-steps.title_loading')}>
        <ErrorNotice error={error} />
        <Link to="/desk">{t('desk.common.go_to_pieces')}</Link>
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
    <Page title={t('desk.first-steps.title', { name: profile.data.name })} lead={t('desk.first-steps.lead')}>
      <Steps done={done}>
        <Step title={t('desk.first-steps.introduce')} isDone={isIntroduced} isNext={!isIntroduced}>
          <Introduction profile={profile.data} />
        </Step>
        <Step title={t('desk.first-steps.write')} isDone={piece !== undefined} isNext={isIntroduced && !piece}>
          <p>{t('desk.first-steps.write_about')}</p>
          <LinkButton kind="main" to={piece ? `/desk/edit/pieces/${piece.id}` : '/desk/edit/pieces/new'}>
            {t(piece ? 'desk.first-steps.continue_writing' : 'desk.first-steps.start_writing')}
          </LinkButton>
        </Step>
        <Step title={t('desk.first-steps.publish')} isDone={false} isNext={piece !== undefined}>
          <p>{t('desk.first-steps.publish_about')}</p>
          {piece && (
            <LinkButton kind="main" to={`/desk/edit/pieces/${piece.id}/publish`}>
              {t('desk.first-steps.preview_and_publish')}
            </LinkButton>
          )}
        </Step>
      </Steps>
      <p>
        <Link to="/desk">{t('desk.first-steps.skip')}</Link>
      </p>
    </Page>
  )
}

const Published = ({ headline, url }: { readonly headline: string; readonly url: string }) => (
  <Page title={t('desk.first-steps.published')} lead={<cite dir="auto">{headline}</cite>}>
    <p className={styles.live}>
      <a href={url}>{url.replace(/^https?:\/\//, '')}</a>
    </p>
    <FormActions>
      <CopyButton text={url} label={t('desk.first-steps.copy_link')} kind="main" />
      <LinkButton to="/desk/edit/online-presence">{t('desk.first-steps.embed')}</LinkButton>
      <LinkButton to="/desk" kind="quiet">
        {t('desk.common.go_to_pieces')}
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
      {t('desk.first-steps.progress', { done })}
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
        {isDone && <span className={styles.done}>{t('desk.first-steps.step_done')}</span>}
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
          <Field
            label={t('desk.first-steps.name')}
            autoComplete="name"
            {...field('name', { empty: t('desk.first-steps.name_missing') })}
            limit={limits.name}
            required
          />
          <TextArea
            label={t('desk.first-steps.bio')}
            hint={t('desk.first-steps.bio_hint')}
            {...field('bio')}
            limit={limits.bio}
            required
          />
          <SubmitButton>{t('desk.common.save')}</SubmitButton>
        </>
      )}
    </Form>
  )
}
