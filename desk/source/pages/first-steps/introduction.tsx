import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Profile } from '../../../../server/features/profiles/schema.ts'
import { useAccountChanged } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Area, Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'

interface IntroductionProps {
  readonly profile: Profile
  readonly onSaved: () => void
}

/** The name above their pieces, and a line below them. */
export function Introduction({ profile, onSaved }: IntroductionProps) {
  const [name, setName] = useState(profile.name)
  const [bio, setBio] = useState(profile.bio ?? '')
  const queries = useQueryClient()
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  const save = attempt.by(async () => {
    await ask('PATCH', '/profile', { name, bio })
    await Promise.all([queries.invalidateQueries({ queryKey: ['first-steps', 'profile'] }), accountChanged()])
    onSaved()
  })
  return (
    <Form attempt={attempt} onSubmit={save}>
      <Field
        label="Your name"
        autoComplete="name"
        value={name}
        onText={setName}
        limit={80}
        problem={problemOf(attempt.error, 'name')}
        required
      />
      <Area
        label="A line about you"
        hint="Who you are, what you write about. It stands below your pieces."
        value={bio}
        onText={setBio}
        limit={longestBio}
        problem={problemOf(attempt.error, 'bio')}
        required
      />
      <Button kind="main" type="submit" isBusy={attempt.isBusy}>
        Save it
      </Button>
    </Form>
  )
}

/** As the server has it. */
const longestBio = 2000
