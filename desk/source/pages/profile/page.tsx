import { useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { type Profile, useProfile, useProfileChange } from '../../api/profile.ts'
import { Button } from '../../components/button.tsx'
import { Area, Field } from '../../components/field.tsx'
import { Acts, Form, Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { Siblings } from '../../components/siblings.tsx'
import { Address } from './address.tsx'
import { Card } from './card.tsx'
import { limits, type Said, saidBy, sentOf } from './form-values.ts'
import styles from './profile.module.css'

/** Who a writer says they are. */
export function Room() {
  const { data: profile, error } = useProfile()
  return (
    <>
      <Siblings
        label="Presence"
        pages={[
          { words: 'Online presence', to: '/desk/edit/online-presence' },
          { words: 'Profile', to: '/desk/edit/profile' },
        ]}
      />
      <Page title="Profile" lead="What readers learn of you, on your page and beside your pieces.">
        <Refused error={error} />
        {profile ? <Filling profile={profile} /> : !error && <Loading />}
      </Page>
    </>
  )
}

function Filling({ profile }: { readonly profile: Profile }) {
  const [said, setSaid] = useState<Said>(() => saidBy(profile))
  const change = useProfileChange()
  const attempt = useAttempt()
  const fill = (field: keyof Said) => ({
    value: said[field],
    onText: (text: string) => setSaid((before) => ({ ...before, [field]: text })),
    problem: problemOf(attempt.error, field),
  })
  const save = attempt.by(async () => {
    const saved = await change('PATCH', '', sentOf(said))
    setSaid(saidBy(saved))
    tell(saved.is_public ? 'Saved. Readers see it now.' : 'Saved. Readers see it with your first piece.')
  })
  return (
    <>
      <Card profile={profile} said={said} />
      <div className={styles.filling}>
        <Form attempt={attempt} onSubmit={save}>
          <Field label="Name" {...fill('name')} limit={limits.name} autoComplete="name" required />
          <Field
            label="Role"
            hint="Such as “Marine biologist” or “Editor, The Ferry Times”."
            {...fill('role')}
            limit={limits.line}
            autoComplete="organization-title"
          />
          <Field
            label="What you write about"
            hint="A few words. People who look for a subject find you by them."
            {...fill('niche')}
            limit={limits.line}
          />
          <Field label="Where you are" {...fill('location')} limit={limits.line} autoComplete="off" />
          <Area
            label="About you"
            hint="Plain text; an empty line begins a new paragraph. The first lines are shown beside your pieces."
            {...fill('bio')}
            limit={limits.bio}
            rows={6}
          />
          <Acts>
            <Button kind="main" type="submit" isBusy={attempt.isBusy}>
              Save
            </Button>
          </Acts>
        </Form>
      </div>
      <Address profile={profile} />
    </>
  )
}
