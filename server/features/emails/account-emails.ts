import {
  accountUrl,
  Days,
  formatTime,
  Hours,
  profileUrl,
  Quoted,
  resetPasswordUrl,
  Time,
  Token,
  takeBackUrl,
  template,
} from './layout.ts'

/** Emails about an account: its address, sign-in methods and security events. */
export const accountEmails = {
  'verify-email': template({ token: Token, hours: Hours }, ({ token, hours }, site, t) => ({
    subject: t('email.verify.subject', { site: site.name }),
    before: [t('email.verify.intro', { site: site.name })],
    // A token after the # appears in no server log and no Referer.
    action: { label: t('email.verify.action'), url: `${site.base}/desk/verify-email#${token}` },
    after: [t('email.link_once', { hours }), t('email.verify.ignore')],
  })),

  invitation: template({ token: Token, days: Days }, ({ token, days }, site, t) => ({
    subject: t('email.invitation.subject', { site: site.name }),
    before: [t('email.invitation.intro', { site: site.name })],
    action: { label: t('email.invitation.action'), url: `${site.base}/desk/sign-up#${token}` },
    after: [t('email.invitation.expiry', { days }), t('email.invitation.ignore')],
  })),

  'writer-suspended': template({ at: Time, reason: Quoted }, ({ at, reason }, site, t) => ({
    subject: t('email.suspended.subject', { site: site.name }),
    before: [
      t('email.suspended.intro', { site: site.name, when: formatTime(t, at) }),
      t('email.quote', { text: reason }),
    ],
    action: { label: t('email.go_to_account'), url: accountUrl(site) },
    after: [t('email.suspended.work')],
  })),

  'writer-restored': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.restored.subject', { site: site.name }),
    before: [t('email.restored.intro', { site: site.name, when: formatTime(t, at) })],
    action: { label: t('email.view_profile'), url: profileUrl(site) },
    after: [t('email.nothing_to_do')],
  })),

  'already-have-account': template({}, (_, site, t) => ({
    subject: t('email.known.subject', { site: site.name }),
    before: [t('email.known.intro', { site: site.name })],
    action: { label: t('email.known.action'), url: `${site.base}/desk/sign-in` },
    after: [t('email.known.forgot'), t('email.known.ignore')],
  })),

  'reset-password': template({ token: Token, hours: Hours }, ({ token, hours }, site, t) => ({
    subject: t('email.reset.subject', { site: site.name }),
    before: [t('email.reset.intro', { site: site.name })],
    action: { label: t('email.reset.action'), url: `${site.base}/desk/reset-password#${token}` },
    after: [t('email.link_once', { hours }), t('email.reset.current'), t('email.reset.ignore')],
  })),

  'confirm-new-email': template({ token: Token, hours: Hours }, ({ token, hours }, site, t) => ({
    subject: t('email.confirm_new.subject', { site: site.name }),
    before: [t('email.confirm_new.intro', { site: site.name })],
    action: { label: t('email.confirm_new.action'), url: `${site.base}/desk/confirm-email#${token}` },
    after: [t('email.link_once', { hours }), t('email.confirm_new.until'), t('email.confirm_new.ignore')],
  })),

  'email-change-asked': template({ token: Token, at: Time }, ({ token, at }, site, t) => ({
    subject: t('email.change_requested.subject', { site: site.name }),
    before: [t('email.change_requested.intro', { when: formatTime(t, at) }), t('email.was_you')],
    action: { label: t('email.change_requested.action'), url: takeBackUrl(site, token) },
    after: [t('email.change_requested.link')],
  })),

  'email-changed': template({ token: Token, at: Time }, ({ token, at }, site, t) => ({
    subject: t('email.changed.subject', { site: site.name }),
    before: [t('email.changed.intro', { when: formatTime(t, at) }), t('email.was_you')],
    action: { label: t('email.changed.action'), url: takeBackUrl(site, token) },
    after: [t('email.changed.link')],
  })),

  'take-account-back': template({ token: Token }, ({ token }, site, t) => ({
    subject: t('email.recover.subject', { site: site.name }),
    before: [t('email.recover.intro', { site: site.name })],
    action: { label: t('email.recover.action'), url: takeBackUrl(site, token) },
    after: [t('email.recover.link'), t('email.recover.ignore')],
  })),

  'deletion-asked': template({ token: Token, at: Time }, ({ token, at }, site, t) => ({
    subject: t('email.deletion.subject', { site: site.name }),
    before: [t('email.deletion.intro', { when: formatTime(t, at) }), t('email.was_you')],
    action: { label: t('email.deletion.action'), url: `${site.base}/desk/keep-account#${token}` },
    after: [t('email.deletion.link'), t('email.deletion.not_you', { url: resetPasswordUrl(site) })],
  })),

  'account-deleted': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.deleted.subject', { site: site.name }),
    before: [t('email.deleted.intro', { when: formatTime(t, at) })],
    action: { label: t('email.deleted.action', { site: site.name }), url: `${site.base}/` },
    after: [t('email.deleted.thanks')],
  })),

  'password-changed': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.password_changed.subject', { site: site.name }),
    before: [t('email.password_changed.intro', { when: formatTime(t, at) })],
    action: { label: t('email.go_to_account'), url: accountUrl(site) },
    after: [t('email.reset_now', { url: resetPasswordUrl(site) })],
  })),

  'new-passkey': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.passkey_added.subject', { site: site.name }),
    before: [t('email.passkey_added.intro', { when: formatTime(t, at) })],
    action: { label: t('email.review_passkeys'), url: accountUrl(site) },
    after: [t('email.passkey_added.not_you')],
  })),

  'passkey-deleted': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.passkey_deleted.subject', { site: site.name }),
    before: [t('email.passkey_deleted.intro', { when: formatTime(t, at) })],
    action: { label: t('email.review_passkeys'), url: accountUrl(site) },
    after: [t('email.reset_now', { url: resetPasswordUrl(site) })],
  })),

  'recovery-codes-made': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.recovery_codes.subject', { site: site.name }),
    before: [t('email.recovery_codes.intro', { when: formatTime(t, at) })],
    action: { label: t('email.go_to_account'), url: accountUrl(site) },
    after: [t('email.recovery_codes.not_you', { url: resetPasswordUrl(site) })],
  })),

  'recovery-code-used': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.recovery_code_used.subject', { site: site.name }),
    before: [t('email.recovery_code_used.intro', { when: formatTime(t, at) })],
    action: { label: t('email.go_to_account'), url: accountUrl(site) },
    after: [t('email.recovery_code_used.next'), t('email.reset_now', { url: resetPasswordUrl(site) })],
  })),

  'followers-imported': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.followers_imported.subject', { site: site.name }),
    before: [t('email.followers_imported.intro', { site: site.name, when: formatTime(t, at) })],
    action: { label: t('email.followers_imported.action'), url: `${site.base}/desk/followers` },
    after: [t('email.reset_now', { url: resetPasswordUrl(site) })],
  })),

  'new-sign-in': template({ at: Time }, ({ at }, site, t) => ({
    subject: t('email.new_sign_in.subject', { site: site.name }),
    before: [t('email.new_sign_in.intro', { when: formatTime(t, at) })],
    action: { label: t('email.new_sign_in.action'), url: accountUrl(site) },
    after: [t('email.was_you'), t('email.new_sign_in.not_you')],
  })),
}
