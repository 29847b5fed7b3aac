import { drawing, setPrinting } from './printing.ts'

/** Milliseconds that paper waits at most for what is being drawn. */
const patienceMs = 10_000

/** Prints the page once it is drawn, with what is drawn on paper only. The browser's own command prints it as it is. */
export async function printPage(): Promise<void> {
  setPrinting(true)
  const tooLong = new Promise((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([drawn(), tooLong])
  window.print()
}

async function drawn(): Promise<void> {
  await Promise.allSettled(drawing)
  // What was drawn is in the document after the next frame; an image has to be decoded, too.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const images = document.querySelectorAll<HTMLImageElement>('.printed img')
  await Promise.allSettled(Array.from(images, (image) => image.decode()))
}
