import { useEffect } from 'react'

const product = 'Parley'

/** Names the page in its tab while this is shown; null leaves the product's name alone. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null ? product : `${title} · ${product}`
    return () => {
      document.title = product
    }
  }, [title])
}
