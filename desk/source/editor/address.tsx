import { useEffect, useRef, useState } from 'react'
import { Field } from '../components/field.tsx'
import { tell } from '../components/notice.tsx'

interface AddressProps {
  readonly value: string
  readonly problem: string | undefined
  readonly onAddress: (address: string) => void
}

const isAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && text.length <= 2048
}

/** Where the piece was first published. Half an address is no address: it is taken once it is whole. */
export function Address({ value, problem, onAddress }: AddressProps) {
  const [text, setText] = useState(value)
  const [isLeft, setLeft] = useState(false)
  const isGood = text.trim() === '' || isAddress(text.trim())
  const words = isLeft && !isGood ? 'This is not a whole address yet. It begins with https://.' : problem
  const half = useRef('')
  half.current = isGood ? '' : text.trim()
  useEffect(
    () => () => {
      if (half.current) tell(`“${half.current}” is not a whole address, so it was not taken.`)
    },
    [],
  )
  return (
    <Field
      label="First published at"
      hint="If it appeared elsewhere before: readers and search engines are pointed there."
      type="url"
      inputMode="url"
      placeholder="https://"
      value={text}
      problem={words}
      onBlur={() => setLeft(true)}
      onText={(next) => {
        setText(next)
        if (next.trim() === '' || isAddress(next.trim())) onAddress(next.trim())
      }}
    />
  )
}
