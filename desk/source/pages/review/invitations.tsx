import { useState } from 'react'
import type { InvitationMade } from '../../../../server/features/accounts/schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, Form, useAttempt } from '../../components/form.tsx'
import { Empty, Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Row, Rows } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { type Invitation, useInvalidateReview, useInvitations } from './queries.ts'
import styles from './review.module.css'
import { ReviewNav } from './review-nav.tsx'

/** Invitations by email, or as a link that is shown once. */
export function InvitationsPage() {
  const { data: invitations, error } = useInvitations()
  const [isInviting, setInviting] = useState(false)
  return (
    <>
      <ReviewNav />
      <Page
        title="Invitations"
        lead="Each is for one new account and works for two weeks."
        actions={
          <Button kind="main" onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
      >
        <ErrorNotice error={error} />
        {!invitations && !error && <Loading />}
        {invitations?.length === 0 && (
          <Empty title="No invitations yet">
            <p>Invite somebody to write here, by email or with a link.</p>
          </Empty>
        )}
        {invitations && invitations.length > 0 && (
          <Rows>
            {invitations.map((one) => (
              <InvitationRow key={one.id} invitation={one} />
            ))}
          </Rows>
        )}
      </Page>
      <Dialog title="Invite a writer" isOpen={isInviting} onClose={() => setInviting(false)}>
        {isInviting && <InviteForm onDone={() => setInviting(false)} />}
      </Dialog>
    </>
  )
}

function InvitationRow({
  invitation: { id, email, made_by, created_at, expires_at, used_at, used_by },
}: InvitationRowProps) {
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const title = used_by ?? email ?? 'A link'
  const revoke = attempt.handler(async () => {
    await callApi('DELETE', `/review/invitations/${id}`)
    showToast('The invitation no longer works.')
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
          <ErrorNotice error={attempt.error} />
        </span>
      }
      actions={
        used_at === null && (
          <Button kind="quiet" aria-label={`Revoke the invitation: ${title}`} isBusy={attempt.isBusy} onClick={revoke}>
            Revoke
          </Button>
        )
      }
    />
  )
}

interface InvitationRowProps {
  readonly invitation: Invitation
}

function InviteForm({ onDone }: { readonly onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [link, setLink] = useState<string>()
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const invite = attempt.handler(async () => {
    const to = email.trim()
    const { invitation } = await callApi<InvitationMade>('POST', '/review/invitations', to ? { email: to } : {})
    await changed()
    if (invitation.url) return setLink(invitation.url)
    showToast(`We are emailing ${to}.`)
    onDone()
  })
  if (link) {
    return (
      <>
        <p>Give this link to one person. It is shown only now, and works for two weeks.</p>
        <p className={styles.link}>
          <code>{link}</code>
        </p>
        <DialogActions>
          <CopyButton text={link} label="Copy link" />
          <Button kind="main" onClick={onDone}>
            Done
          </Button>
        </DialogActions>
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
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          {email.trim() ? 'Send invitation' : 'Create link'}
        </Button>
      </DialogActions>
    </Form>
  )
}
