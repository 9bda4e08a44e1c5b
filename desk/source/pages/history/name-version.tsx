import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import type { Saved } from './events.ts'
import styles from './history.module.css'

interface NamingProps {
  readonly id: string
  readonly saved: Saved
}

/** Folded away until it is wanted. A version with a name is kept for good. */
export function Naming({ id, saved: { revision, name } }: NamingProps) {
  const queries = useQueryClient()
  const attempt = useAttempt()
  const [isOpen, setOpen] = useState(false)
  const [given, setGiven] = useState(name ?? '')
  const save = attempt.by(async () => {
    const wanted = given.trim() || null
    await ask('PUT', `/pieces/${id}/revisions/${revision}/name`, { name: wanted })
    await queries.invalidateQueries({ queryKey: ['history', id] })
    setOpen(false)
    tell(wanted ? 'Name saved. This version is kept for good.' : 'Name removed.')
  })
  if (!isOpen)
    return (
      <p>
        {name && <strong>{name} </strong>}
        <button type="button" className={styles.word} onClick={() => setOpen(true)}>
          {name ? 'Rename' : 'Name this version'}
        </button>
      </p>
    )
  return (
    <Form attempt={attempt} onSubmit={save}>
      <Field
        label="Name of this version"
        hint="A version with a name is kept for good. Others are thinned out after a day."
        limit={80}
        value={given}
        onText={setGiven}
        autoFocus
      />
      <div className={styles.restore}>
        <Button type="submit" isBusy={attempt.isBusy}>
          Save
        </Button>
        <button type="button" className={styles.word} onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
    </Form>
  )
}
