import { useState } from 'react'
import { type Profile, updateProfile } from '../../api/account.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { useForm } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import styles from './profile.module.css'

/** Changes the slug of the writer's profile. */
export function ProfileAddress({ profile }: { readonly profile: Profile }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title={t('desk.profile.address')} lead={t('desk.profile.address_lead')}>
      <p className={styles.current}>{profile.urls.profile}</p>
      <Button onClick={() => setOpen(true)}>{t('desk.common.change')}</Button>
      {isOpen && <ChangeSlugDialog profile={profile} onClose={() => setOpen(false)} />}
    </Section>
  )
}

function ChangeSlugDialog({ profile, onClose }: { readonly profile: Profile; readonly onClose: () => void }) {
  const form = useForm({ slug: profile.slug })
  const [tried, setTried] = useState<string>()
  const { value: slug, problem } = form.field('slug', { malformed: t('desk.profile.address_unavailable') })
  const base = profile.urls.profile.slice(0, -profile.slug.length)
  const shape = slugProblem(slug)
  const isReady = slug !== profile.slug && !shape
  return (
    <FormDialog
      title={t('desk.profile.address_change')}
      form={form}
      onSubmit={async () => {
        if (!isReady) return
        setTried(slug)
        await updateProfile('PUT', '/slug', { slug })
        showToast(t('desk.profile.address_changed'))
        onClose()
      }}
      isReady={isReady}
      submit={t('desk.profile.address_submit')}
      onClose={onClose}
    >
      <Field
        label={t('desk.profile.address_label')}
        hint={t('desk.profile.address_hint')}
        value={slug}
        onText={(text) => form.change({ slug: text.toLowerCase().replace(/[\s_]+/g, '-') })}
        problem={shape ?? (slug === tried ? problem : undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        required
      />
      {isReady && (
        <dl className={styles.change}>
          <dt>{t('desk.profile.address_new')}</dt>
          <dd>
            {base}
            <strong>{slug}</strong>
          </dd>
          <dt>{t('desk.profile.address_old')}</dt>
          <dd>{profile.urls.profile}</dd>
        </dl>
      )}
    </FormDialog>
  )
}

const maxSlug = 40

/** Validates the slug while typing; only the server knows whether it is free. */
function slugProblem(slug: string): string | undefined {
  if (slug === '') return t('desk.profile.address_empty')
  const character = /[^a-z0-9-]/u.exec(slug)?.[0]
  if (character) return t('desk.profile.address_character', { character })
  if (slug.length > maxSlug) return t('desk.profile.address_too_long', { max: maxSlug, count: slug.length })
  if (slug.startsWith('-') || slug.endsWith('-')) return t('desk.profile.address_hyphen')
  return undefined
}
