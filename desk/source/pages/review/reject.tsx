import { useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices } from '../../components/dialog.tsx'
import { Area, Select } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { categories } from './categories.ts'
import { type Category, type Reported, useReviewChanged } from './queries.ts'

interface CategoryFieldProps {
  readonly value: Category
  readonly onValue: (category: Category) => void
}

/** The rule a decision is by. */
export const CategoryField = (props: CategoryFieldProps) => (
  <Select
    label="Reason"
    hint="The writer reads it above your words. For illegal content, name the law below."
    options={categories}
    {...props}
  />
)

interface RefusingProps {
  readonly listing: Reported
  readonly onClose: () => void
}

/** Takes a listing out of the shop, with the reasons its writer reads. */
export function Refusing({ listing: { id, newest }, onClose }: RefusingProps) {
  const [category, setCategory] = useState<Category>(newest[0]?.reason ?? 'other')
  const [reason, setReason] = useState('')
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const take = attempt.by(async () => {
    await ask('POST', `/review/listings/${id}/take-down`, { category, reason })
    tell('The listing is out of the shop, and its writer is told why.')
    onClose()
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={take}>
      <p>
        It leaves the shop at once and cannot be listed again. Its reports are settled with this. The writer is told by
        email, without your name, and can appeal.
      </p>
      <CategoryField value={category} onValue={setCategory} />
      <Area
        label="What you found"
        hint="The writer reads exactly this."
        value={reason}
        onText={setReason}
        limit={2000}
        problem={problemOf(attempt.error, 'reason')}
        required
      />
      <Choices>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="grave" type="submit" isBusy={attempt.isBusy}>
          Take down
        </Button>
      </Choices>
    </Form>
  )
}
