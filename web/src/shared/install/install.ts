import { create } from 'zustand'

/** The `beforeinstallprompt` event. Not every browser fires it, and none does once the application is installed. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

/** The browser's pending install prompt; null without one. */
const useOffer = create<{ offer: InstallOffer | null }>(() => ({ offer: null }))

/** Defers the browser's prompt for use in the menu. Returns a function that stops. */
export function followInstallOffers(): () => void {
  const keep = (event: Event) => {
    event.preventDefault()
    useOffer.setState({ offer: event as InstallOffer })
  }
  const forget = () => useOffer.setState({ offer: null })
  window.addEventListener('beforeinstallprompt', keep)
  window.addEventListener('appinstalled', forget)
  return () => {
    window.removeEventListener('beforeinstallprompt', keep)
    window.removeEventListener('appinstalled', forget)
  }
}

/** Opens the browser's install prompt; null if it is not available. Each prompt can be used once. */
export function useInstall(): (() => void) | null {
  const offer = useOffer((state) => state.offer)
  if (offer === null) return null
  return () => {
    useOffer.setState({ offer: null })
    void offer.prompt()
  }
}
