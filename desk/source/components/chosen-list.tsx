import { type ReactNode, useState } from 'react'
import { t } from '../messages.ts'
import { AddBySearch, type AddBySearchProps } from './add-by-search.tsx'
import { Button } from './button.tsx'
import styles from './chosen-list.module.css'
import { FormDialog } from './form-dialog.tsx'
import { SortableRow, useReorder } from './reorder.tsx'

interface ChosenListProps<Item, Found> extends Omit<AddBySearchProps<Found>, 'nameOf' | 'onAdd'> {
  /** The label of the list that is sorted. */
  readonly title: string
  readonly items: readonly Item[]
  readonly idOf: (item: Item) => string
  readonly nameOf: (one: Item | Found) => string
  readonly aboutItem: (item: Item) => ReactNode
  readonly toItem: (found: Found) => Item
  readonly onItems: (items: readonly Item[]) => void
  /** What is asked before an item is removed; undefined removes it at once. */
  readonly asksToRemove?: (item: Item) => { readonly title: string; readonly about: string } | undefined
}

/** A list to sort, and a search for what can be added to it. */
export function ChosenList<Item, Found extends { readonly id: string }>({
  title,
  items,
  idOf,
  nameOf,
  aboutItem,
  toItem,
  onItems,
  asksToRemove,
  isOffered = () => true,
  ...rest
}: ChosenListProps<Item, Found>) {
  const [asking, setAsking] = useState<number>()
  const { list, rowOf, announcement, add, remove } = useReorder({ items, nameOf, onItems })
  const questionAt = (at: number | undefined) => (items[at ?? -1] ? asksToRemove?.(items[at!]!) : undefined)
  const question = questionAt(asking)
  const removeAt = (at: number) => {
    setAsking(undefined)
    remove(at, rest.search.focus)
  }
  return (
    <>
      {items.length > 0 && (
        <ol ref={list} className={styles.list} aria-label={title}>
          {items.map((item, at) => (
            <SortableRow
              key={idOf(item)}
              {...rowOf(at)}
              className={styles.item}
              actions={
                <Button
                  kind="quiet"
                  aria-label={t('desk.common.find.remove_one', { name: nameOf(item) })}
                  onClick={() => (questionAt(at) ? setAsking(at) : removeAt(at))}
                >
                  {t('desk.common.remove')}
                </Button>
              }
            >
              <div className={styles.about}>
                <p dir="auto">{nameOf(item)}</p>
                {aboutItem(item)}
              </div>
            </SortableRow>
          ))}
        </ol>
      )}
      {announcement}
      <AddBySearch
        {...rest}
        nameOf={nameOf}
        isOffered={(found) => isOffered(found) && !items.some((item) => idOf(item) === found.id)}
        onAdd={(found) => add(toItem(found))}
      />
      {question && (
        <FormDialog
          {...question}
          submit={t('desk.common.remove')}
          kind="grave"
          onSubmit={async () => removeAt(asking!)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}
