import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { Check } from 'typebox/value'
import { type House, type Letter, setLetter, type Words } from './letter.ts'

/**
 * Every letter the house writes. A job names one and gives its parameters, each of a shape that has no room for prose:
 * whoever can add a job cannot make the house say anything but what stands here.
 */

const Token = Type.String({ pattern: '^[A-Za-z0-9_-]{16,128}$' })
const Hours = Type.Integer({ minimum: 1, maximum: 168 })
const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$' })
const PieceId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const KeyHead = Type.String({ pattern: '^pk_live_[0-9a-f]{4}$' })

interface Template<Properties extends TProperties> {
  readonly params: TObject<Properties>
  write(params: Static<TObject<Properties>>, house: House): Words
}
const template = <Properties extends TProperties>(
  properties: Properties,
  write: Template<Properties>['write'],
): Template<Properties> => ({ params: Type.Object(properties, { additionalProperties: false }), write })

const presence = ({ base }: House): string => `${base}/desk/edit/online-presence`
const webhook = ({ base }: House): string => `${base}/desk/edit/online-presence#webhook`
const account = ({ base }: House): string => `${base}/desk/account`
const takeBack = ({ base }: House, token: string): string => `${base}/desk/reset-password#${token}`
const profile = ({ base }: House): string => `${base}/desk/edit/profile`
const publicPiece = ({ base }: House, id: string): string => `${base}/p/${id}`
const piece = ({ base }: House, id: string): string => `${base}/desk/edit/pieces/${id}`

/** Anybody can write anybody's address into the form. */
const reporterForgotten = [
  'We deleted your address from the report when this was decided, and will not write again.',
  'If you reported nothing, somebody gave your address by mistake, and there is nothing to do.',
]

const templates = {
  'verify-email': template({ token: Token, hours: Hours }, ({ token, hours }, house) => ({
    subject: `Confirm your address for ${house.name}`,
    before: [
      `Welcome to ${house.name}. Confirm that this address is yours, and choose your name and a password or a passkey.`,
    ],
    // After the #, a token is in no server's log and in no Referer.
    action: { label: 'Confirm my address', url: `${house.base}/desk/verify-email#${token}` },
    after: [
      `The link works once, for ${lasting(hours)}.`,
      'If this was not you, do nothing: without this link nobody can use your address here.',
    ],
  })),

  'already-have-account': template({}, (_, house) => ({
    subject: `You already have an account at ${house.name}`,
    before: [
      'Somebody, perhaps you, tried to sign up with this address. You have an account already, so we made no second one.',
    ],
    action: { label: 'Sign in', url: `${house.base}/desk/sign-in` },
    after: [
      'If you have forgotten your password, you can set a new one there.',
      'If this was not you, do nothing: your account is as it was.',
    ],
  })),

  'reset-password': template({ token: Token, hours: Hours }, ({ token, hours }, house) => ({
    subject: `Set a new password for ${house.name}`,
    before: [`Somebody, we hope you, asked for a new password for your account at ${house.name}.`],
    action: { label: 'Set a new password', url: `${house.base}/desk/reset-password#${token}` },
    after: [
      `The link works once, for ${lasting(hours)}. Your old password is good until then.`,
      'If this was not you, do nothing: nobody can change your password without this link.',
    ],
  })),

  'confirm-new-email': template({ token: Token, hours: Hours }, ({ token, hours }, house) => ({
    subject: `Confirm your new address for ${house.name}`,
    before: [`Somebody, we hope you, wants this address for their account at ${house.name}.`],
    action: { label: 'Use this address', url: `${house.base}/desk/confirm-email#${token}` },
    after: [
      `The link works once, for ${lasting(hours)}. Until then everything goes to the old address.`,
      'If this was not you, do nothing: without this link nobody can use your address here.',
    ],
  })),

  'email-change-asked': template({ token: Token, at: Time }, ({ token, at }, house) => ({
    subject: `A new email address for your account at ${house.name}`,
    before: [
      `On ${spoken(at)} somebody signed in to your account asked to change its email address. It changes when the email we sent to the new address is opened.`,
      'If this was you, there is nothing to do.',
    ],
    action: { label: 'This was not me', url: takeBack(house, token) },
    after: [
      'The link takes your account back: you set a new password, everybody else is signed out, and your address stays. It works until 72 hours after a change.',
    ],
  })),

  'email-changed': template({ token: Token, at: Time }, ({ token, at }, house) => ({
    subject: `Your address at ${house.name} was changed`,
    before: [
      `Your account got another email address on ${spoken(at)}. Nothing else goes to this one any more.`,
      'If this was you, there is nothing to do.',
    ],
    action: { label: 'Undo it: this was not me', url: takeBack(house, token) },
    after: [
      'The link works once, for 72 hours. It gives your account this address back, asks you for a new password and signs everybody else out.',
    ],
  })),

  'take-account-back': template({ token: Token }, ({ token }, house) => ({
    subject: `Take back your account at ${house.name}`,
    before: [
      `Somebody, we hope you, asked ${house.name} for an email to this address. Your account had it until a change in the last 72 hours.`,
    ],
    action: { label: 'Give my account this address back', url: takeBack(house, token) },
    after: [
      'The link works once, until 72 hours after the change. It asks you for a new password and signs everybody else out.',
      'If you changed the address yourself, do nothing: sign in with the new one.',
    ],
  })),

  'account-deleted': template({ at: Time }, ({ at }, house) => ({
    subject: `Your account at ${house.name} is deleted`,
    before: [
      `You deleted your account on ${spoken(at)}. Your pieces, your profile, your keys and everything else of yours are gone.`,
    ],
    action: { label: `Go to ${house.name}`, url: `${house.base}/` },
    after: ['Thank you for writing here. You are welcome back at any time.'],
  })),

  'password-changed': template({ at: Time }, ({ at }, house) => ({
    subject: `Your password for ${house.name} was changed`,
    before: [`Your password was changed on ${spoken(at)}. Every other session was signed out.`],
    action: { label: 'See your account', url: account(house) },
    after: [`If this was not you, set a new password now: ${house.base}/desk/forgot-password`],
  })),

  'new-passkey': template({ at: Time }, ({ at }, house) => ({
    subject: `A passkey was added to your account at ${house.name}`,
    before: [`A passkey was added to your account on ${spoken(at)}. Whoever holds it can sign in as you.`],
    action: { label: 'See your passkeys', url: account(house) },
    after: ['If this was not you, remove the passkey there and set a new password.'],
  })),

  'passkey-deleted': template({ at: Time }, ({ at }, house) => ({
    subject: `A passkey was deleted from your account at ${house.name}`,
    before: [
      `A passkey was deleted from your account on ${spoken(at)}. It no longer signs in. Every other session was signed out.`,
    ],
    action: { label: 'See your passkeys', url: account(house) },
    after: [`If this was not you, set a new password now: ${house.base}/desk/forgot-password`],
  })),

  'new-sign-in': template({ at: Time }, ({ at }, house) => ({
    subject: `A new sign-in to your account at ${house.name}`,
    before: [`Your account was signed in to on ${spoken(at)}, from a browser we had not seen before.`],
    action: { label: 'See your sessions', url: account(house) },
    after: [
      'If this was you, there is nothing to do.',
      'If this was not you, end that session there and set a new password.',
    ],
  })),

  'drafts-by-key': template(
    { count: Type.Integer({ minimum: 1, maximum: 1_000_000 }) },
    ({ count }, { name, base }) => ({
      subject: count === 1 ? 'A draft is waiting for you' : `${count} drafts are waiting for you`,
      before: [
        `One of your API keys made ${count === 1 ? 'a draft' : `${count} drafts`} for you at ${name}. Nobody else can see ${count === 1 ? 'it' : 'them'}: only you publish, at the desk.`,
      ],
      action: { label: count === 1 ? 'Read the draft' : 'Read the drafts', url: `${base}/desk?status=draft` },
      after: [
        `If no program of yours should be writing, revoke the key: ${presence({ name, base })}`,
        `We write about this once an hour at most. You can turn it off: ${account({ name, base })}`,
      ],
    }),
  ),

  'key-minted': template({ key: KeyHead, at: Time }, ({ key, at }, house) => ({
    subject: `A new API key for your account at ${house.name}`,
    before: [
      `An API key that begins with ${key} was made on ${spoken(at)}. Whoever holds it can make drafts in your name, and change those drafts. It cannot publish.`,
    ],
    action: { label: 'See your keys', url: presence(house) },
    after: ['If this was not you, revoke the key there and set a new password.'],
  })),

  'changes-requested': template({ piece: PieceId }, (params, house) => ({
    subject: 'Your piece needs another look',
    before: [
      `A moderator at ${house.name} has read your piece and asks for changes. Their note is with the piece, at the desk.`,
    ],
    action: { label: 'Read the note', url: piece(house, params.piece) },
    after: ['When you have made the changes, send it in again from there.'],
  })),

  rejected: template({ piece: PieceId }, (params, house) => ({
    subject: 'Your piece was not accepted',
    before: [
      `A moderator at ${house.name} has read your piece and decided against it. Their reason is with the piece, at the desk.`,
    ],
    action: { label: 'Read the reason', url: piece(house, params.piece) },
    after: ['Nothing is lost: you can revise the piece and send it in again.'],
  })),

  approved: template({ piece: PieceId }, (params, house) => ({
    subject: 'Your piece is public',
    before: [`A moderator at ${house.name} has approved your piece. Everyone can read it now.`],
    action: { label: 'See your piece', url: publicPiece(house, params.piece) },
    after: [`You can change or unpublish it at the desk: ${piece(house, params.piece)}`],
  })),

  'taken-down': template({ piece: PieceId }, (params, house) => ({
    subject: 'Your piece was taken down',
    before: [
      `A moderator at ${house.name} has taken your piece down. Readers no longer see it; you still have all of it. The reason is with the piece, at the desk.`,
    ],
    action: { label: 'Read the reason', url: piece(house, params.piece) },
    after: ['You can revise the piece and send it in for review.'],
  })),

  'report-taken-down': template({ piece: PieceId }, (params, house) => ({
    subject: 'The piece you reported was taken down',
    before: [
      `You reported a piece at ${house.name}. A moderator has looked at it and taken it down: readers no longer see it. Thank you for telling us.`,
    ],
    action: { label: 'Where it was', url: publicPiece(house, params.piece) },
    after: reporterForgotten,
  })),

  'report-kept': template({ piece: PieceId }, (params, house) => ({
    subject: 'The piece you reported stays public',
    before: [
      `You reported a piece at ${house.name}. A moderator has looked at it and decided that it stays. Thank you for telling us all the same.`,
    ],
    action: { label: 'See the piece', url: publicPiece(house, params.piece) },
    after: [
      'If there is something the moderators cannot have known, report it again and say what.',
      ...reporterForgotten,
    ],
  })),

  'webhook-warning': template({ at: Time }, ({ at }, house) => ({
    subject: 'Your webhook has been failing for a day',
    before: [
      `The server your webhook calls has not taken a single delivery for a day, as of ${spoken(at)}. Nothing is lost: we go on trying, less and less often.`,
    ],
    action: { label: 'See what it answered', url: webhook(house) },
    after: ['If it fails for five days, we stop calling it and hold what there is to send for thirty days.'],
  })),

  'webhook-failing': template({ at: Time }, ({ at }, house) => ({
    subject: 'Your webhook is switched off',
    before: [
      `The server your webhook calls has failed for five days, so we stopped calling it on ${spoken(at)}. What there is to send is held for thirty days.`,
    ],
    action: { label: 'Look at your webhook', url: webhook(house) },
    after: [
      'When the server is well again, send a test from there: an answer switches the webhook on, and you can send what was held.',
    ],
  })),

  'webhook-gone': template({ at: Time }, ({ at }, house) => ({
    subject: 'Your webhook is switched off',
    before: [
      `The server your webhook calls answered 410 Gone on ${spoken(at)}, which asks us to stop. So we did. What there is to send is held for thirty days.`,
    ],
    action: { label: 'Look at your webhook', url: webhook(house) },
    after: ['If that was not meant, send a test from there: an answer switches the webhook on again.'],
  })),

  'identity-verified': template({ at: Time }, ({ at }, house) => ({
    subject: 'Your identity is verified',
    before: [
      `A moderator at ${house.name} verified your identity on ${spoken(at)}. Your name carries the mark now, wherever readers meet it.`,
    ],
    action: { label: 'See your profile', url: profile(house) },
    after: ['The mark is for the name you have. If you change your name, it is verified anew.'],
  })),

  'identity-withdrawn': template({ at: Time }, ({ at }, house) => ({
    subject: 'Your identity is no longer verified',
    before: [
      `A moderator at ${house.name} withdrew the mark from your name on ${spoken(at)}. Your profile and your pieces are as they were.`,
    ],
    action: { label: 'See your profile', url: profile(house) },
    after: ['If you think this is a mistake, write to the house and say why.'],
  })),
}

type Templates = typeof templates
export type LetterKind = keyof Templates
export type LetterParams = { [Kind in LetterKind]: Static<Templates[Kind]['params']> }

/** A letter to be written: its kind and what that kind needs to know. */
export type LetterOrder = {
  readonly [Kind in LetterKind]: { readonly letter: Kind; readonly params: Readonly<LetterParams[Kind]> }
}[LetterKind]

export const letterKinds = Object.keys(templates) as LetterKind[]

/** Undefined for a kind there is not, or parameters that are not of its shape. */
export function writeLetter(order: { letter: string; params: unknown }, house: House): Letter | undefined {
  if (!Object.hasOwn(templates, order.letter)) return undefined
  const { params, write } = templates[order.letter as LetterKind] as unknown as Template<TProperties>
  if (!Check(params, order.params)) return undefined
  return setLetter(write(order.params, house), house)
}

const lasting = (hours: number): string => (hours === 1 ? 'one hour' : `${hours} hours`)

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const spoken = (time: string): string => `${clock.format(new Date(time))} UTC`
