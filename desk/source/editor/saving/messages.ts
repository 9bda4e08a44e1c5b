import type { Standing } from './status.ts'

/** Where a text stands, in one line of words. */
export function standingWords(
  standing: Standing,
  { isKept, isOnline, isBegun }: { readonly isKept: boolean; readonly isOnline: boolean; readonly isBegun: boolean },
  now: number,
): string {
  const here = isKept ? 'Kept on this device' : 'This browser keeps nothing on the device'
  switch (standing.kind) {
    case 'saved':
      if (standing.at === null) return isBegun ? 'Saved on the server' : 'Nothing written yet'
      return `Saved ${agoWords(now - standing.at)} on ${isKept ? 'this device and the server' : 'the server'}`
    case 'changed':
    case 'saving':
      return `${here}; saving on the server …`
    case 'textless':
      return `${here}. It goes to the server with its first words of text.`
    case 'unreachable':
      return isOnline
        ? `The server does not answer. ${here}; we try again by ourselves.`
        : `You are offline. ${here}; we save it when you are back.`
    case 'signed_out':
      return `You were signed out. ${here}; sign in and it is saved.`
    case 'refused':
      return `${standing.detail} ${here}.`
    case 'gone':
      return `This piece was deleted elsewhere. ${here}.`
    case 'contested':
      return `Changed elsewhere too. ${here}; choose below.`
  }
}

function agoWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 2) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}
