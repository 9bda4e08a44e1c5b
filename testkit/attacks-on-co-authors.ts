import { type Attack, type AttackSite, by, hash, noRight } from './attacks.ts'

/** Co-authors: no role writes the names, and nobody answers for another. */
export function coAuthorAttacks(
  { me, other, pieces: { live, theirs, inviting, removed } }: AttackSite,
  services: readonly string[],
): Attack[] {
  const own = hash(me.sessionToken)
  const reading = (piece: string) => `select app.co_authored_piece('${piece}', ${own})`
  const row = (writer: string, session: string) => `insert into app.co_authors
    (piece_id, writer_id, invited_by, position, answer, answered_at, answered_in)
    values ('${live}', '${writer}', '${me.id}', 1, 'agreed', now(), '${session}')`
  return [
    ...services.flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot write consent`]: row(other.id, me.sessionId),
        [`${role} cannot name co-authors`]: `update pub.pieces set co_authors = array['${other.id}'::uuid]`,
      }),
    ),
    ...by('svc_api', noRight, {
      'a key cannot invite co-authors': `select app.desk_set_co_authors('${live}', ${own}, '{}')`,
      'a key cannot consent': `select app.answer_co_author('${live}', ${own}, true)`,
      'a key cannot list invitations': `select app.co_author_invitations(${own})`,
      'a key cannot read as a co-author': reading(inviting),
    }),
    ...by('svc_desk', 'SF404', {
      'the desk cannot invite to the piece of another': `select app.desk_set_co_authors('${theirs}', ${own}, '{}')`,
      'the desk cannot agree without an invitation': `select app.answer_co_author('${theirs}', ${own}, true)`,
      'a stranger cannot read as a co-author': reading(theirs),
      'an invited person cannot read as a co-author before they agree': reading(inviting),
      'a co-author who was removed cannot read as one': reading(removed),
    }),
    ...by('svc_desk', 'SF401', {
      'nobody invites without a session': `select app.desk_set_co_authors('${live}', ${hash('none')}, '{}')`,
      'nobody agrees without a session': `select app.answer_co_author('${live}', ${hash('none')}, true)`,
    }),
    ...by('superuser', noRight, {
      'a superuser cannot consent for a writer': row(other.id, me.sessionId),
      'a superuser cannot consent while replicating': `set session_replication_role = replica; ${row(other.id, me.sessionId)}`,
    }),
  ]
}
