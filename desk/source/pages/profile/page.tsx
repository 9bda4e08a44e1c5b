import { profileLimits as limits, type Profile, updateProfile, useProfile } from '../../api/account.ts'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, FormActions, SubmitButton, useForm } from '../../components/form.tsx'
import { PresenceNav } from '../../components/link.tsx'
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
      <PresenceNav />
      <Page title="Profile" lead="What readers learn of you, on your page and beside your pieces.">
        <ErrorNotice error={error} />
        {profile ? <ProfileForm profile={profile} /> : !error && <Loading />}
      </Page>
    </>
  )
}

function ProfileForm({ profile }: { readonly profile: Profile }) {
  const form = useForm(() => toValues(profile))
  const { field } = form
  const save = async (values: ProfileValues) => {
    const saved = await updateProfile('PATCH', '', toRequest(values))
    form.change(toValues(saved))
    showToast(saved.is_public ? 'Saved. Readers see it now.' : 'Saved. Readers see it with your first piece.')
  }
  return (
    <>
      <ProfileCard profile={profile} values={form.values} />
      <div className={styles.filling}>
        <Form form={form} onSubmit={save}>
          <Field label="Name" {...field('name')} limit={limits.name} autoComplete="name" required />
          <Field
            label="Role"
            hint="Such as “Marine biologist” or “Editor, The Ferry Times”."
            {...field('role')}
            limit={limits.line}
            autoComplete="organization-title"
          />
          <Field
            label="What you write about"
            hint="A few words. People who look for a subject find you by them."
            {...field('niche')}
            limit={limits.line}
          />
          <Field label="Where you are" {...field('location')} limit={limits.line} autoComplete="off" />
          <TextArea
            label="About you"
            hint="Plain text; an empty line begins a new paragraph. The first lines are shown beside your pieces."
            {...field('bio')}
            limit={limits.bio}
            rows={6}
          />
          <FormActions>
            <SubmitButton>Save</SubmitButton>
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

const fields = ['name', 'role', 'niche', 'location', 'bio'] as const

/** The form's values; empty strings for null. */
type ProfileValues = Readonly<Record<(typeof fields)[number], string>>

const toValues = (profile: Profile): ProfileValues =>
  Object.fromEntries(fields.map((name) => [name, profile[name] ?? ''])) as ProfileValues

const toRequest = (values: ProfileValues): object => ({
  ...Object.fromEntries(fields.map((name) => [name, values[name].trim() ? values[name] : null])),
  name: values.name,
})
