import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import Type, { type Static } from 'typebox'
import { languages } from '#messages/translator.ts'
import { dateTime, nullable, ok } from '#platform/common-schemas.ts'
import { type LinkKind, linkKinds } from './token.ts'

/** Wire shapes of accounts in the desk API. Passwords are checked by password-rules.ts, not here. */

const longestPassword = 4096

const email = Type.String({
  maxLength: 254,
  pattern: "^\\s*[!#-'*+./0-9=?A-Z^_`a-z{|}~-]{1,64}@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*\\s*$",
})
const name = Type.String({ maxLength: 400, 'x-visible': true, 'x-printable': true })
const password = Type.String({ minLength: 1, maxLength: longestPassword, 'x-printable': true })
const token = Type.String({
  minLength: 1,
  maxLength: 200,
  'x-printable': true,
  description: 'Of the link in an email.',
})

export const SignInBody = Type.Object({ email, password })
export const CodeBody = Type.Object({ email, code: Type.String({ minLength: 1, maxLength: 100, 'x-printable': true }) })
export const RecoveryCodes = Type.Object({ ok, codes: Type.Array(Type.String(), { description: 'Shown this once.' }) })
export type RecoveryCodes = Static<typeof RecoveryCodes>
export const EmailBody = Type.Object({ email })
export const SignUpBody = Type.Object({
  email,
  invitation: Type.Optional(Type.String({ minLength: 1, maxLength: 200, 'x-printable': true })),
})
/** Sign-up takes an address; the rest comes with the link sent there, which proves access to the mailbox. */
export const NewcomerBody = Type.Object({ token, name })
export const VerifyBody = Type.Object({ token, name, password })
export const ResetBody = Type.Object({
  token,
  password,
  remove: Type.Optional(
    Type.Array(Type.String({ maxLength: 40 }), {
      maxItems: 600,
      description: 'Ids of the ways in that the owner of the account does not know.',
    }),
  ),
})
export const TokenBody = Type.Object({ token })
export const LinkBody = Type.Object({ token, opens: Type.Unsafe<LinkKind>({ type: 'string', enum: linkKinds }) })
export const PasswordBody = Type.Object({ password })

const base64url = (longest: number) => Type.String({ minLength: 1, maxLength: longest, pattern: '^[A-Za-z0-9_-]+$' })
/** Bytes; the limit of WebAuthn. */
export const longestCredentialId = 1023
const credentialId = base64url((longestCredentialId * 4) / 3)
const transport = Type.String({ maxLength: 32, pattern: '^[a-z0-9-]+$' })
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}),
}

/** The result of a browser's `PublicKeyCredential.toJSON()`; other members are ignored. */
const Made = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(8192),
      attestationObject: base64url(16_384),
      transports: Type.Optional(Type.Array(transport, { maxItems: 8 })),
    }),
  }),
)
const Shown = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(8192),
      authenticatorData: base64url(8192),
      signature: base64url(4096),
      userHandle: Type.Optional(nullable(base64url(128))),
    }),
  }),
)

export const PasskeySignInBody = Type.Object({ credential: Shown })
const nonce = Type.Optional(
  Type.String({
    maxLength: 43,
    pattern: '^[\\w-]{43}$',
    description: 'Of the preview of the text that the passkey is shown for.',
  }),
)
export const ConfirmOptionsBody = Type.Object({ nonce })
export const ConfirmBody = Type.Object({ password: Type.Optional(password), credential: Type.Optional(Shown), nonce })
export const NewPasskeyBody = Type.Object({ credential: Made, name: Type.Optional(name) })
export const FirstPasskeyBody = Type.Object({ token, name, credential: Made })
export const NameBody = Type.Object({ name })
/** Of the desk and of emails; null to follow the browser, and in emails the site. */
const language = Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...languages, null] })
export const SettingsBody = Type.Object({
  drafts_letter: Type.Optional(Type.Boolean()),
  comment_emails: Type.Optional(Type.Boolean()),
  language: Type.Optional(language),
})
export type Settings = Static<typeof SettingsBody>
export const OneOfMine = Type.Object({ id: Type.String() })

export const Done = Type.Object({ ok })
/** `language`: what the account chose; null if nothing. */
export const SignedInto = Type.Object({ ok, language: nullable(Type.String()) })
export type SignedInto = Static<typeof SignedInto>

export const WayIn = Type.Object({
  kind: Type.Unsafe<'passkey' | 'key' | 'link'>({ type: 'string', enum: ['passkey', 'key', 'link'] }),
  id: Type.String(),
  name: Type.String({ description: 'Of a passkey or a key; of a private link, the headline of its piece.' }),
  created_at: dateTime,
  last_used_at: nullable(dateTime),
})
export type WayIn = Static<typeof WayIn>
export const LinkFound = Type.Object({
  ok,
  ways_in: Type.Array(WayIn, { description: 'What else opens the account that gets a new password.' }),
})
/** The address of the link's account, so that it need not be typed to sign in. */
export const LinkUsed = Type.Object({ ok, email: Type.String() })
/** Returned where an email may follow, whether or not one is sent. */
export const EmailPromised = Type.Object({ ok })
export const Options = Type.Object({ ok, options: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) })

export const Account = Type.Object({
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  fresh: Type.Boolean({ description: 'Signed in, or confirmed, in the last ten minutes.' }),
  writer: nullable(Type.Object({ id: Type.String(), slug: Type.String() })),
  has_password: Type.Boolean(),
  passkeys: Type.Integer(),
  drafts_letter: Type.Boolean({ description: 'An email is sent when one of their keys has made drafts.' }),
  comment_emails: Type.Boolean({ description: 'Emails are sent about comments on drafts.' }),
  language: nullable(Type.String({ description: 'Of the desk and of emails; null if none was chosen.' })),
  suspended: nullable(
    Type.Object({ at: dateTime, reason: Type.String() }, { description: 'As a writer, by a moderator; and why.' }),
  ),
  email_change: nullable(Type.Object({ to: Type.String(), asked_at: dateTime })),
  email_undo: nullable(
    Type.Object({ to: Type.String(), until: dateTime }, { description: 'A change that the old address can undo.' }),
  ),
  recovery_codes: nullable(
    Type.Object({ left: Type.Integer(), made_at: dateTime }, { description: 'Those that were not used yet.' }),
  ),
  deletion: nullable(
    Type.Object({ asked_at: dateTime, at: dateTime }, { description: 'When the account will be deleted for good.' }),
  ),
})
export type Account = Static<typeof Account>
export const DeletionAsked = Type.Object({ ok, delete_at: dateTime })
export const AccountFound = Type.Object({ ok, account: Account })

export const Session = Type.Object({
  id: Type.String(),
  user_agent: nullable(Type.String()),
  address: nullable(Type.String()),
  created_at: dateTime,
  last_seen_at: dateTime,
  expires_at: dateTime,
  is_this_one: Type.Boolean(),
})
export type Session = Static<typeof Session>
export const SessionList = Type.Object({ ok, count: Type.Integer(), sessions: Type.Array(Session) })
export const Ended = Type.Object({ ok, ended: Type.Integer() })

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: dateTime,
  last_used_at: nullable(dateTime),
})
export type Passkey = Static<typeof Passkey>
export const PasskeyList = Type.Object({ ok, count: Type.Integer(), passkeys: Type.Array(Passkey) })
export const PasskeyAdded = Type.Object({ ok, id: Type.String() })

export const HistoryQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only events of a lower number.' }),
  ),
})
export const SecurityEvent = Type.Object(
  {
    account: Type.String(),
    number: Type.Integer({ description: 'From 1, without gaps.' }),
    at: dateTime,
    act: Type.String(),
    facts: Type.Record(Type.String(), Type.String(), {
      description: 'From where, by what, and which: only what is known of it.',
    }),
    previous: Type.String({ description: 'The hash of the event before; empty for the first.' }),
    hash: Type.String({ description: 'SHA-256 of the other members as canonical JSON (RFC 8785), in hexadecimal.' }),
  },
  { description: 'Something that happened to the account.' },
)
export type SecurityEvent = Static<typeof SecurityEvent>
export const SecurityHistory = Type.Object({
  ok,
  events: Type.Array(SecurityEvent),
  next: nullable(Type.Integer({ description: 'For `before`, where there are more.' })),
})
export type SecurityHistory = Static<typeof SecurityHistory>

/** The wire shapes of invitations at the desk. */

const text = Type.String()

export const NewInvitation = Type.Object({ email: Type.Optional(email) })
export const OneInvitation = Type.Object({ invitation: text })

export const InvitationMade = Type.Object({
  ok,
  invitation: Type.Object({
    id: text,
    expires_at: dateTime,
    url: nullable(Type.String({ description: 'Shown once; null where it goes by email.' })),
  }),
})
export type InvitationMade = Static<typeof InvitationMade>

export const Invitations = Type.Object({
  ok,
  count: Type.Integer(),
  invitations: Type.Array(
    Type.Object({
      id: text,
      /** Null for the operator, and for a moderator whose account is deleted. */
      made_by: nullable(text),
      email: nullable(text),
      created_at: dateTime,
      expires_at: dateTime,
      used_at: nullable(dateTime),
      used_by: nullable(text),
    }),
  ),
})
export type Invitations = Static<typeof Invitations>
