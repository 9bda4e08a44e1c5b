import { profileLimits as limits, type Profile, updateProfile, useProfile } from '../../api/account.ts'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, FormActions, SubmitButton, useForm } from '../../components/form.tsx'
import { PresenceNav } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import { ProfileAddress } from './address.tsx'
import { Portrait } from './portrait.tsx'
import styles from './profile.module.css'

/** The writer's public profile. */
export function ProfilePage() {
  const { data: profile, error } = useProfile()
  return (
    <>
      <PresenceNav />
      <Page title={t('desk.common.nav.profile')} lead={t('desk.profile.lead')}>
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
    showToast(t(saved.is_public ? 'desk.profile.saved_public' : 'desk.profile.saved_private'))
  }
  return (
    <>
      <ProfileCard profile={profile} values={form.values} />
      <div className={styles.filling}>
        <Form form={form} onSubmit={save}>
          <Field
            label={t('desk.profile.name')}
            {...field('name', {
              empty: t('desk.profile.name_missing'),
              malformed: t('desk.profile.name_malformed'),
            })}
            limit={limits.name}
            autoComplete="name"
            required
          />
          <Field
            label={t('desk.profile.role')}
            hint={t('desk.profile.role_hint')}
            {...field('role')}
            limit={limits.line}
            autoComplete="organization-title"
          />
          <Field
            label={t('desk.profile.niche')}
            hint={t('desk.profile.niche_hint')}
            {...field('niche')}
            limit={limits.line}
          />
          <Field label={t('desk.profile.location')} {...field('location')} limit={limits.line} autoComplete="off" />
          <TextArea
            label={t('desk.profile.bio')}
            hint={t('desk.profile.bio_hint')}
            {...field('bio')}
            limit={limits.bio}
            rows={6}
          />
          <FormActions>
            <SubmitButton>{t('desk.common.save')}</SubmitButton>
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
      <h2 id="as-readers-see">{t('desk.profile.card')}</h2>
      <Portrait profile={profile} name={values.name} />
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {values.name.trim() || t('desk.profile.card_name')}
          {profile.identity_verified && (
            <svg viewBox="0 0 16 16" width="16" height="16" role="img" aria-label={t('desk.profile.verified')}>
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
          {first || t('desk.profile.card_bio')}
        </p>
        <p className={styles.where}>
          {profile.is_public ? (
            <a href={profile.urls.profile}>{t('desk.profile.card_link')}</a>
          ) : (
            t('desk.profile.card_private')
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
