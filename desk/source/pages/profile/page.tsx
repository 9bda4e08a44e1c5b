import { useState } from 'react'
import type { longest } from '../../../../server/features/profiles/schema.ts'
import { type Profile, useProfile, useUpdateProfile } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { Button } from '../../components/button.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, FormActions, useAttempt } from '../../components/form.tsx'
import { SubNav } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { ProfileAddress } from './address.tsx'
import { Portrait } from './portrait.tsx'
import styles from './profile.module.css'

/** The writer's public profile. */
export function ProfilePage() {
  const { data: profile, error } = useProfile()
  return (
    <>
      <SubNav
        label="Presence"
        pages={[
          { label: 'Online presence', to: '/desk/edit/online-presence' },
          { label: 'Profile', to: '/desk/edit/profile' },
        ]}
      />
      <Page title="Profile" lead="What readers learn of you, on your page and beside your pieces.">
        <ErrorNotice error={error} />
        {profile ? <ProfileForm profile={profile} /> : !error && <Loading />}
      </Page>
    </>
  )
}

function ProfileForm({ profile }: { readonly profile: Profile }) {
  const [values, setValues] = useState<ProfileValues>(() => toValues(profile))
  const change = useUpdateProfile()
  const attempt = useAttempt()
  const fieldProps = (field: keyof ProfileValues) => ({
    value: values[field],
    onText: (text: string) => setValues((before) => ({ ...before, [field]: text })),
    problem: problemOf(attempt.error, field),
  })
  const save = attempt.handler(async () => {
    const saved = await change('PATCH', '', toRequest(values))
    setValues(toValues(saved))
    showToast(saved.is_public ? 'Saved. Readers see it now.' : 'Saved. Readers see it with your first piece.')
  })
  return (
    <>
      <ProfileCard profile={profile} values={values} />
      <div className={styles.filling}>
        <Form attempt={attempt} onSubmit={save}>
          <Field label="Name" {...fieldProps('name')} limit={limits.name} autoComplete="name" required />
          <Field
            label="Role"
            hint="Such as “Marine biologist” or “Editor, The Ferry Times”."
            {...fieldProps('role')}
            limit={limits.line}
            autoComplete="organization-title"
          />
          <Field
            label="What you write about"
            hint="A few words. People who look for a subject find you by them."
            {...fieldProps('niche')}
            limit={limits.line}
          />
          <Field label="Where you are" {...fieldProps('location')} limit={limits.line} autoComplete="off" />
          <TextArea
            label="About you"
            hint="Plain text; an empty line begins a new paragraph. The first lines are shown beside your pieces."
            {...fieldProps('bio')}
            limit={limits.bio}
            rows={6}
          />
          <FormActions>
            <Button kind="main" type="submit" isBusy={attempt.isBusy}>
              Save
            </Button>
          </FormActions>
        </Form>
      </div>
      <ProfileAddress profile={profile} />
    </>
  )
}

/** A live preview of the profile card. */
function ProfileCard({ profile, values }: { readonly profile: Profile; readonly values: ProfileValues }) {
  const line = [values.role, values.location].map((one) => one.trim()).filter(Boolean)
  const [first = ''] = values.bio.trim().split(/\n\s*\n/)
  return (
    <section className={styles.card} aria-labelledby="as-readers-see">
      <h2 id="as-readers-see">As readers see you</h2>
      <Portrait profile={profile} name={values.name} />
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {values.name.trim() || 'Your name'}
          {profile.identity_verified && (
            <svg viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="Identity verified">
              <path d="M3 8.5l3.4 3.4L13 4.6" />
            </svg>
          )}
        </p>
        {line.length > 0 && (
          <p className={styles.line} dir="auto">
            {line.join(' · ')}
          </p>
        )}
        <p className={styles.bio} dir="auto">
          {first || 'A line or two about you would stand here.'}
        </p>
        <p className={styles.where}>
          {profile.is_public ? (
            <a href={profile.urls.profile}>Your page</a>
          ) : (
            'Your page opens to readers with your first public piece.'
          )}
        </p>
      </div>
    </section>
  )
}

/** In characters. Typed with the server's constant, so the two cannot differ. */
const limits: typeof longest = { name: 80, bio: 2000, line: 120 }

/** The form's values; empty strings for null. */
interface ProfileValues {
  readonly name: string
  readonly role: string
  readonly niche: string
  readonly location: string
  readonly bio: string
}

const toValues = ({ name, role, niche, location, bio }: Profile): ProfileValues => ({
  name,
  role: role ?? '',
  niche: niche ?? '',
  location: location ?? '',
  bio: bio ?? '',
})

const orNull = (text: string): string | null => (text.trim() ? text : null)

const toRequest = ({ name, role, niche, location, bio }: ProfileValues) => ({
  name,
  role: orNull(role),
  niche: orNull(niche),
  location: orNull(location),
  bio: orNull(bio),
})
