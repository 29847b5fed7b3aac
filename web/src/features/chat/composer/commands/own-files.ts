import type { OwnFile } from '@parley/contracts'
import { queryOptions } from '@tanstack/react-query'
import { endpoints, request } from '../../../../shared/api/index.ts'
import { formatBytes, formatDay } from '../../../../shared/format.ts'
import type { Suggestion } from './suggestions.ts'

const mostFiles = 8

/** Some of the user's files, newest first; `complete` if there are no others. */
export interface OwnFiles {
  readonly files: readonly OwnFile[]
  readonly complete: boolean
}

/** The user's newest sent files; with a word, only those whose names contain it. */
export const ownFilesQuery = (word: string) =>
  queryOptions({
    queryKey: ['own-files', word],
    queryFn: async ({ signal }): Promise<OwnFiles> => {
      const files: OwnFile[] = []
      let cursor: string | undefined
      // A page of a search may be empty although later pages have matches.
      do {
        const page = await request(endpoints.files, { query: { ...(word && { query: word }), cursor }, signal })
        files.push(...page.files)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined && files.length < mostFiles)
      return { files, complete: cursor === undefined }
    },
  })

const folded = (text: string): string => text.normalize('NFC').toLowerCase()

/** Isolates a text in a line of mixed direction, where adjacent Latin words and numbers would be reordered. */
const isolated = (text: string): string => `\u2068${text}\u2069`

/** The files whose names contain the word, each once, as suggestions. @param files in the order of the menu */
export function suggestFiles(files: readonly OwnFile[], word: string, locale: string): readonly Suggestion[] {
  const wanted = folded(word)
  const each = new Map(files.map((file) => [file.id, file]))
  return [...each.values()]
    .filter(({ name }) => folded(name).includes(wanted))
    .slice(0, mostFiles)
    .map((file) => {
      const kind = file.mimeType.replace(/^.*\//, '').toUpperCase()
      const facts = [kind, formatBytes(file.size, locale), formatDay(file.createdAt, locale)]
      const description = facts.map(isolated).join(' · ')
      return { key: file.id, type: 'file', word: file.name, description, file }
    })
}
