import { useEffect } from 'react'

const product = 'Parley'

/** Sets the tab's title while mounted; null shows the product's name only. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null ? product : `${title} · ${product}`
    return () => {
      document.title = product
    }
  }, [title])
}
