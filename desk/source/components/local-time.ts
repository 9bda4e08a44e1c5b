/** `<input type="datetime-local">` speaks of the person's own time zone, without naming it. */
export const toLocal = (iso: string): string => {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Undefined while the field is not filled in. */
export const fromLocal = (text: string): string | undefined => {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
