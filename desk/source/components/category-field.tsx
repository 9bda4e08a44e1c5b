import type { Category } from '../../../server/features/pieces/schema.ts'
import { t } from '../messages.ts'
import { Select } from './choices.tsx'
import { categories } from './piece.ts'

interface CategoryFieldProps {
  readonly hint?: string | undefined
  /** Empty until one is chosen, which is asked for. */
  readonly value: string
  readonly onCategory: (category: Category) => void
}

export const CategoryField = ({ hint, value, onCategory }: CategoryFieldProps) => (
  <Select<string>
    label={t('desk.common.piece.category')}
    hint={hint}
    value={value}
    options={[
      ...(value === '' ? [['', t('desk.common.piece.category_choose')] as const] : []),
      ...categories.map((one) => [one, t(`desk.common.category.${one}`)] as const),
    ]}
    onValue={(chosen) => onCategory(chosen as Category)}
  />
)
