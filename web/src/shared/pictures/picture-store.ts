import { create } from 'zustand'

/** A picture to be shown at the size of the window. */
export interface LargePicture {
  readonly title: string
  /** Empty where the heading says it. */
  readonly alt: string
  /** The name under which it is saved. */
  readonly fileName: string
  readonly load: () => Promise<Blob>
  readonly className?: string
}

interface Shown {
  readonly picture: LargePicture | null
}

/** The enlarged picture. It is not state of the row that it belongs to, because a row leaves the document when the thread scrolls. */
export const usePicture = create<Shown>(() => ({ picture: null }))

/** Shows a picture at the size of the window, where a `PictureViewer` is mounted. */
export const enlarge = (picture: LargePicture): void => usePicture.setState({ picture })

export const closePicture = (): void => usePicture.setState({ picture: null })
