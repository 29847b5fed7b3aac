/** Drawings are copied this much larger than they are, so that they stay sharp. */
const drawingScale = 2
/** Maximum width and height of a copied drawing, in pixels. */
const longestSide = 8_000

/** Whether this browser copies pictures; pages on plain HTTP cannot. */
export const canCopyPictures = (): boolean => Boolean(navigator.clipboard) && typeof ClipboardItem !== 'undefined'

/** Copies a picture to the clipboard as PNG, which every browser takes; resolves to false when it refuses. */
export async function copyPicture(image: HTMLImageElement, file: Blob): Promise<boolean> {
  try {
    // Handed over as a promise, because Safari forgets the click while a picture is converted.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': toPng(image, file) })])
    return true
  } catch {
    return false
  }
}

async function toPng(image: HTMLImageElement, file: Blob): Promise<Blob> {
  if (file.type === 'image/png') return file
  await image.decode()
  const isDrawing = file.type === 'image/svg+xml'
  const { naturalWidth, naturalHeight } = image
  const scale = isDrawing ? Math.min(drawingScale, longestSide / Math.max(naturalWidth, naturalHeight)) : 1
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(naturalWidth * scale)
  canvas.height = Math.round(naturalHeight * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser has no canvas to convert a picture')
  // A drawing is transparent and has the colours of the theme, which cannot be read on another background.
  context.fillStyle = isDrawing ? getComputedStyle(document.body).backgroundColor : 'transparent'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (png === null) throw new Error('The picture could not be converted')
  return png
}
