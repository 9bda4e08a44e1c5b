import { useState } from 'react'
import type { InvitationMade } from '../../../../server/features/accounts/invitations-schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Field } from '../../components/field.tsx'
import { Form, Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { Time } from '../../components/time.tsx'
import { ReviewPages } from './pages.tsx'
import { type Invitation, useInvitations, useReviewChanged } from './queries.ts'
import styles from './review.module.css'

/** Who may sign up: an invitation goes by email, or as a link that is shown once. */
export function Room() {
  const { data: invitations, error } = useInvitations()
  const [isInviting, setInviting] = useState(false)
  return (
    <>
      <ReviewPages />
      <Page
        title="Invitations"
        lead="Each is for one new account and works for two weeks."
        acts={
          <Button kind="main" onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
      >
        <Refused error={error} />
        {!invitations && !error && <Loading />}
        {invitations?.length === 0 && (
          <Empty title="No invitations yet">
            <p>Invite somebody to write here, by email or with a link.</p>
          </Empty>
        )}
        {invitations && invitations.length > 0 && (
          <Rows>
            {invitations.map((one) => (
              <Invited key={one.id} invitation={one} />
            ))}
          </Rows>
        )}
      </Page>
      <Dialog title="Invite a writer" isOpen={isInviting} onClose={() => setInviting(false)}>
        {isInviting && <Inviting onDone={() => setInviting(false)} />}
      </Dialog>
    </>
  )
}

function Invited({ invitation: { id, email, made_by, created_at, expires_at, used_at, used_by } }: InvitedProps) {
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const title = used_by ?? email ?? 'A link'
  const revoke = attempt.by(async () => {
    await ask('DELETE', `/review/invitations/${id}`)
    tell('The invitation no longer works.')
    await changed()
  })
  return (
    <Row
      title={<bdi>{title}</bdi>}
      about={
        <span className={styles.facts}>
          <span>
            Invited <Time at={created_at} isPast /> by <bdi>{made_by ?? 'the operator'}</bdi>
          </span>
          <span>
            {used_at ? 'Used ' : 'Expires '}
            <Time at={used_at ?? expires_at} isPast={used_at !== null} />
          </span>
          <Refused error={attempt.error} />
        </span>
      }
      acts={
        used_at === null && (
          <Button kind="quiet" aria-label={`Revoke the invitation: ${title}`} isBusy={attempt.isBusy} onClick={revoke}>
            Revoke
          </Button>
        )
      }
    />
  )
}

interface InvitedProps {
  readonly invitation: Invitation
}

function Inviting({ onDone }: { readonly onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [link, setLink] = useState<string>()
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const invite = attempt.by(async () => {
    const to = email.trim()
    const { invitation } = await ask<InvitationMade>('POST', '/review/invitations', to ? { email: to } : {})
    await changed()
    if (invitation.url) return setLink(invitation.url)
    tell(`We are emailing ${to}.`)
    onDone()
  })
  if (link) {
    return (
      <>
        <p>Give this link to one person. It is shown only now, and works for two weeks.</p>
        <p className={styles.link}>
          <code>{link}</code>
        </p>
        <Choices>
          <Copy text={link} label="Copy link" />
          <Button kind="main" onClick={onDone}>
            Done
          </Button>
        </Choices>
      </>
    )
  }
  return (
    <Form attempt={attempt} onSubmit={invite}>
      <Field
        label="Email address"
        hint="We email the invitation there. Leave it empty for a link that you pass on yourself."
        type="email"
        autoComplete="off"
        value={email}
        onText={setEmail}
        problem={problemOf(attempt.error, 'email') && 'Enter a valid email address.'}
      />
      <Choices>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          {email.trim() ? 'Send invitation' : 'Create link'}
        </Button>
      </Choices>
    </Form>
  )
}
