import { prepareDiagrams } from './markdown/markdown-components.tsx'
import { prepareMarkdown } from './message/answer-text.tsx'
import { drawing, setPrinting } from './printing.ts'

/** Milliseconds that paper waits at most for what is being drawn. */
const patienceMs = 30_000

/** Prints the page once it is drawn, if it is still wanted, with what is drawn on paper only. The browser's own command prints it as it is. */
export async function printPage(isWanted: () => boolean): Promise<void> {
  // Without their renderers, texts and diagrams would be printed as they were written.
  await Promise.all([prepareMarkdown(), prepareDiagrams()])
  setPrinting(true)
  const tooLong = new Promise((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([drawn(), tooLong])
  if (isWanted()) window.print()
  else setPrinting(false)
}

async function drawn(): Promise<void> {
  do {
    await Promise.all(drawing)
    // What was drawn is in the document after the next frame, and may ask for more.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  } while (drawing.size > 0)
  const images = document.querySelectorAll<HTMLImageElement>('.printed img')
  await Promise.allSettled(Array.from(images, (image) => image.decode()))
}
