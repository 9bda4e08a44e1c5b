import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useKeyDown } from '../components/shortcuts.tsx'
import type { MarkdownEditor } from './codemirror/codemirror.ts'

/** Only the paragraph that is written, without the bar. Escape leaves, unless something else takes it. */
export function useFocusMode(editor: RefObject<MarkdownEditor | null>) {
  const [isFocused, setFocused] = useState(false)
  const apply = useEffectEvent(async (isLeft: () => boolean) => {
    const shown = editor.current
    const loaded = await import('./codemirror/focus-mode.ts').catch(() => undefined)
    if (!shown || !loaded || isLeft() || !shown.view.dom.isConnected) return
    shown.use('focus', loaded.focusMode)
    shown.focus()
    loaded.centre(shown.view)
  })
  useEffect(() => {
    if (!isFocused) return
    let isLeft = false
    const shown = editor.current
    void apply(() => isLeft)
    return () => {
      isLeft = true
      shown?.use('focus', [])
    }
  }, [isFocused, editor])
  useKeyDown((event) => {
    if (!isFocused || event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    // They close by the same key.
    if (document.querySelector('dialog[open], :popover-open')) return
    event.preventDefault()
    setFocused(false)
  })
  return { isFocused, toggleFocus: () => setFocused((before) => !before) }
}
