import type { SignedInto } from '../../../../server/features/accounts/schema.ts'
import { queries } from '../../api/queries.ts'
import { navigate } from '../../components/router.ts'

/** Opens a page of the desk after signing in, as a new document if the person chose another language than this one's. */
export function enterDesk({ language }: SignedInto, path: string): void {
  // Cached data may belong to another account.
  queries.clear()
  if (language !== null && language !== document.documentElement.lang) location.replace(path)
  else navigate(path, { replace: true })
}
