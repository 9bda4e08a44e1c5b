/** One result of doctor: fine, odd or broken. */
export interface Finding {
  readonly mark: '✓' | '!' | '✗'
  readonly text: string
}
export const good = (text: string): Finding => ({ mark: '✓', text })
export const odd = (text: string): Finding => ({ mark: '!', text })
export const bad = (text: string): Finding => ({ mark: '✗', text })
