/** Sent with questions whose answers are held against each other: else each answer has an id of its own. */
export const sameId = { 'x-request-id': 'one-id-for-every-answer' } as const
