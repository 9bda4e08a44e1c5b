import { useState } from 'react'
import { type Profile, useUpdateProfile } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
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
      <Dialog title="Change your address" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ChangeSlugForm profile={profile} onDone={() => setOpen(false)} />
      </Dialog>
    </Section>
  )
}

function ChangeSlugForm({ profile, onDone }: { readonly profile: Profile; readonly onDone: () => void }) {
  const [slug, setSlug] = useState(profile.slug)
  const [tried, setTried] = useState<string>()
  const change = useUpdateProfile()
  const attempt = useAttempt()
  const base = profile.urls.profile.slice(0, -profile.slug.length)
  const isSame = slug === profile.slug
  const shape = slugProblem(slug)
  const rename = attempt.handler(async () => {
    if (isSame || shape) return
    setTried(slug)
    await change('PUT', '/slug', { slug })
    showToast('Your address is changed. The old one leads to it.')
    onDone()
  })
  return (
    <Form attempt={attempt} onSubmit={rename}>
      <Field
        label="The end of your address"
        hint="Small letters a to z, digits, and hyphens between them."
        value={slug}
        onText={(text) => setSlug(text.toLowerCase().replace(/[\s_]+/g, '-'))}
        problem={shape ?? (slug === tried ? problemOf(attempt.error, 'slug') : undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        required
      />
      {!isSame && !shape && (
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
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Keep it
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy} disabled={isSame || shape !== undefined}>
          Change address
        </Button>
      </DialogActions>
    </Form>
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
