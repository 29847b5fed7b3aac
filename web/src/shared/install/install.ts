import { create } from 'zustand'

/** What browsers fire that can install the application. Not every browser has it, and none where the application is installed. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

/** The browser's offer to install the application; null where there is none. */
const useOffer = create<{ offer: InstallOffer | null }>(() => ({ offer: null }))

/** Keeps the browser's offer for the menu, instead of a bar over the page. Answers how to stop. */
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

/** Has the browser ask whether to install the application; null where it does not offer that. An offer is good for one question. */
export function useInstall(): (() => void) | null {
  const offer = useOffer((state) => state.offer)
  if (offer === null) return null
  return () => {
    useOffer.setState({ offer: null })
    void offer.prompt()
  }
}
