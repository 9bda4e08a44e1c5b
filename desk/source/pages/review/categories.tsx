import { Select } from '../../components/field.tsx'
import type { Category } from './queries.ts'

const categoryLabels: Readonly<Record<Category, string>> = {
  illegal: 'Illegal content',
  spam: 'Spam',
  harassment: 'Harassment or hate',
  copyright: 'Copyright',
  private_information: 'Private information',
  impersonation: 'Impersonation',
  danger: 'Dangerous',
  editorial: 'Not suited to this site',
  other: 'Something else',
}

/** In display order for moderators. */
const categories = Object.entries(categoryLabels) as [Category, string][]
/** Categories readers can report. */
export const reportCategories = categories.filter(([category]) => category !== 'editorial')
export const categoryLabel = (category: Category): string => categoryLabels[category]

export const isCategory = (given: string | null): given is Category =>
  given !== null && Object.hasOwn(categoryLabels, given)

interface CategoryFieldProps {
  readonly value: Category
  readonly onValue: (category: Category) => void
}

/** The rule a decision is based on. */
export const CategoryField = (props: CategoryFieldProps) => (
  <Select
    label="Reason"
    hint="The writer reads it above your words. For illegal content, name the law below."
    options={categories}
    {...props}
  />
)
