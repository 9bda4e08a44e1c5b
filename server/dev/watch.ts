import { readdirSync, statSync, watch } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Calls with the paths, from the root, of what was saved below these folders. Folder by folder, because Node's recursive
 * watch on Linux loses a file that an editor replaces by renaming another.
 */
export function watchFolders(root: string, folders: readonly string[], onSave: (paths: string[]) => void): void {
  const watched = new Set<string>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const notice = (path: string): void => {
    if (!matters(path)) return
    changed.add(path)
    // A save is several events, and the first may come while the file is still empty.
    clearTimeout(timer)
    timer = setTimeout(() => {
      onSave([...changed])
      changed.clear()
    }, 50)
  }

  const add = (folder: string): void => {
    if (watched.has(folder)) return
    watched.add(folder)
    watch(folder, (_event, name) => {
      if (name === null) return
      const path = join(folder, name)
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? watched.delete(path)
      if (isFolder) add(path)
      else notice(relative(root, path))
    }).on('error', () => watched.delete(folder))
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && entry.name !== 'node_modules') add(join(folder, entry.name))
  }

  for (const folder of folders) add(join(root, folder))
}

/** What a server is made of: not its tests, not an editor's own files, and not `npm run dev` itself. */
const matters = (path: string): boolean =>
  /\.(ts|js|css|sql|json|txt|svg|md|woff2)$/.test(path) &&
  !/\.test\.ts$|(^|\/)\.|^server\/(testing\/|dev[-.])/.test(path)

/** What `migrate` reads, and the code of it. */
export const changesDatabase = (path: string): boolean => /\.sql$|^server\/platform\/(db|jobs)\//.test(path)
