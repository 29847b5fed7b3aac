import { Suspense, useEffect } from 'react'
import { LaterTexts } from '../i18n/index.ts'
import { lazyPart } from '../lazy/index.ts'
import { closePicture, usePicture } from './picture-store.ts'

const PictureDialog = lazyPart(async () => (await import('./picture-dialog.tsx')).PictureDialog)

/** Shows the picture that was enlarged, and closes it when it is unmounted, as when the user signs out. */
export function PictureViewer() {
  const picture = usePicture((state) => state.picture)
  useEffect(() => closePicture, [])
  return (
    <Suspense>
      {picture && (
        <LaterTexts part="panels">
          <PictureDialog picture={picture} onClose={closePicture} />
        </LaterTexts>
      )}
    </Suspense>
  )
}
