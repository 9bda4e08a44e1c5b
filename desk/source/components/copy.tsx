import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'

interface CopyProps {
  readonly text: string
  readonly label?: string
  readonly kind?: ButtonProps['kind']
}

/** Puts a text where it can be pasted from, and says so on itself. */
export function Copy({ text, label = 'Copy', kind = 'plain' }: CopyProps) {
  const [said, setSaid] = useState<'Copied' | 'Select and copy it by hand'>()
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(undefined), 2500)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Select and copy it by hand'),
    )
  return (
    <Button kind={kind} onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  )
}
