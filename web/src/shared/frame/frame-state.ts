import { create } from 'zustand'
import { readLocal, writeLocal } from '../session/index.ts'

interface FrameState {
  /** The sidebar is hidden in wide windows. */
  readonly collapsed: boolean
  /** The drawer is open in narrow windows. */
  readonly drawerOpen: boolean
}

const key = 'sidebar'

export const useFrame = create<FrameState>(() => ({ collapsed: readLocal(key) === 'collapsed', drawerOpen: false }))

const wide = () => window.matchMedia('(min-width: 48rem)').matches

/** Toggles the sidebar: the column in a wide window, the drawer in a narrow one. */
export function toggleSidebar(): void {
  if (!wide()) {
    useFrame.setState(({ drawerOpen }) => ({ drawerOpen: !drawerOpen }))
    return
  }
  const collapsed = !useFrame.getState().collapsed
  writeLocal(key, collapsed ? 'collapsed' : null)
  useFrame.setState({ collapsed })
}

/** Closes the drawer after a choice in it. */
export const closeDrawer = (): void => useFrame.setState({ drawerOpen: false })
