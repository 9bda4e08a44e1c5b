/** Written by `npm run messages` from en.json: the kind of every value that a message takes. */
export interface MessageValues {
  'desk.common.cancel': {}
  'desk.common.change': {}
  'desk.common.close': {}
  'desk.common.copied': {}
  'desk.common.copy': {}
  'desk.common.delete': {}
  'desk.common.done': {}
  'desk.common.edit': {}
  'desk.common.ok': {}
  'desk.common.page_failed': {}
  'desk.common.reload': {}
  'desk.common.remove': {}
  'desk.common.save': {}
  'desk.common.sign_in': {}
  'desk.common.try_again': {}
  'desk.common.undo': {}
  'error.database_away': {}
}
