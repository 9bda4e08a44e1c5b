import type { UseQueryResult } from '@tanstack/react-query'
import { t } from '../messages.ts'
import styles from './add-by-search.module.css'
import { Button } from './button.tsx'
import type { Search } from './choices.tsx'
import { Field } from './field.tsx'
import { Loaded } from './loaded.tsx'

export interface AddBySearchProps<Item> {
  readonly search: Search
  readonly query: UseQueryResult<readonly Item[]>
  readonly label?: string
  readonly hint?: string
  readonly problem?: string | undefined
  /** The label of the list. */
  readonly results?: string
  readonly add?: string
  readonly addOne?: (name: string) => string
  readonly nameOf: (item: Item) => string
  readonly aboutOf?: (item: Item) => string
  /** Not, for example, what the list has already. */
  readonly isOffered?: (item: Item) => boolean
  /** Shown instead of results if the list takes no more. */
  readonly full: string | false
  /** Shown if there is nothing to offer: nothing was found, or nothing that is not in the list. */
  readonly empty: (q: string, hasFound: boolean) => string
  readonly onAdd: (item: Item) => void
}

const maxShown = 8

/** Finds what can be added to a list. The field keeps the focus, also when nothing more can be added. */
export const AddBySearch = <Item extends { readonly id: string }>({
  search,
  query,
  label = t('desk.common.find.label'),
  hint,
  problem,
  results = t('desk.common.find.results'),
  add = t('desk.common.find.add'),
  addOne = (name) => t('desk.common.find.add_one', { name }),
  nameOf,
  aboutOf,
  isOffered = () => true,
  full,
  empty,
  onAdd,
}: AddBySearchProps<Item>) => (
  <div className={styles.search}>
    <Field
      label={label}
      hint={hint}
      problem={problem}
      {...search.field}
      onKeyDown={(event) => {
        // Enter would submit the form.
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
    {full ? (
      <Nothing words={full} />
    ) : (
      <Loaded query={query}>
        {(found) => {
          const offered = found.filter(isOffered).slice(0, maxShown)
          // Until the answer is there, what was found before is shown.
          if (offered.length === 0)
            return <Nothing words={query.isPlaceholderData ? '' : empty(search.q, found.length > 0)} />
          return (
            <ul className={styles.results} aria-label={results}>
              {offered.map((item) => (
                <li key={item.id}>
                  <span>
                    <bdi>{nameOf(item)}</bdi>
                    {aboutOf && (
                      <small>
                        <bdi>{aboutOf(item)}</bdi>
                      </small>
                    )}
                  </span>
                  <Button
                    kind="quiet"
                    aria-label={addOne(nameOf(item))}
                    onClick={() => {
                      onAdd(item)
                      search.clear()
                      // The pressed button is removed with its row.
                      search.focus()
                    }}
                  >
                    {add}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    )}
  </div>
)

const Nothing = ({ words }: { readonly words: string }) => (
  <p className={styles.hint} role="status">
    {words}
  </p>
)
