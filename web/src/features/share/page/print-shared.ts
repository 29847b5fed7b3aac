import { printPage } from '../../../shared/print-page.ts'

/**
 * Prints a shared chat once all its pages are read, if that `isWanted`. Resolves to false, as the page is not being left. Throws if a page cannot be
 * read, because what is missing is not noticed on paper.
 * @param readMore reads the next page, and resolves to the number of those that are left
 */
export async function printShared(readMore: () => Promise<number>, isWanted: () => boolean): Promise<false> {
  let left = await readMore()
  while (left > 0) {
    const before = left
    left = await readMore()
    if (left === before) throw new Error('A page cannot be read')
  }
  await printPage(isWanted)
  return false
}
