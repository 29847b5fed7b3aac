import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Performs once what the chat's URL requests, such as `?print`. */
export function usePageRequest(name: 'print' | 'share', act: () => void): void {
  const [parameters, setParameters] = useSearchParams()
  const latest = useRef(act)
  latest.current = act
  const wanted = parameters.has(name)
  useEffect(() => {
    if (!wanted) return
    // A reload must not repeat it.
    setParameters({}, { replace: true })
    latest.current()
  }, [wanted, setParameters])
}
