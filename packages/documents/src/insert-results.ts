import type { Event } from '@parley/contracts'
import type { Documents, Identified, Inserted } from './documents.ts'

/** The result of `insertOnce`, given which ids were free. */
export const insertResults = <Doc extends Identified>(
  documents: Pick<Documents<Doc>, 'get' | 'insertOnce'>,
  docs: readonly Doc[],
  events: readonly Event[] | undefined,
  version: number,
  isNew: (doc: Doc, nth: number) => boolean,
): Promise<readonly Inserted<Doc>[]> =>
  Promise.all(
    docs.map(async (doc, nth) => {
      if (isNew(doc, nth)) return { doc, version, isNew: true }
      const kept = await documents.get(doc.id)
      if (kept !== undefined) return { ...kept, isNew: false }
      // Removed between the two questions: its id is free again.
      const [again] = await documents.insertOnce([doc], nth === 0 ? events : [])
      return again as Inserted<Doc>
    }),
  )
