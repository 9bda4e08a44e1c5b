import { type DragEvent, useRef, useState } from 'react'

/** A file that is chosen, or dropped on a target. The target is a shortcut; what calls `choose` does the same. */
export function useFileInput(label: string, accept: string, onFile: (file: File) => void) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (file: File | undefined) => file && onFile(file)
  return {
    choose: () => chooser.current?.click(),
    input: (
      <input
        ref={chooser}
        type="file"
        className="hidden"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    ),
    dropTarget: {
      'data-over': isOver || undefined,
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      },
    },
  }
}
