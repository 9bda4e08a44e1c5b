import {
  accountUrl,
  Days,
  formatHours,
  formatTime,
  Hours,
  profileUrl,
  Quoted,
  Time,
  Token,
  takeBackUrl,
  template,
} from './layout.ts'

/** Emails about an account: its address, sign-in methods and security events. */
export const accountEmails = {
  'verify-email': template({ token: Token, hours: Hours }, ({ token, hours }, site) => ({
    subject: `Confirm your address for ${site.name}`,
    before: [
      `Welcome to ${site.name}. Confirm that this address is yours, and choose your name and a password or a passkey.`,
    ],
    // A token after the # appears in no server log and no Referer.
    action: { label: 'Confirm my address', url: `${site.base}/desk/verify-email#${token}` },
    after: [
      `The link works once, for ${formatHours(hours)}.`,
      'If this was not you, do nothing: without this link nobody can use your address here.',
    ],
  })),

  invitation: template({ token: Token, days: Days }, ({ token, days }, site) => ({
    subject: `You are invited to write at ${site.name}`,
    before: [`You have been invited to write at ${site.name}. The link opens the sign-up page.`],
    action: { label: 'Create an account', url: `${site.base}/desk/sign-up#${token}` },
    after: [
      `The invitation is for one account and works for ${days} days.`,
      'If you do not want to write there, do nothing: we have made no account for you.',
    ],
  })),

  'writer-suspended': template({ at: Time, reason: Quoted }, ({ at, reason }, site) => ({
    subject: `You are suspended at ${site.name}`,
    before: [
      `A moderator at ${site.name} suspended you on ${formatTime(at)}. Nothing of yours is public any more, and you cannot write or publish there. The reason:`,
      `“${reason}”`,
    ],
    action: { label: 'Go to your account', url: accountUrl(site) },
    after: ['You still have all your work: you can read and export it there. If this is a mistake, write to the site.'],
  })),

  'writer-restored': template({ at: Time }, ({ at }, site) => ({
    subject: `You can write at ${site.name} again`,
    before: [
      `Your suspension at ${site.name} ended on ${formatTime(at)}. What was public before is public again, at the same addresses, and you can write and publish.`,
    ],
    action: { label: 'See your profile', url: profileUrl(site) },
    after: ['There is nothing you need to do.'],
  })),

  'already-have-account': template({}, (_, site) => ({
    subject: `You already have an account at ${site.name}`,
    before: [
      'Someone, perhaps you, tried to sign up with this address. You have an account already, so we made no second one.',
    ],
    action: { label: 'Sign in', url: `${site.base}/desk/sign-in` },
    after: [
      'If you have forgotten your password, you can set a new one there.',
      'If this was not you, do nothing: your account is as it was.',
    ],
  })),

  'reset-password': template({ token: Token, hours: Hours }, ({ token, hours }, site) => ({
    subject: `Set a new password for ${site.name}`,
    before: [`Someone, we hope you, asked for a new password for your account at ${site.name}.`],
    action: { label: 'Set a new password', url: `${site.base}/desk/reset-password#${token}` },
    after: [
      `The link works once, for ${formatHours(hours)}. Your old password is good until then.`,
      'If this was not you, do nothing: nobody can change your password without this link.',
    ],
  })),

  'confirm-new-email': template({ token: Token, hours: Hours }, ({ token, hours }, site) => ({
    subject: `Confirm your new address for ${site.name}`,
    before: [`Someone, we hope you, wants this address for their account at ${site.name}.`],
    action: { label: 'Use this address', url: `${site.base}/desk/confirm-email#${token}` },
    after: [
      `The link works once, for ${formatHours(hours)}. Until then everything goes to the old address.`,
      'If this was not you, do nothing: without this link nobody can use your address here.',
    ],
  })),

  'email-change-asked': template({ token: Token, at: Time }, ({ token, at }, site) => ({
    subject: `A new email address for your account at ${site.name}`,
    before: [
      `On ${formatTime(at)} someone signed in to your account asked to change its email address. It changes when the email we sent to the new address is opened.`,
      'If this was you, there is nothing to do.',
    ],
    action: { label: 'This was not me', url: takeBackUrl(site, token) },
    after: [
      'The link takes your account back: you set a new password, everybody else is signed out, and your address stays. It works until 72 hours after a change.',
    ],
  })),

  'email-changed': template({ token: Token, at: Time }, ({ token, at }, site) => ({
    subject: `Your address at ${site.name} was changed`,
    before: [
      `Your account got another email address on ${formatTime(at)}. Nothing else goes to this one any more.`,
      'If this was you, there is nothing to do.',
    ],
    action: { label: 'Undo it: this was not me', url: takeBackUrl(site, token) },
    after: [
      'The link works once, for 72 hours. It gives your account this address back, asks you for a new password and signs everybody else out.',
    ],
  })),

  'take-account-back': template({ token: Token }, ({ token }, site) => ({
    subject: `Take back your account at ${site.name}`,
    before: [
      `Someone, we hope you, asked ${site.name} for an email to this address. Your account had it until a change in the last 72 hours.`,
    ],
    action: { label: 'Give my account this address back', url: takeBackUrl(site, token) },
    after: [
      'The link works once, until 72 hours after the change. It asks you for a new password and signs everybody else out.',
      'If you changed the address yourself, do nothing: sign in with the new one.',
    ],
  })),

  'deletion-asked': template({ token: Token, at: Time }, ({ token, at }, site) => ({
    subject: `Your account at ${site.name} will be deleted`,
    before: [
      `Someone signed in to your account, we hope you, asked to delete it. It will be deleted for good on ${formatTime(at)}, with all your pieces. Until then everything stays as it is.`,
      'If this was you, there is nothing to do.',
    ],
    action: { label: 'Keep my account', url: `${site.base}/desk/keep-account#${token}` },
    after: [
      'The link works until that day. You can also sign in and press “Keep my account”.',
      `If this was not you, set a new password now: ${site.base}/desk/forgot-password. That keeps your account and signs everybody else out.`,
    ],
  })),

  'account-deleted': template({ at: Time }, ({ at }, site) => ({
    subject: `Your account at ${site.name} is deleted`,
    before: [
      `Your account was deleted on ${formatTime(at)}, as asked seven days before. Your pieces, your profile, your keys and everything else of yours are gone.`,
    ],
    action: { label: `Go to ${site.name}`, url: `${site.base}/` },
    after: ['Thank you for writing here. You are welcome back at any time.'],
  })),

  'password-changed': template({ at: Time }, ({ at }, site) => ({
    subject: `Your password for ${site.name} was changed`,
    before: [`Your password was changed on ${formatTime(at)}. Every other session was signed out.`],
    action: { label: 'See your account', url: accountUrl(site) },
    after: [`If this was not you, set a new password now: ${site.base}/desk/forgot-password`],
  })),

  'new-passkey': template({ at: Time }, ({ at }, site) => ({
    subject: `A passkey was added to your account at ${site.name}`,
    before: [`A passkey was added to your account on ${formatTime(at)}. Anyone who has it can sign in as you.`],
    action: { label: 'See your passkeys', url: accountUrl(site) },
    after: ['If this was not you, remove the passkey there and set a new password.'],
  })),

  'passkey-deleted': template({ at: Time }, ({ at }, site) => ({
    subject: `A passkey was deleted from your account at ${site.name}`,
    before: [
      `A passkey was deleted from your account on ${formatTime(at)}. It no longer signs in. Every other session was signed out.`,
    ],
    action: { label: 'See your passkeys', url: accountUrl(site) },
    after: [`If this was not you, set a new password now: ${site.base}/desk/forgot-password`],
  })),

  'recovery-codes-made': template({ at: Time }, ({ at }, site) => ({
    subject: `Recovery codes were made for your account at ${site.name}`,
    before: [
      `New recovery codes were made on ${formatTime(at)}. Each signs in to your account once. Older codes no longer work.`,
    ],
    action: { label: 'See your account', url: accountUrl(site) },
    after: [
      `If this was not you, set a new password now: ${site.base}/desk/forgot-password. That makes the codes useless.`,
    ],
  })),

  'recovery-code-used': template({ at: Time }, ({ at }, site) => ({
    subject: `A recovery code signed in to your account at ${site.name}`,
    before: [
      `One of your recovery codes was used to sign in on ${formatTime(at)}. Every other session was signed out.`,
    ],
    action: { label: 'See your account', url: accountUrl(site) },
    after: [
      'If this was you, set a new password, and make new codes before they run out.',
      `If this was not you, set a new password now: ${site.base}/desk/forgot-password`,
    ],
  })),

  'new-sign-in': template({ at: Time }, ({ at }, site) => ({
    subject: `A new sign-in to your account at ${site.name}`,
    before: [`Your account was signed in to on ${formatTime(at)}, from a browser we had not seen before.`],
    action: { label: 'See your sessions', url: accountUrl(site) },
    after: [
      'If this was you, there is nothing to do.',
      'If this was not you, end that session there and set a new password.',
    ],
  })),
}
