import { join } from 'node:path'
import sharp from 'sharp'

// Run by hand after a change of the mark: `node web/scripts/icons.ts`. The pictures are kept beside it in `public/`.
const folder = join(import.meta.dirname, '../public')
/** The mark fills a maskable icon to its edge, since the system cuts it to the shape of its own. */
const markOf = (radius: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#35d0ba"/><stop offset="1" stop-color="#5aa7ff"/></linearGradient></defs><rect width="32" height="32" rx="${radius}" fill="url(#g)"/></svg>`,
  )

for (const { name, size, radius } of [
  { name: 'icon-192.png', size: 192, radius: 10 },
  { name: 'icon-512.png', size: 512, radius: 10 },
  { name: 'icon-maskable-512.png', size: 512, radius: 0 },
  { name: 'apple-touch-icon.png', size: 180, radius: 0 },
]) {
  await sharp(markOf(radius), { density: 72 * (size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true, effort: 10 })
    .toFile(join(folder, name))
}
