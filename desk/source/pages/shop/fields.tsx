import { useId } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { Area, Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { limits, type Said } from './form-values.ts'
import { Picture } from './picture.tsx'
import { Price } from './price.tsx'
import { Related } from './related.tsx'
import type { Keeping } from './save.ts'

interface FieldsProps {
  readonly keeping: Keeping
  /** Those they use already. */
  readonly categories: readonly string[]
}

/** For those who have none of their own yet. */
const common = [
  'Book',
  'Course',
  'E-book',
  'Event',
  'Membership',
  'Newsletter',
  'Print',
  'Recording',
  'Template',
  'Workshop',
]

/** The form. What each line is called at the server is what it is called here. */
export function Fields({ keeping: { said, saving, fill, save }, categories }: FieldsProps) {
  const id = useId()
  const { error } = saving
  const line = (field: Exclude<keyof Said, 'related'>) => ({
    value: said[field],
    onText: (text: string) => fill({ [field]: text }),
    problem: problemOf(error, field),
  })
  return (
    <Form
      attempt={saving}
      onSubmit={async () => {
        await save()
      }}
    >
      <Field label="Name" {...line('name')} limit={limits.name} autoComplete="off" required />
      <Area
        label="Summary"
        hint="A sentence or two, shown in lists."
        {...line('summary')}
        limit={limits.summary}
        rows={2}
      />
      <Price said={said} error={error} onPrice={fill} />
      <Field
        label="Payment address"
        hint="Your page where people pay: the site only leads there. It begins with https://."
        {...line('payment_url')}
        limit={limits.address}
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field
        label="Category"
        hint="In your own words, or one of those offered."
        {...line('category')}
        limit={limits.category}
        autoComplete="off"
        list={`${id}-categories`}
      />
      <datalist id={`${id}-categories`}>
        {[...new Set([...categories, ...common])].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Picture said={said} error={error} onPicture={fill} />
      <Area
        label="Description"
        hint="Plain text; an empty line begins a new paragraph."
        {...line('description')}
        limit={limits.description}
        rows={8}
      />
      <Related
        related={said.related}
        problem={problemOf(error, 'related')}
        onRelated={(related) => fill({ related })}
      />
    </Form>
  )
}
