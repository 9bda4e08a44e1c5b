import { useState } from 'react'
import type { InvitationMade } from '../../../../server/features/accounts/schema.ts'
import { callApi } from '../../api/client.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Empty, Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Row, Rows } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { type Invitation, invalidateReview, useInvitations } from './queries.ts'
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
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}

function InvitationRow({
  invitation: { id, email, made_by, created_at, expires_at, used_at, used_by },
}: InvitationRowProps) {
  const attempt = useAttempt()
  const title = used_by ?? email ?? 'A link'
  const revoke = attempt.handler(async () => {
    await callApi('DELETE', `/review/invitations/${id}`)
    showToast('The invitation no longer works.')
    await invalidateReview()
  })
  return (
    <Row
      title={<bdi>{title}</bdi>}
      about={
        <span className="facts">
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

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [link, setLink] = useState<string>()
  if (link) {
    return (
      <Dialog title="Invite a writer" onClose={onClose}>
        <p>Give this link to one person. It is shown only now, and works for two weeks.</p>
        <p className={styles.link}>
          <code>{link}</code>
        </p>
        <DialogActions>
          <CopyButton text={link} label="Copy link" />
          <Button kind="main" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Invite a writer"
      initial={{ email: '' }}
      onSubmit={async ({ email }) => {
        const to = email.trim()
        const { invitation } = await callApi<InvitationMade>('POST', '/review/invitations', to ? { email: to } : {})
        await invalidateReview()
        if (invitation.url) return setLink(invitation.url)
        showToast(`We are emailing ${to}.`)
        onClose()
      }}
      submit={({ email }) => (email.trim() ? 'Send invitation' : 'Create link')}
      onClose={onClose}
    >
      {({ field }) => (
        <Field
          label="Email address"
          hint="We email the invitation there. Leave it empty for a link that you pass on yourself."
          type="email"
          autoComplete="off"
          {...field('email')}
          invalid="Enter a valid email address."
        />
      )}
    </FormDialog>
  )
}
