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
import { rich, t } from '../../messages.ts'
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
        title={t('desk.review.invitations.title')}
        lead={t('desk.review.invitations.lead')}
        actions={
          <Button kind="main" onClick={() => setInviting(true)}>
            {t('desk.review.invitations.invite')}
          </Button>
        }
      >
        <ErrorNotice error={error} />
        {!invitations && !error && <Loading />}
        {invitations?.length === 0 && (
          <Empty title={t('desk.review.invitations.empty')}>
            <p>{t('desk.review.invitations.empty_about')}</p>
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
  const made = <Time at={created_at} isPast />
  const title = used_by ?? email ?? t('desk.review.invitations.link')
  const revoke = attempt.handler(async () => {
    await callApi('DELETE', `/review/invitations/${id}`)
    showToast(t('desk.review.invitations.revoked'))
    await invalidateReview()
  })
  return (
    <Row
      title={<bdi>{title}</bdi>}
      about={
        <span className="facts">
          <span>
            {made_by
              ? rich('desk.review.invitations.made', { time: made, moderator: <bdi>{made_by}</bdi> })
              : rich('desk.review.invitations.made_by_operator', { time: made })}
          </span>
          <span>
            {used_at
              ? rich('desk.review.invitations.used_at', { time: <Time at={used_at} isPast /> })
              : rich('desk.review.invitations.expires_at', { time: <Time at={expires_at} /> })}
          </span>
          <ErrorNotice error={attempt.error} />
        </span>
      }
      actions={
        used_at === null && (
          <Button
            kind="quiet"
            aria-label={t('desk.review.invitations.revoke_one', { name: title })}
            isBusy={attempt.isBusy}
            onClick={revoke}
          >
            {t('desk.review.invitations.revoke')}
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
      <Dialog title={t('desk.review.invitations.invite_title')} onClose={onClose}>
        <p>{t('desk.review.invitations.link_about')}</p>
        <p className={styles.link}>
          <code>{link}</code>
        </p>
        <DialogActions>
          <CopyButton text={link} label={t('desk.review.invitations.copy_link')} />
          <Button kind="main" onClick={onClose}>
            {t('desk.common.done')}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t('desk.review.invitations.invite_title')}
      initial={{ email: '' }}
      onSubmit={async ({ email }) => {
        const to = email.trim()
        const { invitation } = await callApi<InvitationMade>('POST', '/review/invitations', to ? { email: to } : {})
        await invalidateReview()
        if (invitation.url) return setLink(invitation.url)
        showToast(t('desk.review.invitations.sent', { email: to }))
        onClose()
      }}
      submit={({ email }) =>
        email.trim() ? t('desk.review.invitations.send') : t('desk.review.invitations.create_link')
      }
      onClose={onClose}
    >
      {({ field }) => (
        <Field
          label={t('desk.review.invitations.email')}
          hint={t('desk.review.invitations.email_hint')}
          type="email"
          autoComplete="off"
          {...field('email')}
          invalid={t('desk.review.invitations.email_invalid')}
        />
      )}
    </FormDialog>
  )
}
