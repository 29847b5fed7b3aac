import { useRef } from 'react'

/** Runs each given action after the previous one, for switches, whose presses `useAct` would ignore while another one is saved. */
export function useInTurn(): <T>(action: () => Promise<T>) => Promise<T> {
  const previous = useRef<Promise<unknown>>(Promise.resolve())
  return (action) => {
    const next = previous.current.then(action, action)
    previous.current = next
    return next
  }
}
