import { useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { type Profile, useProfileChange, useProfileChanged } from '../../api/profile.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form, Refused, useAttempt } from '../../components/form.tsx'
import { Notice, tell } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import { webAddressOf } from './addresses.ts'
import styles from './presence.module.css'
import { Snippet } from './snippet.tsx'

/** The writer's own website, and how it says that it is theirs. */
export function Website({ profile }: { readonly profile: Profile }) {
  const [typed, setTyped] = useState(profile.website ?? '')
  const change = useProfileChange()
  const attempt = useAttempt()
  const save = attempt.by(async () => {
    const saved = await change('PATCH', '', { website: webAddressOf(typed) })
    setTyped(saved.website ?? '')
    tell(saved.website ? 'Your website is saved.' : 'Your website is taken off your page.')
  })
  const isChanged = typed.trim() !== (profile.website ?? '')
  return (
    <>
      <Form attempt={attempt} onSubmit={save}>
        <Field
          label="Its address"
          type="text"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          value={typed}
          onText={setTyped}
          problem={problemOf(attempt.error, 'website')}
        />
        {isChanged && (
          <Button type="submit" isBusy={attempt.isBusy}>
            Save
          </Button>
        )}
      </Form>
      {profile.website && !isChanged && <Proof profile={profile} website={profile.website} />}
    </>
  )
}

function Proof({ profile, website }: { readonly profile: Profile; readonly website: string }) {
  const { state, proven_at: proven } = profile.website_check
  const changed = useProfileChanged()
  const attempt = useAttempt()
  const check = attempt.by(async () => {
    await ask('POST', '/profile/website/check')
    await changed()
  })
  const isWaiting = state === 'waiting' || attempt.isBusy
  return (
    <>
      <Found profile={profile} website={website} />
      {!proven && (
        <div className={styles.proofs}>
          <p>Put one of these two lines on that page, then check.</p>
          <Snippet
            title="A link back, seen by readers"
            text={`<a rel="me" href="${profile.urls.profile}">${profile.name}</a>`}
          />
          <Snippet
            title="Or a tag in its head, seen by nobody"
            text={`<meta name="standfirst-verification" content="${profile.website_token}">`}
          />
        </div>
      )}
      <Refused error={attempt.error} />
      <Button isBusy={isWaiting} onClick={check}>
        {isWaiting ? 'Looking …' : proven ? 'Check again' : 'Check now'}
      </Button>
    </>
  )
}

const methods = { rel_me: 'links back to you', meta: 'carries your tag' } as const

/** What was seen, where and when. */
function Found({ profile, website }: { readonly profile: Profile; readonly website: string }) {
  const { state, method, evidence, checked_at: checked, proven_at: proven } = profile.website_check
  const host = new URL(website).host
  const seen = checked && (
    <>
      {' '}
      Last looked at <Time at={checked} />.
    </>
  )
  if (state === 'waiting') return <Notice>We are looking at {host} now. It takes a few seconds.</Notice>
  if (state === 'proven' && proven) {
    return (
      <Notice kind="good">
        <p>
          <strong>{host} is yours.</strong> It {method ? methods[method] : 'says so'}
          {evidence && URL.canParse(evidence) && (
            <>
              {' '}
              at <a href={evidence}>{evidence}</a>
            </>
          )}
          , since <Time at={proven} />.{seen}
        </p>
        <p>We look every day. Where the proof is gone, so is the mark.</p>
      </Notice>
    )
  }
  if (state === 'none') return <Notice>Not checked yet. {host} is shown without a mark.</Notice>
  return (
    <Notice kind="bad">
      <p>
        <strong>{state === 'unreachable' ? `${host} could not be read.` : `The proof is not on ${host}.`}</strong>{' '}
        {evidence}
        {seen}
      </p>
      {proven && <p>The mark stays for now; we try again tomorrow.</p>}
    </Notice>
  )
}
