import { useState } from 'react'
import { type Profile, updateProfile } from '../../api/account.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { useForm } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import styles from './profile.module.css'

/** Changes the slug of the writer's profile. */
export function ProfileAddress({ profile }: { readonly profile: Profile }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title="Your address" lead="Your feeds, your badge and the addresses of your pieces are made of it.">
      <p className={styles.current}>{profile.urls.profile}</p>
      <Button onClick={() => setOpen(true)}>Change it</Button>
      {isOpen && <ChangeSlugDialog profile={profile} onClose={() => setOpen(false)} />}
    </Section>
  )
}

function ChangeSlugDialog({ profile, onClose }: { readonly profile: Profile; readonly onClose: () => void }) {
  const form = useForm({ slug: profile.slug })
  const [tried, setTried] = useState<string>()
  const { value: slug, problem } = form.field('slug')
  const base = profile.urls.profile.slice(0, -profile.slug.length)
  const shape = slugProblem(slug)
  const isReady = slug !== profile.slug && !shape
  return (
    <FormDialog
      title="Change your address"
      form={form}
      onSubmit={async () => {
        if (!isReady) return
        setTried(slug)
        await updateProfile('PUT', '/slug', { slug })
        showToast('Your address is changed. The old one leads to it.')
        onClose()
      }}
      isReady={isReady}
      submit="Change address"
      cancel="Keep it"
      onClose={onClose}
    >
      <Field
        label="The end of your address"
        hint="Small letters a to z, digits, and hyphens between them."
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
          <dt>From now on</dt>
          <dd>
            {base}
            <strong>{slug}</strong>
          </dd>
          <dt>The old address leads here</dt>
          <dd>{profile.urls.profile}</dd>
        </dl>
      )}
    </FormDialog>
  )
}

const maxSlug = 40

/** Validates the slug while typing; only the server knows whether it is free. */
function slugProblem(slug: string): string | undefined {
  if (slug === '') return 'It needs at least one letter.'
  const strange = /[^a-z0-9-]/.exec(slug)?.[0]
  if (strange) return `“${strange}” cannot stand in it: only a to z, 0 to 9 and hyphens.`
  if (slug.length > maxSlug) return `It can have ${maxSlug} letters at most; these are ${slug.length}.`
  if (slug.startsWith('-') || slug.endsWith('-')) return 'A hyphen can stand only between letters.'
  return undefined
}
